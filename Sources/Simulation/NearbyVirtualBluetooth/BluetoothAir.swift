import NearbyBluetooth
import NearbySchedule

/// The Bluetooth LE radios of all simulated devices and the air that they share: advertising, scanning,
/// connections, GATT servers and clients, and pairing.
///
/// Apps see Bluetooth through callbacks whose order and timing depend on both ends of a link and on lost
/// packets. Simulating every device in one machine with one clock makes those callbacks the same in every
/// run.
///
/// **Inputs.** Requests from apps (`perform` with a `BluetoothCommand`, `update`, `makeUser`, `release`);
/// changes to devices, such as power, permission, foreground and the end of a process; and the time
/// (`advance`). A time before the last one counts as the last one. A `BluetoothMedium` decides whether a
/// packet arrives and how strong it is.
///
/// **Outputs.** Actions (`takeActions`), each an event for one user of a device's Bluetooth or a question
/// for the person; and `nextEventTime`, when `advance` next has something to do.
///
/// **States.** An `AirDevice` is a radio with its permission, bonds and attribute table. Each app's manager
/// is an `AirClient` of a device. It outlives its process if it has a restoration name. What a client or a
/// beacon advertises is an `AdvertisingSet`. An `AirLink` is a connection; one side may be gone before the
/// other learns of it.
///
/// **Flow.** An advertisement reaches those devices in `listeners` whose scanner is on the right channel at
/// that moment. A device that waits to connect answers the first one it receives, and the link begins. On
/// each link one request is in flight at a time, and its answer arrives in the next connection event at the
/// earliest.
///
/// **Invariants.**
/// - The same inputs give the same outputs. Events of the same time happen in the order in which they were
///   scheduled. A random number depends only on the seed, the devices' identities and the time, so adding a
///   device changes none of the others' numbers.
/// - While no device listens, no advertisement is scheduled.
/// - An event of an earlier advertising set or connection interval has an old epoch and is ignored.
///
/// `Docs/bluetooth-air.md` describes what is modelled and the source of each figure.
package struct BluetoothAir: Sendable {
  package enum Action: Sendable {
    case notify(BluetoothUser, BluetoothEvent, device: Int)
    /// The app of a device used Bluetooth for the first time. Answer with `setAuthorization`.
    case askPermission(device: Int)
  }

  let seed: UInt64
  /// Nanoseconds.
  var time: Int64 = 0
  var devices: [AirDevice] = []
  var clients: [Int: AirClient] = [:]
  var clientOfUser: [BluetoothUser: Int] = [:]
  var links: [Int: AirLink] = [:]
  /// Each link's current epoch and next event. An event of an earlier epoch is stale.
  var linkEpochs: [Int: (epoch: Int, next: Int64)] = [:]
  var sets: [Int: AdvertisingSet] = [:]
  /// The scheduled events, by time in nanoseconds since the start.
  var queue = EventHeap<Int64, PacketEvent>()
  /// The devices that listen for advertisements: those with an `interest`.
  var listeners = BluetoothReceivers()
  /// For each device, a number that changes with what it listens for.
  var interestVersions: [Int] = []
  /// For each device and each advertising set, the epoch whose scan response the device has received since
  /// its scan began.
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

  /// A number for a user, client, link, set or request that is never reused.
  mutating func makeNumber() -> Int {
    made += 1
    return made
  }

  // MARK: Adding devices

  /// Adds a device.
  ///
  /// - Parameters:
  ///   - identity: Seeds its random numbers together with the air's seed. Must be distinct, and the same in
  ///     every run.
  ///   - name: The name that the device gives to those that connect.
  ///   - authorization: Whether its app may use Bluetooth; by default the person has not been asked yet.
  /// - Returns: The device's index, which is the number of devices added before it.
  package mutating func addDevice(
    identity: UInt64, name: String?, authorization: BluetoothAuthorization = .notDetermined
  ) -> Int {
    devices.append(AirDevice(identity: identity, name: name, authorization: authorization))
    interestVersions.append(0)
    return devices.count - 1
  }

  /// Adds a beacon: a device that advertises and does nothing else.
  ///
  /// - Returns: The beacon's index; `nil` if the advertisement is too long.
  package mutating func addBeacon(
    identity: UInt64, _ advertising: BluetoothAdvertising, at now: Duration
  ) -> Int? {
    addBeacon(identity: identity, [advertising], at: now)
  }

  /// Adds a beacon that alternates between several advertisements.
  ///
  /// - Returns: The beacon's index; `nil` if an advertisement is too long.
  package mutating func addBeacon(
    identity: UInt64, _ advertising: [BluetoothAdvertising], at now: Duration
  ) -> Int? {
    let contents = advertising.compactMap { AdvertisingContent($0.advertisement) }
    guard contents.count == advertising.count else { return nil }
    time = max(time, AirTime.nanoseconds(now))
    let device = addDevice(identity: identity, name: nil, authorization: .allowedAlways)
    for (content, one) in zip(contents, advertising) {
      start(content, one.interval, device: device, client: nil)
    }
    return device
  }

  // MARK: Time

  /// When `advance` next has something to do, unless a request comes first.
  package var nextEventTime: Duration? { queue.first.map { .nanoseconds($0.time) } }

  /// Processes all events due up to `end`, in order of time.
  package mutating func advance(to end: Duration, medium: inout some BluetoothMedium) {
    let end = AirTime.nanoseconds(end)
    while let first = queue.first, first.time <= end, let next = queue.removeFirst() {
      time = max(time, next.time)
      let event = next.event
      switch event.kind {
      case .advertise: advertise(event.subject, epoch: event.epoch, medium: &medium)
      case .connection: connectionEvent(event.subject, epoch: event.epoch, medium: &medium)
      case .sounding: soundingEvent(event.subject, epoch: event.epoch, medium: &medium)
      }
    }
    time = max(time, end)
  }

  /// Returns and clears the pending actions, in order.
  package mutating func takeActions() -> [Action] {
    defer { actions = [] }
    return actions
  }

  package var hasActions: Bool { !actions.isEmpty }

  // MARK: Delivering events

  /// Enqueues an event for a user, or holds it until the user's app runs again.
  mutating func notify(_ client: Int, _ event: BluetoothEvent) {
    guard let it = clients[client] else { return }
    if let user = it.user, isRunning(client) {
      actions.append(.notify(user, event, device: it.device))
    } else if !event.isPassing, it.held.count < Self.heldLimit {
      clients[client]?.held.append(event)
    }
  }

  /// The limit on events held for an app that is not running; later ones are dropped. It bounds the
  /// notifications that a peer can accumulate. Our choice.
  private static let heldLimit = 1000

  /// Whether a user's app is running, either in the foreground or because it may run in the background.
  func isRunning(_ client: Int) -> Bool {
    guard let it = clients[client], it.user != nil else { return false }
    let device = devices[it.device]
    return it.isSystem || device.isInForeground
      || device.modes.contains(it.isCentral ? .central : .peripheral)
  }

  /// Delivers the events held for a client, if its app is running again.
  mutating func release(held client: Int) {
    guard isRunning(client), let held = clients[client]?.held, !held.isEmpty else { return }
    clients[client]?.held = []
    for event in held { notify(client, event) }
  }

  // MARK: Peer identifiers

  /// Returns the identifier by which `device` knows `other`, and records it.
  mutating func peer(_ other: Int, of device: Int) -> BluetoothPeer {
    var noise = SplitMix64(keys: seed, devices[device].identity, devices[other].identity, 0x5045_4552)
    // Formatted as a random UUID: version 4 of RFC 9562.
    let high = noise.next() & ~0xF000 | 0x4000
    let low = noise.next() & ~(3 << 62) | 2 << 62
    let peer = BluetoothPeer(high: high, low: low)
    devices[device].known[peer] = other
    return peer
  }

  func device(of peer: BluetoothPeer, for device: Int) -> Int? { devices[device].known[peer] }
}

extension BluetoothEvent {
  /// Whether the event is only meaningful at the time it happens, so that it is not held for a suspended
  /// app.
  var isPassing: Bool {
    switch self {
    case .sighted, .readyToUpdate, .readyToWrite, .rssi, .sounded: true
    case .state, .restored, .connected, .notConnected, .disconnected, .discovered, .read, .notified, .wrote,
      .notifying, .servicesChanged, .nameChanged, .added, .advertising, .subscribed, .unsubscribed,
      .readRequest, .writeRequest, .centralGone, .soundingEnded, .paired:
      false
    }
  }
}
