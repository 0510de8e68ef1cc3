import AccessoryApp
import CoreBluetooth
import Dispatch
import Foundation
import NearbyInteraction

/// A phone's app that ranges with an accessory, using only public API. It pairs, then runs the hands-free app
/// of `Examples/Accessory`. Its events are printed as one JSON object per line; `end` on its input ends it.
enum PhoneProbe {
  @MainActor private static var ranging: Ranging?

  @MainActor static func run() {
    let pairing = Pairing()
    pairing.onPaired = { data in
      say([
        "event": "read",
        "data": data.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined(),
      ])
      MainActor.assumeIsolated { ranging = Ranging() }
    }
    let input = Thread {
      while let line = readLine() {
        guard line == "end" else { continue }
        DispatchQueue.main.async { ranging?.end() }
      }
    }
    input.start()
    withExtendedLifetime(pairing) { RunLoop.main.run() }
  }

  static func say(_ event: [String: Any]) {
    guard let octets = try? JSONSerialization.data(withJSONObject: event, options: .sortedKeys) else {
      return
    }
    FileHandle.standardOutput.write(octets + Data("\n".utf8))
  }
}

/// Ranges with the first accessory it finds, and prints what the app shows.
private final class Ranging {
  private let app: AccessoryApp
  private var told = 0

  init() {
    app = AccessoryApp(AccessoryChannel(), isHandsFree: true)
    app.onChange = { [weak self] in self?.printLog() }
  }

  private func printLog() {
    guard told == app.log.count else {
      for text in app.log[told...] {
        let what = String(text.prefix { $0 != ":" })
        PhoneProbe.say(["event": "note", "text": what, "detail": String(text.dropFirst(what.count))])
      }
      return told = app.log.count
    }
    if let distance = app.distance { PhoneProbe.say(["event": "measured", "distance": Double(distance)]) }
  }

  func end() {
    app.end()
    PhoneProbe.say(["event": "ended"])
  }
}

/// Reads an accessory's configuration data from its Nearby Interaction service, which requires pairing, and
/// then disconnects.
private final class Pairing: NSObject {
  private static let channel = CBUUID(string: "6E400001-B5A3-F393-E0A9-E50E24DCCA9E")
  private static let service = CBUUID(string: "48FE3E40-0817-4BB2-8633-3073689C2DBA")
  private static let configuration = CBUUID(string: "95E8D9D5-D8EF-4721-9A4E-807375F53328")

  var onPaired: ((Data) -> Void)?
  private let central = CBCentralManager(delegate: nil, queue: nil)
  private var accessory: CBPeripheral?
  private var data: Data?

  override init() {
    super.init()
    central.delegate = self
  }

  private func fail(_ what: String, _ error: (any Error)?) {
    PhoneProbe.say(["event": "failed", "text": "\(what): \(error?.localizedDescription ?? "no reason")"])
    exit(1)
  }
}

extension Pairing: CBCentralManagerDelegate {
  func centralManagerDidUpdateState(_ central: CBCentralManager) {
    guard central.state == .poweredOn else { return }
    central.scanForPeripherals(withServices: [Self.channel], options: nil)
  }

  func centralManager(
    _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
    rssi RSSI: NSNumber
  ) {
    guard accessory == nil else { return }
    accessory = peripheral
    peripheral.delegate = self
    central.stopScan()
    central.connect(peripheral, options: nil)
  }

  func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
    peripheral.discoverServices([Self.service])
  }

  func centralManager(
    _ central: CBCentralManager, didFailToConnect peripheral: CBPeripheral, error: (any Error)?
  ) { fail("connect", error) }

  func centralManager(
    _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, error: (any Error)?
  ) {
    guard let data else { return fail("lost", error) }
    onPaired?(data)
  }
}

extension Pairing: CBPeripheralDelegate {
  func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
    guard let service = peripheral.services?.first else { return fail("services", error) }
    peripheral.discoverCharacteristics([Self.configuration], for: service)
  }

  func peripheral(
    _ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService, error: (any Error)?
  ) {
    guard let characteristic = service.characteristics?.first else { return fail("characteristics", error) }
    peripheral.readValue(for: characteristic)
  }

  func peripheral(
    _ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic, error: (any Error)?
  ) {
    guard let value = characteristic.value, error == nil else { return fail("read", error) }
    data = value
    central.cancelPeripheralConnection(peripheral)
  }
}
