/// A peer's place in a session of the app, from agreement to end, with the traffic state of both directions.
///
/// It outlives links: while it has none, its counted octets stay in `outbox` and the app is not notified.
struct PeerConnection: Sendable {
  enum Phase: Equatable, Sendable {
    /// Agreed by invitation or introduction, but not yet used on any link.
    case establishing(until: Duration)
    case live(LinkID)
    /// The link is lost; the app has not been notified.
    case suspended(until: Duration)
  }

  /// The app's decision about the peer's certificate; a rejection ends the connection.
  enum Certificate: Sendable {
    case unasked
    case asked
    case passed
  }

  let key: ConnectionKey
  let session: SessionKey
  let localSession: PeerSessionID
  let remoteSession: PeerSessionID
  var peer: PeerID
  /// Where the peer can be reached, in the shell's form.
  var contact: [UInt8]
  let preference: EncryptionPreference
  /// Whether this side decides which link is used, because it has the lower identity.
  let isLeader: Bool
  let limits: PeerLimits

  var phase: Phase
  /// The state last reported to the app.
  var state = PeerState.notConnected
  var certificate = Certificate.unasked
  /// The leader's number of the connection; 0 before the first `use`.
  var number: UInt64 = 0
  /// Number of links the connection has had, counted by the leader.
  var generation: UInt32 = 0
  var outbox = Outbox()
  var transfers: TransferTable
  /// Counted octets that have been received.
  var received = 0
  /// Those of them that were acknowledged.
  var acknowledged = 0
  var acknowledgeDue: Duration?
  /// The connection whose peer introduced this one; `nil` if the app or the peer itself asked for it.
  var introducer: ConnectionKey?
  /// Whether the peer itself has answered or asked, on a link that proved its identity.
  var isConfirmed = false
  /// Limits how many peers this one may introduce.
  var introductions: TokenBucket
  /// Deadline after `disconnect`: only what was sent before, and `goodbye`, is still delivered.
  var departsUntil: Duration?
  /// The peer's number of the invitation that our app accepted.
  var acceptedInvitation: UInt64?
  /// When to dial next; `nil` if nothing is scheduled.
  var nextDial: Duration?
  var redialTime: Duration
  /// Attempts since the link was lost for which the peer had no listener.
  var refusals = 0
  /// Whether the app has been asked to pause sending.
  var isPaused = false

  /// Whether the peer is known only from another member.
  var isHearsay: Bool { introducer != nil && !isConfirmed }
  var isDeparting: Bool { departsUntil != nil }
  var identity: PeerIdentity { peer.identity }
  var isLive: Bool { if case .live = phase { true } else { false } }

  var isSuspended: Bool { if case .suspended = phase { true } else { false } }

  /// Whether the connection can still start over on another link, because nothing is known to have arrived in
  /// either direction.
  var isFresh: Bool { outbox.acknowledged == 0 && received == 0 }

  /// Gives access to transfers and outbox together, because transfers write into the outbox.
  mutating func withTransfers<Result, Failure>(
    _ body: (inout TransferTable, inout Outbox) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(&transfers, &outbox)
  }

  /// Resets the state of the traffic, because the peer has lost it.
  mutating func forget() {
    number = 0
    generation = 0
    outbox = Outbox()
    transfers = TransferTable(limits: limits, isLeader: isLeader)
    received = 0
    acknowledged = 0
    acknowledgeDue = nil
    isPaused = false
  }
}
