import MultipeerConnectivity
import NearbyInteraction

/// The decisions of `PeerFinder`: which peers to invite, when to range, and when to start again.
///
/// Several peers appear, connect, drop out and return at any time, and the network and the NI sessions fail
/// independently of each other. This machine keeps one `Entry` for each peer and derives from it what to do
/// next. It has no clock, queue or session: network events, session events and elapsed delays (`retried`) go
/// in, and each call returns the actions to perform, in order.
///
/// A peer is found or invites this device, is invited (`isInvited`), connects (`isConnected`), gets a session
/// (`hasSession`), sends its token and is measured (`isRanging`). When its connection breaks, the next
/// invitation waits for a delay that doubles each time, and ranging continues meanwhile, because radio and
/// network fail separately. When its session ends without a measurement `patience` times in a row, the peer
/// is given up until it reconnects.
///
/// What always holds:
/// - No invitation is sent or accepted while connected and invited peers take up all `limit` places, except
///   from a peer that already has one of them.
/// - An event of a known peer removes its entry if the peer is then neither found, connected, invited nor
///   ranged with, and its token is unknown.
/// - After a final status (`isFinal`) there are no entries.
struct PeersMachine: Sendable {
  enum Action: Sendable {
    case invite(MCPeerID)
    /// Calls `retried` after a delay.
    case retry(MCPeerID, after: Duration)
    /// Creates a session for the peer, in place of any previous one; its token is sent once connected.
    case begin(MCPeerID)
    case share(MCPeerID)
    case run(MCPeerID, with: NIDiscoveryToken)
    case end(MCPeerID)
    /// Ranging is impossible; the search ends.
    case giveUp
    case show
  }

  fileprivate struct Entry: Sendable {
    var peer: NearbyPeer
    var isFound = false
    /// An invitation is pending, in either direction.
    var isInvited = false
    /// The next invitation waits for its delay to pass.
    var isWaiting = false
    var isConnected = false
    var isRanging = false
    var hasSession = false
    var token: NIDiscoveryToken?
    var delay = firstDelay
    /// How often in a row a session ended without a measurement.
    var failures = 0
  }

  static let firstDelay = Duration.seconds(1)
  static let longestDelay = Duration.seconds(8)
  /// How often in a row a peer's sessions may end without a measurement before the peer is given up.
  static let patience = 3

  private(set) var status = PeerFinder.Status.searching
  private let limit: Int
  /// Identifies this device, so that its retry delays differ from those of others.
  private let seed: String
  private let keepsLost: Bool
  private var entries: [Entry] = []

  init(limit: Int, seed: String, keepsLost: Bool = false) {
    self.limit = limit
    self.seed = seed
    self.keepsLost = keepsLost
  }

  /// Connected peers, and others whose session continues to range, in the order they were first seen.
  var peers: [NearbyPeer] {
    entries.filter { $0.isConnected || $0.hasSession && $0.token != nil }.map(\.peer)
  }

  private var connected: Int { entries.count { $0.isConnected } }
  /// The number of places that are taken or soon may be.
  private var taken: Int { entries.count { $0.isConnected || $0.isInvited } }
  private var isOver: Bool { status.isFinal }

  private mutating func with(_ id: MCPeerID, _ body: (inout Entry) -> [Action]) -> [Action] {
    guard !isOver else { return [] }
    if let index = entries.firstIndex(where: { $0.peer.id == id }) {
      let actions = body(&entries[index])
      let entry = entries[index]
      if !entry.isFound, !entry.isConnected, !entry.isInvited, !entry.isRanging, entry.token == nil {
        entries.remove(at: index)
        return actions + (entry.hasSession ? [.end(id), .show] : [])
      }
      return actions
    }
    var entry = Entry(peer: NearbyPeer(id))
    let actions = body(&entry)
    entries.append(entry)
    return actions
  }

  /// Ends the search with a final status.
  mutating func finish(as status: PeerFinder.Status) {
    self.status = status
    entries = []
  }

  // MARK: The network

  mutating func found(_ id: MCPeerID) -> [Action] {
    let actions = with(id) { entry in
      entry.isFound = true
      return []
    }
    return actions + inviteMore()
  }

  /// Invites peers that are not waiting for anything, while there are places left.
  private mutating func inviteMore() -> [Action] {
    guard !isOver else { return [] }
    var actions: [Action] = []
    for index in entries.indices where taken < limit {
      let entry = entries[index]
      guard entry.isFound, !entry.isConnected, !entry.isInvited, !entry.isWaiting else { continue }
      entries[index].isInvited = true
      actions.append(.invite(entry.peer.id))
    }
    return actions
  }

  mutating func lost(_ id: MCPeerID) -> [Action] {
    with(id) { entry in
      entry.isFound = false
      return []
    }
  }

  /// Returns whether to accept an invitation, and reserves a place if so.
  mutating func welcomes(_ id: MCPeerID) -> Bool {
    guard !isOver else { return false }
    let isKnown = entries.contains { $0.peer.id == id && ($0.isConnected || $0.isInvited) }
    guard isKnown || taken < limit else { return false }
    if let index = entries.firstIndex(where: { $0.peer.id == id }) {
      entries[index].isInvited = true
    } else {
      var entry = Entry(peer: NearbyPeer(id))
      entry.isInvited = true
      entries.append(entry)
    }
    return true
  }

