// A process that uses Bluetooth through BlueZ, for `Tests/Bluetooth`.
import Foundation

let arguments = Array(CommandLine.arguments.dropFirst())
do {
  switch arguments.first {
  case "relay": try HCIRelay(arguments.dropFirst().first ?? "").run()
  case "scan": try ScanProbe.run(seconds: 10)
  case "advertise": try AdvertiseProbe.run()
  case "central": try CentralProbe.run()
  case "server": try ServerProbe.run()
  case "recovery": try RecoveryProbe.run()
  case "states": try StatesProbe.run()
  case "phone": PhoneProbe.run()
  case "location": LocationProbe.run()
  default:
    throw Failed(
      "usage: BluetoothProbe scan|advertise|central|server|recovery|states|phone|location|relay PORT")
  }
  Probe.say("probe: ok")
} catch {
  Probe.say("probe: \(error)")
  exit(1)
}
