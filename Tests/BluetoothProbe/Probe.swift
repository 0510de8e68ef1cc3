import Dispatch
import Foundation
import NearbyBlueZ
import NearbyBluetooth
import NearbyLive

/// One process's Bluetooth, with one user.
struct Probe {
  static let service = uuid("6E400001-B5A3-F393-E0A9-E50E24DCCA9E")
  static let writable = uuid("6E400002-B5A3-F393-E0A9-E50E24DCCA9E")
  static let notifying = uuid("6E400003-B5A3-F393-E0A9-E50E24DCCA9E")
  static let secret = uuid("95E8D9D5-D8EF-4721-9A4E-807375F53328")
  static let open = uuid("48FE3E41-0817-4BB2-8633-3073689C2DBA")
  static let beacon = "E2C56DB5-DFFB-48D2-B060-D0F5A71096E0"

  let bluetooth: LiveBluetooth
  let heard: Heard
  let user: BluetoothUser

  init(isLoud: Bool = true) {
    let environment = ProcessInfo.processInfo.environment
    bluetooth = LiveBluetooth(
      BluetoothSettings(environment: environment, home: FileManager.default.temporaryDirectory))
    let queue = DispatchQueue(label: "probe")
    heard = Heard(isLoud: isLoud)
    let start = ContinuousClock.now
    user = bluetooth.makeUser(
      heard, now: { ContinuousClock.now - start }, deliver: { queue.async(execute: $0) })
  }

  static func uuid(_ text: String) -> BluetoothUUID {
    guard let uuid = BluetoothUUID(text) else { preconditionFailure("no UUID: \(text)") }
    return uuid
  }

  static func say(_ text: String) {
    FileHandle.standardOutput.write(Data((text + "\n").utf8))
  }

  func perform(_ command: BluetoothCommand) { bluetooth.perform(command, of: user) }

  func waitForPower() throws {
    try heard.wait(for: "poweredOn") { event in
      if case .state(.poweredOn) = event { () } else { nil }
    }
  }

  /// The manufacturer data of an iBeacon.
  static func beaconOctets(major: UInt16, minor: UInt16, power: Int8) -> [UInt8] {
    [0x02, 0x15] + uuid(beacon).octets
      + [UInt8(major >> 8), UInt8(major & 255), UInt8(minor >> 8), UInt8(minor & 255)]
      + [UInt8(bitPattern: power)]
  }
}

struct Failed: Error, CustomStringConvertible {
  var description: String
  init(_ description: String) { self.description = description }
}

func check(_ condition: Bool, _ what: @autoclosure () -> String) throws {
  guard condition else { throw Failed(what()) }
}
