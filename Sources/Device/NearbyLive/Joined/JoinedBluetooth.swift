import NearbyBluetooth
import NearbyDevice
import NearbyWorldProtocol
import Synchronization

/// The Bluetooth of a device in a joined world. The world has the radio, the links and the keys; this class has the
/// users and the flow control.
final class JoinedBluetooth: BluetoothSide {
  private struct User: Sendable {
    let sink: any BluetoothSink
    let role: BluetoothRole
    var updates = JoinedUpdates()
    var writes: [BluetoothPeer: JoinedWrites] = [:]
    /// Whether the user was made again after a lost connection.
    var isAgain = false
  }

  private struct State: Sendable {
    /// Set before the first user is made.
    var turns: LiveTurns?
    var users: [UInt32: User] = [:]
    var made: UInt32 = 0
    var state = BluetoothState.unknown
    var authorization = BluetoothAuthorization.notDetermined
    var peers: [BluetoothPeer: (state: BluetoothPeerState, services: [BluetoothUUID])] = [:]
  }

  private let state = Mutex(State())
  private let send: @Sendable (DeviceBluetoothMessage) -> Void

  init(send: @escaping @Sendable (DeviceBluetoothMessage) -> Void) { self.send = send }

  private static func number(_ user: BluetoothUser) -> UInt32 { UInt32(truncatingIfNeeded: user.number) }

  // MARK: Requests of apps

  /// Sets the device whose thread events are delivered on.
  func attach(_ turns: LiveTurns) { state.withLock { $0.turns = turns } }

  func makeUser(_ sink: any BluetoothSink, role: BluetoothRole) -> BluetoothUser {
    let number = state.withLock { state in
      state.made += 1
      state.users[state.made] = User(sink: sink, role: role)
      return state.made
    }
    send(.made(user: number, role))
    return BluetoothUser(number: Int(number))
  }

  func release(_ user: BluetoothUser) {
    let number = Self.number(user)
    let gone = state.withLock { $0.users.removeValue(forKey: number) }
    if gone != nil { send(.released(user: number)) }
  }

  func perform(_ command: BluetoothCommand, of user: BluetoothUser) {
    let number = Self.number(user)
    if case .write(let peer, _, _, withResponse: false) = command {
      state.withLock { $0.users[number]?.writes[peer, default: JoinedWrites()].sent() }
    }
    send(.command(user: number, command))
  }

  func update(
    _ attribute: AttributeID, _ value: [UInt8], centrals: [BluetoothPeer]?, of user: BluetoothUser
  ) -> Bool {
    let number = Self.number(user)
    let update = JoinedUpdates.Update(attribute: attribute, value: value, centrals: centrals)
    let (isTaken, next) = state.withLock { $0.users[number]?.updates.add(update) ?? (true, nil) }
    if let next { sendUpdate(next, number) }
    return isTaken
  }

  private func sendUpdate(_ update: JoinedUpdates.Update, _ number: UInt32) {
    send(.update(user: number, update.attribute, update.value, centrals: update.centrals))
  }

  func canWrite(to peer: BluetoothPeer, of user: BluetoothUser) -> Bool {
    let number = Self.number(user)
    return state.withLock { state in
      guard state.peers[peer]?.state.isConnected == true else { return false }
      return state.users[number]?.writes[peer, default: JoinedWrites()].ask() ?? false
    }
  }

  var currentState: BluetoothState { state.withLock { $0.state } }
  var supportsSounding: Bool { true }
  var currentAuthorization: BluetoothAuthorization { state.withLock { $0.authorization } }
  func peerState(_ peer: BluetoothPeer) -> BluetoothPeerState? { state.withLock { $0.peers[peer]?.state } }

  func connectedPeers(with services: [BluetoothUUID]) -> [BluetoothPeer] {
    state.withLock { state in
      state.peers.filter {
        $0.value.state.isConnected && $0.value.services.contains(where: services.contains)
      }
      .keys.sorted()
    }
  }

  // MARK: Messages of the world

  func received(_ message: WorldBluetoothMessage) {
    switch message {
    case .status(let new, let authorization):
      state.withLock { ($0.state, $0.authorization) = (new, authorization) }
    case .peer(let peer, let peerState, let services):
      state.withLock { $0.peers[peer] = (peerState, services) }
    case .event(let number, let event): received(event, number)
    case .taken(let number, let isTaken):
      let (next, isReady) = state.withLock { $0.users[number]?.updates.answered(isTaken) ?? (nil, false) }
      if let next { sendUpdate(next, number) }
      if isReady { deliver(.readyToUpdate, number) }
    case .wrote(let number, let peer, let hasRoom):
      let isReady = state.withLock { $0.users[number]?.writes[peer]?.answered(hasRoom: hasRoom) ?? false }
      if isReady { deliver(.readyToWrite(peer), number) }
    }
  }

