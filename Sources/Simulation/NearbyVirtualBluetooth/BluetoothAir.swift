import NearbyBluetooth
import NearbySchedule

/// The air that simulated devices' Bluetooth LE radios share, and each device's own side of it: advertising, scanning,
/// connections, GATT servers and clients, pairing.
///
/// Apps see Bluetooth through callbacks whose order and timing depend on both ends of a link and on lost packets.
/// Simulating every device in one machine with one clock gives those callbacks the same order in every run.
///
/// **Input:** what apps ask (`perform` with a `BluetoothCommand`), what happens to devices (switched off, out of the
/// foreground, permission given, process ended), and the time (`advance`). A time before the last one counts as the last
/// one.
///
/// **Output:** actions (`takeActions`), each an event for one user of a device's Bluetooth or a question for the person;
/// and `nextEventTime`, when `advance` next has something to do. A `BluetoothMedium` says whether a packet arrives and
/// how strong it is.
///
/// **States:** an `AirDevice` is a radio with its permission, its bonds and its attribute table. Each app's manager is
/// an `AirClient` of a device, which outlives its process if it has a name to be restored by. What a client advertises is
/// an `AdvertisingSet`. An `AirLink` is a connection; either side can be gone before the other knows. An advertisement
/// goes to each device in `listeners` whose scanner is on the right channel at that moment; a device that waits to
/// connect answers the first one it receives, and the link begins. Requests go one at a time; the answer comes in the next
/// connection event.
///
/// **Invariants:** the same input gives the same output. Events of one time happen in the order in which they were
/// scheduled, and a random number depends on the seed, the devices' identities and the time alone, so another device
/// changes none. While no device listens, no advertisement is scheduled. An event of an earlier set or connection
/// interval has an old epoch and is ignored.
///
/// `Docs/bluetooth-air.md` says what is modelled and where each figure comes from.
package struct BluetoothAir: Sendable {
  package enum Action: Sendable {
    case tell(BluetoothUser, BluetoothEvent, device: Int)
    /// The app of a device used Bluetooth for the first time: answer with `setAuthorization`.
    case askPermission(device: Int)
  }

  let seed: UInt64
  /// Nanoseconds.
  var time: Int64 = 0
  var devices: [AirDevice] = []
  var clients: [Int: AirClient] = [:]
  var clientOfUser: [BluetoothUser: Int] = [:]
  var links: [Int: AirLink] = [:]
  /// Of the links; an event of an earlier one is stale.
  var linkEpochs: [Int: (epoch: Int, next: Int64)] = [:]
  var sets: [Int: AdvertisingSet] = [:]
  /// By nanoseconds since start.
  var queue = EventHeap<Int64, PacketEvent>()
  /// Devices that listen for advertisements, ascending.
  var listeners: [Int] = []
  /// Of each device, whether a set's scan response was heard since it scans: by device and set.
  var answered: [Int: [Int: Int]] = [:]
  var openRequests: [BluetoothRequestID: OpenRequest] = [:]
  var actions: [Action] = []
  private var made = 0

  /// A request that a server's program has to answer.
  struct OpenRequest: Sendable {
    let link: Int
    let client: Int
  }

  package init(seed: UInt64) { self.seed = seed }

  mutating func makeNumber() -> Int {
    made += 1
    return made
  }

  // MARK: Entering

  /// Adds a device whose app nobody has asked yet.
  ///
  /// - Parameters:
  ///   - identity: What its random numbers are drawn from beside the seed; distinct, and stable over runs.
  ///   - name: What it calls itself.
  /// - Returns: Its index, the number of devices before it.
  package mutating func addDevice(
    identity: UInt64, name: String?, authorization: BluetoothAuthorization = .notDetermined
  ) -> Int {
    devices.append(AirDevice(identity: identity, name: name, authorization: authorization))
    return devices.count - 1
  }

  /// Adds a beacon: a device that advertises and does nothing else.
  ///
  /// - Returns: Its index; `nil` for an advertisement that is too long.
  package mutating func addBeacon(
    identity: UInt64, _ advertising: BluetoothAdvertising, at now: Duration
  ) -> Int? {
    guard let content = AdvertisingContent(advertising.advertisement) else { return nil }
    time = max(time, AirTime.nanoseconds(now))
    let device = addDevice(identity: identity, name: nil, authorization: .allowedAlways)
    start(content, advertising.interval, device: device, client: nil)
    return device
  }

  // MARK: Time

  /// When something happens next, if nothing is asked until then.
  package var nextEventTime: Duration? { queue.first.map { .nanoseconds($0.time) } }

  package mutating func advance(to end: Duration, medium: inout some BluetoothMedium) {
    let end = AirTime.nanoseconds(end)
    while let first = queue.first, first.time <= end, let next = queue.removeFirst() {
      time = max(time, next.time)
      let event = next.event
      switch event.kind {
      case .advertise: advertise(event.subject, epoch: event.epoch, medium: &medium)
      case .connection: connectionEvent(event.subject, epoch: event.epoch, medium: &medium)
      }
    }
    time = max(time, end)
  }

  /// Moves out what is to be done, in order.
  package mutating func takeActions() -> [Action] {
    defer { actions = [] }
    return actions
  }

  package var hasActions: Bool { !actions.isEmpty }

  // MARK: Telling

  /// Tells a user something, or keeps it for when its app runs again.
  mutating func tell(_ client: Int, _ event: BluetoothEvent) {
    guard let it = clients[client] else { return }
    if let user = it.user, isRunning(client) {
      actions.append(.tell(user, event, device: it.device))
    } else if !event.isPassing, it.held.count < Self.heldLimit {
      clients[client]?.held.append(event)
    }
  }

  /// Events kept for an app that does not run; later ones are dropped. A choice: a bound on a peer's notifications.
  private static let heldLimit = 1000

  /// Whether a user's app runs now, in front or because it may in the background.
  func isRunning(_ client: Int) -> Bool {
    guard let it = clients[client], it.user != nil else { return false }
    let device = devices[it.device]
    return it.isSystem || device.isInForeground
      || device.modes.contains(it.isCentral ? .central : .peripheral)
  }

  mutating func release(held client: Int) {
    guard isRunning(client), let held = clients[client]?.held, !held.isEmpty else { return }
    clients[client]?.held = []
    for event in held { tell(client, event) }
  }

  // MARK: Who is who

  /// Names `other` to `device`, which knows it from now on.
  mutating func peer(_ other: Int, of device: Int) -> BluetoothPeer {
    var noise = SplitMix64(keys: seed, devices[device].identity, devices[other].identity, 0x5045_4552)
    // As random UUIDs are: version 4 of RFC 9562.
    let high = noise.next() & ~0xF000 | 0x4000
    let low = noise.next() & ~(3 << 62) | 2 << 62
    let peer = BluetoothPeer(high: high, low: low)
    devices[device].known[peer] = other
    return peer
  }

  func device(of peer: BluetoothPeer, for device: Int) -> Int? { devices[device].known[peer] }
}

extension BluetoothEvent {
  /// Means nothing to who hears it later.
  var isPassing: Bool {
    switch self {
    case .sighted, .readyToUpdate, .readyToWrite, .rssi: true
    case .state, .restored, .connected, .notConnected, .disconnected, .discovered, .read, .notified, .wrote,
      .notifying, .servicesChanged, .nameChanged, .added, .advertising, .subscribed, .unsubscribed,
      .readRequest, .writeRequest, .centralGone:
      false
    }
  }
}
