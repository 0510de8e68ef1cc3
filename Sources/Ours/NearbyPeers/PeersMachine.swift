import MultipeerConnectivity
import NearbyInteraction

/// What `PeerFinder` does about what happens: whom it invites, when it ranges, when it begins anew.
struct PeersMachine: Sendable {
  enum Action: Sendable {
    case invite(MCPeerID)
    /// Calls `retried` after a time.
    case retry(MCPeerID, after: Duration)
    /// A new session for the peer, whose token is sent when connected. It takes the place of one before.
    case begin(MCPeerID)
    case share(MCPeerID)
    case run(MCPeerID, with: NIDiscoveryToken)
    case end(MCPeerID)
    /// Nothing more can be done; the search is over.
    case giveUp
    case show
  }

  fileprivate struct Entry: Sendable {
    var peer: NearbyPeer
    var isFound = false
    /// An invitation, ours or theirs, is under way.
    var isInvited = false
    /// The next invitation waits for its time.
    var isWaiting = false
    var isConnected = false
    var isRanging = false
    var hasSession = false
    var token: NIDiscoveryToken?
    var delay = firstDelay
    /// Ends in a row without a measurement.
    var failures = 0
  }

  static let firstDelay = Duration.seconds(1)
  static let longestDelay = Duration.seconds(8)
  /// Ends of one peer's sessions in a row, without a measurement between, after which it is given up.
  static let patience = 3

  private(set) var status = PeerFinder.Status.searching
  private let limit: Int
  /// Who this device is, to be unlike others.
  private let seed: String
  private let keepsLost: Bool
  private var entries: [Entry] = []

  init(limit: Int, seed: String, keepsLost: Bool = false) {
    self.limit = limit
    self.seed = seed
    self.keepsLost = keepsLost
  }

  /// Those that are connected or were measured, in the order in which they came.
  var peers: [NearbyPeer] {
    entries.filter { $0.isConnected || $0.hasSession && $0.token != nil }.map(\.peer)
  }

  private var connected: Int { entries.count { $0.isConnected } }
  /// How many places are taken, or may be soon.
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

  /// Nothing more happens.
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

  /// Invites those who wait for nothing, as long as there are places.
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

  /// Whether an invitation is accepted; then its place is taken.
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

  /// Gives up those who are lost and gone, oldest first, where a session more would be too many.
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

  /// Three who refuse each other in a circle must not try again at the same time: each pair has a delay of its
  /// own, a half to three halves.
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
      // After a reconnection it may be the one that is ranged with already.
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
        // The peer sends another token when it is back.
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
  /// What was measured counts no more.
  fileprivate mutating func forget() {
    isRanging = false
    peer.state = .lost
    peer.distance = nil
    peer.direction = nil
    peer.horizontalAngle = nil
    peer.verticalDirectionEstimate = .unknown
  }
}
