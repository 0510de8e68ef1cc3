import Dispatch
import Foundation
import NearbyBluetooth
import NearbyRuntime

/// What of an accessory changes, under its lock.
struct AccessoryState: Sendable {
  var isRunning = false
  var user: BluetoothUser?
  /// What came before the user was known: it is made on the program's thread, and events come on the device's.
  private var early: [BluetoothEvent] = []
  /// What the Nearby Interaction service holds.
  var configuration: [UInt8]?
  var phones: [PhoneAtAccessory: LinkedPhone] = [:]
  var phoneOfPeer: [BluetoothPeer: PhoneAtAccessory] = [:]
  var handler: AccessoryHandler?
  var streams: [AsyncStream<Accessory.Event>.Continuation] = []
  var readingStreams: [AsyncStream<AccessoryReading>.Continuation] = []
  private var phonesSeen = 0

  /// - Returns: Whether it did not run before.
  mutating func begin() -> Bool {
    defer { isRunning = true }
    return !isRunning
  }

  /// What is to be heard now, in its order; without a user nothing is.
  mutating func hear(_ event: BluetoothEvent?) -> (user: BluetoothUser, events: [BluetoothEvent])? {
    if let event, isRunning { early.append(event) }
    guard let user else { return nil }
    defer { early = [] }
    return (user, early)
  }

  /// - Returns: What is to be let go; `nil` where it did not run.
  mutating func end() -> (BluetoothUser?, [AccessoryPhone])? {
    guard isRunning else { return nil }
    isRunning = false
    let phones = phones.keys.sorted().map(AccessoryPhone.init(phone:))
    defer {
      user = nil
      early = []
      configuration = nil
      self.phones = [:]
      phoneOfPeer = [:]
    }
    return (user, phones)
  }

  mutating func add(_ link: LinkedPhone.Link) -> PhoneAtAccessory {
    phonesSeen += 1
    let phone = PhoneAtAccessory(number: phonesSeen)
    phones[phone] = LinkedPhone(link: link)
    return phone
  }
}

/// How a phone is reached.
struct LinkedPhone: Sendable {
  enum Link: Sendable {
    case bluetooth(BluetoothPeer)
    case program(ProgramLink)
  }

  struct ProgramLink: Sendable {
    let queue: DispatchQueue?
    let body: @Sendable (Data) -> Void
  }

  let link: Link
  /// Over Bluetooth: octets of one notification; `nil` before the phone asked for them.
  var maximumUpdate: Int?
  /// Messages that wait for the phone or for Bluetooth to take them.
  var outbox: [[UInt8]] = []
}
