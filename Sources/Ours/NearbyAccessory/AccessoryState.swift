import Dispatch
import Foundation
import NearbyBluetooth
import NearbyDevice
import NearbyDeviceMachine

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
  /// Octets of one notification for those that subscribed and have not proved who they are yet.
  var subscribers: [BluetoothPeer: Int] = [:]
  /// More than Bluetooth has links for.
  private static let longestGallery = 64
  var handler: AccessoryHandler?
  var streams: [AsyncStream<Accessory.Event>.Continuation] = []
  var readingStreams: [AsyncStream<AccessoryReading>.Continuation] = []
  private var phonesSeen = 0
  /// Of phones that are or were there, as many as Bluetooth may link at once and again.
  private var identifiers: [PhoneAtAccessory: UUID] = [:]
  private static let longestMemory = 128
  /// What the program said last about new phones; `nil` before it said anything.
  var acceptsPairing: Bool?

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
      subscribers = [:]
    }
    return (user, phones)
  }

  mutating func add(_ link: LinkedPhone.Link, isAuthorized: Bool) -> PhoneAtAccessory {
    phonesSeen += 1
    let phone = PhoneAtAccessory(number: phonesSeen)
    phones[phone] = LinkedPhone(link: link, isAuthorized: isAuthorized)
    if case .bluetooth(let peer) = link { identifiers[phone] = peer.uuid }
    identifiers[PhoneAtAccessory(number: phonesSeen - Self.longestMemory)] = nil
    return phone
  }

  mutating func remember(subscriber peer: BluetoothPeer, maximumUpdate: Int) {
    if subscribers.count < Self.longestGallery { subscribers[peer] = maximumUpdate }
  }

  func identifier(of phone: PhoneAtAccessory) -> UUID? { identifiers[phone] }
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
  /// Whether it proved to be one that may have something done, or the program said so.
  var isAuthorized: Bool
  /// Whether nothing of it reaches the machine.
  var isRefused = false
  /// Over Bluetooth: octets of one notification; `nil` before the phone asked for them.
  var maximumUpdate: Int?
  /// Messages that wait for the phone or for Bluetooth to take them.
  var outbox: [[UInt8]] = []
}