  mutating func connected(_ id: MCPeerID) -> [Action] {
    if status == .noNetwork { status = .searching }
    return makeRoom(for: id)
      + with(id) { entry in
        entry.isConnected = true
        entry.isInvited = false
        entry.isWaiting = false
        entry.delay = Self.firstDelay
        if !entry.isRanging { entry.peer.state = .meeting }
        if entry.hasSession { return [.share(id), .show] }
        entry.hasSession = true
        return [.begin(id), .share(id), .show]
      }
  }

  /// Ends sessions with lost, disconnected peers, oldest first, to stay within the limit of sessions.
  private mutating func makeRoom(for id: MCPeerID) -> [Action] {
    var actions: [Action] = []
    while entries.count(where: { $0.hasSession && $0.peer.id != id }) >= limit,
      let index = entries.firstIndex(where: {
        $0.hasSession && $0.peer.id != id && !$0.isConnected && !$0.isRanging
      })
    {
      entries[index].token = nil
      entries[index].hasSession = false
      actions.append(.end(entries[index].peer.id))
      if !entries[index].isFound, !entries[index].isInvited { entries.remove(at: index) }
    }
    return actions
  }

  mutating func disconnected(_ id: MCPeerID) -> [Action] {
    let seed = seed
    let actions = with(id) { entry in
      entry.isConnected = false
      entry.isInvited = false
      entry.isWaiting = true
      let delay = entry.delay
      entry.delay = min(delay * 2, Self.longestDelay)
      if !entry.isRanging { entry.peer.state = .lost }
      return [.retry(id, after: Self.spread(delay, id, seed)), .show]
    }
    return actions + inviteMore()
  }

  /// Three devices that decline each other in a circle must not retry at the same time, so each pair has its
  /// own delay, from half to one and a half times the given one.
  private static func spread(_ delay: Duration, _ id: MCPeerID, _ seed: String) -> Duration {
    let mixed = (seed + "\(id)\(delay)").utf8.reduce(UInt32(0x811C_9DC5)) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
    return delay / 2 + delay * Double(mixed % 1000) / 1000
  }

  mutating func retried(_ id: MCPeerID) -> [Action] {
    guard let index = entries.firstIndex(where: { $0.peer.id == id }) else { return [] }
    entries[index].isWaiting = false
    return inviteMore()
  }

  mutating func networkFailed() -> [Action] {
    guard !isOver, connected == 0 else { return [] }
    status = .noNetwork
    return [.show]
  }

  mutating func received(_ token: NIDiscoveryToken, from id: MCPeerID) -> [Action] {
    with(id) { entry in
      // After a reconnection the peer may send the token that is already being ranged with.
      guard token != entry.token || !entry.isRanging, entry.hasSession else { return [] }
      entry.token = token
      entry.isRanging = false
      return [.run(id, with: token)]
    }
  }

  // MARK: Sessions

  mutating func updated(_ id: MCPeerID, _ object: NINearbyObject) -> [Action] {
    if status == .suspended { status = .searching }
    return with(id) { entry in
      guard object.discoveryToken == entry.token else { return [] }
      entry.isRanging = true
      entry.failures = 0
      entry.peer.state = .ranging
      entry.peer.distance = object.distance
      entry.peer.direction = object.direction
      entry.peer.horizontalAngle = object.horizontalAngle
      entry.peer.verticalDirectionEstimate = object.verticalDirectionEstimate
      return [.show]
    }
  }

  mutating func removed(_ id: MCPeerID, _ reason: NINearbyObject.RemovalReason) -> [Action] {
    let keepsLost = keepsLost
    return with(id) { entry in
      entry.forget()
      switch reason {
      case .timeout:
        if !entry.isConnected, !entry.isFound, !keepsLost { entry.token = nil }
        return [.show] + (entry.token.map { [.run(id, with: $0)] } ?? [])
      case .peerEnded:
        // The peer sends a new token when it is back.
        entry.token = nil
        if entry.isConnected { entry.peer.state = .meeting }
        return [.begin(id), .share(id), .show]
      }
    }
  }

  mutating func suspended() -> [Action] {
    guard !isOver else { return [] }
    status = .suspended
    for index in entries.indices { entries[index].forget() }
    return [.show]
  }

  mutating func suspensionEnded(_ id: MCPeerID) -> [Action] {
    if status == .suspended { status = .searching }
    return with(id) { entry in
      if entry.isConnected { entry.peer.state = .meeting }
      return [.show] + (entry.token.map { [.run(id, with: $0)] } ?? [])
    }
  }

  mutating func invalidated(_ id: MCPeerID, _ error: NIError) -> [Action] {
    switch error.code {
    case .userDidNotAllow: status = .refused
    case .unsupportedPlatform: status = .unsupported
    case .invalidConfiguration, .sessionFailed, .resourceUsageTimeout, .activeSessionsLimitExceeded,
      .invalidARConfiguration, .accessoryPeerDeviceUnavailable, .incompatiblePeerDevice,
      .activeExtendedDistanceSessionsLimitExceeded:
      return with(id) { entry in
        entry.forget()
        entry.failures += 1
        if entry.isConnected { entry.peer.state = .meeting }
        guard entry.failures < Self.patience else {
          entry.token = nil
          entry.hasSession = false
          entry.peer.state = .failed(error)
          return [.end(id), .show]
        }
        return [.begin(id), .share(id), .show] + (entry.token.map { [.run(id, with: $0)] } ?? [])
      }
    }
    entries = []
    return [.giveUp, .show]
  }
}

extension PeersMachine.Entry {
  /// Discards the last measurement.
  fileprivate mutating func forget() {
    isRanging = false
    peer.state = .lost
    peer.distance = nil
    peer.direction = nil
    peer.horizontalAngle = nil
    peer.verticalDirectionEstimate = .unknown
  }
}
