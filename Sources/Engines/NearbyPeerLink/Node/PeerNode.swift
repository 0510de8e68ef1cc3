/// One local peer with its sessions, invitations and links: MultipeerConnectivity's protocol as a machine.
///
/// Pure: calls of the app, events of links and the time go in; what to do comes out of `takeActions()`, which
/// the shell calls after every call and acts on outside its lock. The time never goes back. Identifiers of
/// links, sessions and invitations are never used twice. Protocol: `Docs/peer-protocol.md`.
package struct PeerNode: Sendable {
  struct Session: Sendable {
    let key: SessionKey
    let preference: EncryptionPreference
    let asksCertificates: Bool
    var id: PeerSessionID
    var nextGossip: Duration?
  }

  struct OutgoingInvitation: Sendable {
    let id: InvitationID
    let session: SessionKey
    let peer: PeerID
    let contact: [UInt8]
    let serviceType: ServiceType
    let context: [UInt8]?
    let number: UInt64
    let deadline: Duration
    var link: LinkID?
    var nextDial: Duration?
    var redialTime: Duration
  }

  struct IncomingInvitation: Sendable {
    let id: InvitationID
    let link: LinkID
    let peer: PeerID
    let contact: [UInt8]
    let invite: Invite
    let deadline: Duration
  }

  struct RecentInvite: Sendable {
    let identity: PeerIdentity
    let time: Duration
  }

  package let local: PeerID
  package let limits: PeerLimits
  /// Where this node listens, in the shell's form, at most 512 octets; told in every hello from then on.
  package var contact: [UInt8] = [] {
    didSet { contact = Array(contact.prefix(Hello.maximumContact)) }
  }
  /// The service types under which invitations are taken.
  package internal(set) var advertised: [ServiceType] = []

  private var random: any RandomNumberGenerator & Sendable
  var nextStamp: UInt64
  private var made: UInt32 = 0

  var sessions: [Session] = []
  var connections: [PeerConnection] = []
  var links: [NodeLink] = []
  var outgoing: [OutgoingInvitation] = []
  var incoming: [IncomingInvitation] = []
  var recentInvites: [RecentInvite] = []
  /// Lives of peers' sessions that are over, or not wanted: nobody's word brings them back.
  var departed: [PeerSessionID] = []
  /// Connections that ended here.
  var ended: [EndedConnection] = []
  var actions: [Action] = []
  var askedWake: Duration?
  /// Attempts to reach peers that are known by a member's word alone.
  var introductionDials: TokenBucket

  struct EndedConnection: Equatable, Sendable {
    let identity: PeerIdentity
    let number: UInt64
  }

  /// How many lives and connections that are over are remembered.
  static let memory = 256

  /// - Parameters:
  ///   - stamp: Larger than in every earlier process of the same identity: nanoseconds since 1970.
  ///   - random: For secrets of sessions: the system's, but for tests.
  package init(
    local: PeerID, stamp: UInt64, random: any RandomNumberGenerator & Sendable,
    limits: PeerLimits = PeerLimits()
  ) {
    self.local = local
    self.limits = limits
    self.random = random
    nextStamp = stamp
    introductionDials = TokenBucket(
      burst: limits.maximumIntroductionDials, interval: limits.introductionDialTime)
  }

  /// What must be done, in order; to be asked after every call.
  package mutating func takeActions() -> [Action] {
    let taken = actions
    actions = []
    return taken
  }

  /// How much the node keeps: what must not grow, whatever strangers do.
  package struct Census: Equatable, Sendable {
    package var links = 0
    package var connections = 0
    package var invitations = 0
    /// Octets that wait, or are not acknowledged.
    package var octets = 0
    /// Octets kept of large frames of peers that are not admitted.
    package var strangers = 0

    /// Of a node that keeps nothing.
    package static let nothing = Census()
  }

  package var census: Census {
    Census(
      links: links.count, connections: connections.count, invitations: outgoing.count + incoming.count,
      octets: connections.reduce(0) { $0 + $1.outbox.held } + links.reduce(0) { $0 + $1.control.count },
      strangers: strangerOctets)
  }

  // MARK: Small things for all parts

  mutating func report(_ event: Event) { actions.append(.report(event)) }

  mutating func makeNumber() -> UInt32 {
    made &+= 1
    return made
  }

  /// Never 0.
  mutating func makeRandom() -> UInt64 { random.next() | 1 }

  mutating func makeSessionID() -> PeerSessionID {
    nextStamp += 1
    return PeerSessionID(stamp: nextStamp, secret: makeRandom())
  }

  // All three lists are in the order of their numbers.

  func linkIndex(_ id: LinkID) -> Int? {
    let index = Self.place(links.count) { links[$0].id < id }
    return index < links.count && links[index].id == id ? index : nil
  }

  func connectionIndex(_ key: ConnectionKey) -> Int? {
    let index = Self.place(connections.count) { connections[$0].key < key }
    return index < connections.count && connections[index].key == key ? index : nil
  }

  func sessionIndex(_ key: SessionKey) -> Int? {
    let index = Self.place(sessions.count) { sessions[$0].key < key }
    return index < sessions.count && sessions[index].key == key ? index : nil
  }

  /// The connection with a peer in a session, departing ones aside.
  @inline(__always)
  func connectionIndex(_ session: SessionKey, _ identity: PeerIdentity) -> Int? {
    for index in connections.indices {
      guard connections[index].peer.identity == identity, connections[index].session == session else {
        continue
      }
      if !connections[index].isDeparting { return index }
    }
    return nil
  }

  private static func place(_ count: Int, _ isBefore: (Int) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isBefore(middle) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  mutating func rememberDeparted(_ id: PeerSessionID) {
    guard !departed.contains(id) else { return }
    departed.append(id)
    if departed.count > Self.memory { departed.removeFirst() }
  }

  mutating func rememberEnded(_ connection: PeerConnection) {
    guard connection.number != 0 else { return }
    ended.append(EndedConnection(identity: connection.identity, number: connection.number))
    if ended.count > Self.memory { ended.removeFirst() }
  }
}