  private func received(_ event: BluetoothEvent, _ number: UInt32) {
    switch event {
    case .readyToUpdate:
      if let next = state.withLock({ $0.users[number]?.updates.roomAgain() }) { sendUpdate(next, number) }
    case .readyToWrite(let peer):
      let isReady = state.withLock { $0.users[number]?.writes[peer]?.roomAgain() ?? false }
      if isReady { deliver(event, number) }
    case .restored(let restoration) where state.withLock({ $0.users[number]?.isAgain == true }):
      abandon(restoration, number)
    case .disconnected(let peer, _):
      state.withLock { $0.users[number]?.writes[peer] = nil }
      deliver(event, number)
    case .state, .restored, .sighted, .connected, .notConnected, .discovered, .read, .notified, .wrote,
      .notifying, .rssi, .servicesChanged, .nameChanged, .added, .advertising, .subscribed, .unsubscribed,
      .readRequest, .writeRequest, .centralGone, .sounded, .soundingEnded, .paired:
      deliver(event, number)
    }
  }

  private func deliver(_ event: BluetoothEvent, _ number: UInt32) {
    let (turns, sink) = state.withLock { ($0.turns, $0.users[number]?.sink) }
    if let sink { turns?.deliver { sink.received(event) } }
  }

  /// Releases what the world restored for a user whose app was already notified of its loss.
  private func abandon(_ restoration: BluetoothRestoration, _ number: UInt32) {
    for peer in restoration.connected + restoration.connecting {
      send(.command(user: number, .disconnect(peer)))
    }
    for command in [BluetoothCommand.stopScan, .stopAdvertising, .removeAll] {
      send(.command(user: number, command))
    }
  }

  // MARK: The connection

  /// The connection was lost: users see their Bluetooth resetting.
  func interrupted() {
    let numbers = state.withLock { state in
      state.state = .resetting
      state.peers = [:]
      for number in state.users.keys {
        state.users[number]?.updates = JoinedUpdates()
        state.users[number]?.writes = [:]
        state.users[number]?.isAgain = true
      }
      return state.users.keys.sorted()
    }
    for number in numbers { deliver(.state(.resetting), number) }
  }

  func restored() {
    let users = state.withLock { state in
      state.users.sorted { $0.key < $1.key }.map { ($0.key, $0.value.role) }
    }
    for (number, role) in users { send(.made(user: number, role)) }
  }
}

/// A queue of updates to a world. One is sent at a time, so that the order is preserved if one is refused.
struct JoinedUpdates: Sendable {
  struct Update: Sendable {
    let attribute: AttributeID
    let value: [UInt8]
    let centrals: [BluetoothPeer]?
  }

  /// The maximum number of queued updates.
  private static let limit = 10
  private var queue: [Update] = []
  private var isSent = false
  private var isRefused = false
  private var appWaits = false

  /// - Returns: Whether the update was queued, and the update to send now.
  mutating func add(_ update: Update) -> (Bool, Update?) {
    guard queue.count < Self.limit else {
      appWaits = true
      return (false, nil)
    }
    queue.append(update)
    return (true, next())
  }

  private mutating func next() -> Update? {
    guard !isSent, !isRefused, let first = queue.first else { return nil }
    isSent = true
    return first
  }

  /// - Returns: The update to send now, and whether the app may retry.
  mutating func answered(_ isTaken: Bool) -> (Update?, Bool) {
    guard isSent else { return (nil, false) }
    isSent = false
    guard isTaken else {
      isRefused = true
      return (nil, false)
    }
    queue.removeFirst()
    defer { appWaits = false }
    return (next(), appWaits)
  }

  mutating func roomAgain() -> Update? {
    isRefused = false
    return next()
  }
}

/// Counts the unacknowledged writes without response to one peer.
struct JoinedWrites: Sendable {
  private static let limit = 8
  private var onTheirWay = 0
  private var hasRoom = true
  private var appWaits = false

  private var isOpen: Bool { hasRoom && onTheirWay < Self.limit }

  mutating func sent() { onTheirWay += 1 }

  mutating func ask() -> Bool {
    if !isOpen { appWaits = true }
    return isOpen
  }

  /// - Returns: Whether the app may retry.
  mutating func answered(hasRoom: Bool) -> Bool {
    onTheirWay = max(0, onTheirWay - 1)
    self.hasRoom = hasRoom
    return isReady()
  }

  mutating func roomAgain() -> Bool {
    hasRoom = true
    return isReady()
  }

  private mutating func isReady() -> Bool {
    guard isOpen, appWaits else { return false }
    appWaits = false
    return true
  }
}
