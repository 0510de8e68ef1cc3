import NearbyBeacons
import NearbyBluetooth
import NearbyCommandLine
import NearbyDevice
import NearbyHome
import NearbyTesting
import NearbyTextForms
import Synchronization

/// `nearby beacon advertise`.
struct BeaconAdvertiseCommand {
  private let place: BeaconPlace
  private let beacon: IBeacon

  init(_ arguments: CommandArguments) throws(UsageError) {
    place = try BeaconPlace(arguments)
    let uuid = try arguments[Options.uuid]
    let power = try arguments[Options.power]
    let major = try arguments[Options.major]
    let minor = try arguments[Options.minor]
    beacon = IBeacon(
      identity: BeaconIdentity(uuid: uuid, major: major, minor: minor), measuredPower: Int8(power.rounded()))
  }

  func run(in context: CommandContext) throws {
    let (simulated, length) = try place.open(context.environment)
    let device = simulated?.device.launch { NearbyDevice.bound } ?? NearbyDevice.bound
    let sender = BeaconSender(beacon, on: device)
    let user = sender.start()
    defer { device.bluetooth.release(user) }
    let listeners = (simulated?.phones ?? []).filter { $0 !== simulated?.device }.map { phone in
      let other = phone.launch { NearbyDevice.bound }
      let listener = BeaconListener(on: other, uuid: beacon.identity.uuid)
      _ = listener.start()
      return (name: phone.name, listener: listener)
    }
    var hasAnnounced = false
    try place.run(simulated, length: length, state: { sender.bluetooth }, in: context) { time in
      switch sender.result {
      case .failure(let failure)?:
        throw CommandError.unavailable("the Bluetooth adapter refused to advertise: \(failure)")
      case .success?:
        if !hasAnnounced { announce(at: time, in: context) }
        hasAnnounced = true
      case nil: break
      }
      for (name, listener) in listeners {
        for heard in listener.ranged(at: time) ?? [] where heard.identity == beacon.identity {
          context.output.line(
            place.isJSON
              ? BeaconText.json(heard, at: time, by: name) : BeaconText.line(heard, at: time, by: name))
        }
      }
    }
  }

  private func announce(at time: Duration, in context: CommandContext) {
    guard place.isJSON else {
      return context.output.line("advertising \(beacon.identity), \(beacon.measuredPower) dBm at 1 m")
    }
    var line = JSONLine()
    line.add("t", time / .seconds(1), decimals: 3)
    line.add("event", text: "advertising")
    line.add("uuid", text: "\(beacon.identity.uuid)")
    line.add("major", Int(beacon.identity.major))
    line.add("minor", Int(beacon.identity.minor))
    line.add("power", Int(beacon.measuredPower))
    context.output.line(line.closed())
  }
}

/// Advertises whenever Bluetooth is on.
private final class BeaconSender: BluetoothSink {
  private struct State: Sendable {
    var bluetooth = BluetoothState.unknown
    var result: Result<Void, BluetoothFailure>?
    var user: BluetoothUser?
  }

  private let state = Mutex(State())
  private let device: NearbyDevice
  private let advertising: BluetoothAdvertising

  init(_ beacon: IBeacon, on device: NearbyDevice) {
    self.device = device
    var advertisement = Advertisement()
    // LE General Discoverable, no BR/EDR (Bluetooth Core Specification Supplement, part A, 1.3).
    advertisement.flags = 0x06
    advertisement.manufacturerData = [
      Advertisement.ManufacturerData(company: IBeacon.company, octets: beacon.manufacturerOctets)
    ]
    // The interval that Apple requires of iBeacons (Proximity Beacon Specification).
    advertising = BluetoothAdvertising(advertisement, interval: .milliseconds(100))
  }

  func start() -> BluetoothUser {
    let user = device.bluetooth.makeUser(self, role: .peripheral(restoring: nil))
    let isOn = state.withLock { state in
      state.user = user
      return state.bluetooth == .poweredOn
    }
    if isOn { device.bluetooth.perform(.advertise(advertising), of: user) }
    return user
  }

  var bluetooth: BluetoothState { state.withLock { $0.bluetooth } }
  var result: Result<Void, BluetoothFailure>? { state.withLock { $0.result } }

  func received(_ event: BluetoothEvent) {
    switch event {
    case .state(let bluetooth):
      let user = state.withLock { state in
        state.bluetooth = bluetooth
        if bluetooth != .poweredOn { state.result = nil }
        return bluetooth == .poweredOn ? state.user : nil
      }
      if let user { device.bluetooth.perform(.advertise(advertising), of: user) }
    case .advertising(let failure):
      state.withLock { $0.result = failure.map { .failure($0) } ?? .success(()) }
    case _: break
    }
  }
}
