/// One local peer with its sessions, invitations and links: MultipeerConnectivity's protocol as a state
/// machine.
///
/// Two peers that want to exchange messages must agree on a session, prove their identities, settle on one of
/// the links that both may have dialled, and survive the loss of that link without losing, duplicating or
/// reordering anything reliable. Members of a session introduce each other until all are connected. Strangers
/// must not be able to exhaust memory or to displace a member.
///
/// **Input:** calls of the app (`invite`, `send`, `disconnect` and so on), events of links (`linkAccepted`,
/// `linkSecured`, `received`, `linkClosed`), and the time (`timePassed`). Time never goes back.
///
/// **Output:** `takeActions()` returns what to do, in order: links to dial, write and close, events to
/// report, and the next wake. The shell calls it after every other call, and carries the actions out outside
/// its lock.
///
/// **States:** a link (`NodeLink.Role`) is secured by the shell's handshake and greeted by `hello`. Then it
/// carries one request: an invitation or a join. When both sides have agreed, it is a candidate for a
/// connection. The leader, which is the peer with the lower identity, chooses a candidate with `use`, and
/// that link becomes current. A connection (`PeerConnection.Phase`) is establishing until it first has a
/// current link. Then it is live, or suspended while its link is lost. It ends if it is not resumed in time,
/// or when either side leaves or breaks the protocol.
///
/// **Invariants:** a connection has at most one current link. Counted octets are kept until they are
/// acknowledged, and sent again after a loss. `.connected` is reported before anything that the peer sends.
/// `links`, `connections` and `sessions` are in the order of their numbers, which are never used twice.
/// `PeerLimits` bounds what a peer can make the node keep.
///
/// Protocol: `Docs/peer-protocol.md`.
package struct PeerNode: Sendable {
  /// A session of the app; each life has an `id` of its own.
  struct Session: Sendable {
    let key: SessionKey
    let preference: EncryptionPreference
    let asksCertificates: Bool
    var id: PeerSessionID
    /// When the members are announced again; `nil` unless two of them are live.
    var nextGossip: Duration?
  }

  /// An invitation that this node sends, dialling again until its deadline.
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

  /// A peer's invitation that waits for the app's answer.
  struct IncomingInvitation: Sendable {
    let id: InvitationID
    let link: LinkID
    let peer: PeerID
    let contact: [UInt8]
    let invite: Invite
    let deadline: Duration
  }

  /// An invitation that was shown lately, kept to limit their rate.
  struct RecentInvite: Sendable {
    let identity: PeerIdentity
    let time: Duration
  }

  package let local: PeerID
  package let limits: PeerLimits
  /// Where this node listens, in the shell's form, at most 512 octets; sent in every `hello` from then on.
  package var contact: [UInt8] = [] {
    didSet { contact = Array(contact.prefix(Hello.maximumContact)) }
  }
  /// Service types under which invitations are accepted.
  package internal(set) var advertised: [ServiceType] = []

  private var random: any RandomNumberGenerator & Sendable
  /// The latest stamp; each life of a session gets the next one.
  var nextStamp: UInt64
  private var made: UInt32 = 0

  var sessions: [Session] = []
  var connections: [PeerConnection] = []
  var links: [NodeLink] = []
  var outgoing: [OutgoingInvitation] = []
  var incoming: [IncomingInvitation] = []
  var recentInvites: [RecentInvite] = []
  /// Lives of peers' sessions that have ended or are unwanted; no member's announcement brings them back.
  var departed: [PeerSessionID] = []
  /// Connections that ended here.
  var ended: [EndedConnection] = []
  var actions: [Action] = []
  /// How many actions were taken last.
  private var lastTaken = 0
  var askedWake: Duration?
  /// Limits attempts to reach peers that are known only from a member.
  var introductionDials: TokenBucket

  struct EndedConnection: Equatable, Sendable {
    let identity: PeerIdentity
    let number: UInt64
  }

  /// How many ended session lives, and how many ended connections, are remembered.
  static let memory = 256

  /// - Parameters:
  ///   - stamp: Larger than in every earlier process of the same identity: nanoseconds since 1970.
  ///   - random: Source of the sessions' secrets; the system's generator except in tests.
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

  /// Returns what must be done, in order; to be called after every other call.
  package mutating func takeActions() -> [Action] {
    let taken = actions
    actions = []
    lastTaken = taken.count
    return taken
  }

  /// Reserves space for as many actions as were taken last, but no more than some octets can cause.
  mutating func reserveActions(for octets: Int) {
    let count = min(lastTaken, octets / FrameHeader.size)
    if actions.isEmpty, count > 4 { actions.reserveCapacity(count) }
  }

  /// How much the node keeps: quantities that must stay bounded whatever strangers do.
  package struct Census: Equatable, Sendable {
    package var links = 0
    package var connections = 0
    package var invitations = 0
    /// Octets that are queued or not acknowledged.
    package var octets = 0
    /// Octets of large frames kept for peers that are not admitted.
    package var strangers = 0

    /// The census of a node that keeps nothing.
    package static let nothing = Census()
  }

  package var census: Census {
    Census(
      links: links.count, connections: connections.count, invitations: outgoing.count + incoming.count,
      octets: connections.reduce(0) { $0 + $1.outbox.held } + links.reduce(0) { $0 + $1.control.count },
      strangers: strangerOctets)
  }

  // MARK: Helpers for all parts

  mutating func report(_ event: Event) { actions.append(.report(event)) }

  mutating func makeNumber() -> UInt32 {
    made &+= 1
    return made
  }

  /// Returns a random number that is never 0.
  mutating func makeRandom() -> UInt64 { random.next() | 1 }

  mutating func makeSessionID() -> PeerSessionID {
    nextStamp += 1
    return PeerSessionID(stamp: nextStamp, secret: makeRandom())
  }

  // All three lists are sorted by number, so search them by bisection.

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

  /// The connection with a peer in a session, except departing ones.
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
      // Two numbers of elements of one array: their sum is far from the limit.
      let middle = (low &+ high) &>> 1
      if isBefore(middle) { low = middle &+ 1 } else { high = middle }
    }
    return low
  }

  /// Remembers that a life of a peer's session has ended.
  mutating func rememberDeparted(_ id: PeerSessionID) {
    guard !departed.contains(id) else { return }
    departed.append(id)
    if departed.count > Self.memory { departed.removeFirst() }
  }

  /// Remembers the number of a connection, so that the peer can be notified that it has ended.
  mutating func rememberEnded(_ connection: PeerConnection) {
    guard connection.number != 0 else { return }
    ended.append(EndedConnection(identity: connection.identity, number: connection.number))
    if ended.count > Self.memory { ended.removeFirst() }
  }
}
