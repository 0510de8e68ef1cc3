import Dispatch
import Foundation
import NearbyBluetooth
import NearbyDevice
import NearbyDeviceMachine

/// The mutable part of an accessory, guarded by its lock.
struct AccessoryState: Sendable {
  var isRunning = false
  var user: BluetoothUser?
  /// Events that arrived on the device's thread before the program's thread had set `user`.
  private var early: [BluetoothEvent] = []
  /// The value of the Nearby Interaction service's configuration characteristic.
  var configuration: [UInt8]?
  var phones: [PhoneAtAccessory: LinkedPhone] = [:]
  var phoneOfPeer: [BluetoothPeer: PhoneAtAccessory] = [:]
  /// The longest notification in octets for each subscriber that has not yet proved its identity.
  var subscribers: [BluetoothPeer: Int] = [:]
  /// The most subscribers remembered; more than Bluetooth has links.
  private static let longestGallery = 64
  var handler: AccessoryHandler?
  var streams: [AsyncStream<Accessory.Event>.Continuation] = []
  var readingStreams: [AsyncStream<AccessoryReading>.Continuation] = []
  private var phonesSeen = 0
  /// The identifiers of phones over Bluetooth, present or gone, among the last `longestMemory` phones.
  private var identifiers: [PhoneAtAccessory: UUID] = [:]
  private static let longestMemory = 128
  /// The program's last decision about new phones; `nil` if it made none.
  var acceptsPairing: Bool?

  /// - Returns: Whether the accessory was not running before.
  mutating func begin() -> Bool {
    defer { isRunning = true }
    return !isRunning
  }

  /// Returns the events to handle now, in order. While there is no user it keeps the event and returns `nil`.
  mutating func hear(_ event: BluetoothEvent?) -> (user: BluetoothUser, events: [BluetoothEvent])? {
    if let event, isRunning { early.append(event) }
    guard let user else { return nil }
    defer { early = [] }
    return (user, early)
  }

  /// - Returns: The user to release and the phones to report as disconnected; `nil` if it was not running.
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

/// A connected phone and how to reach it.
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
  /// Whether the phone is authorized, by the profile or by the program.
  var isAuthorized: Bool
  /// Whether the phone's messages are withheld from the machine.
  var isRefused = false
  /// The longest notification in octets over Bluetooth; `nil` before the phone has subscribed.
  var maximumUpdate: Int?
  /// Messages waiting until the phone subscribes or Bluetooth accepts more.
  var outbox: [[UInt8]] = []
}
