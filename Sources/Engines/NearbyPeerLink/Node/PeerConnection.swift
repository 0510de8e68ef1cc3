/// One place in a session of the app: a peer, wanted or there, and what both have of each other's octets.
struct PeerConnection: Sendable {
  enum Phase: Equatable, Sendable {
    /// Agreed, by invitation or introduction, but no link was ever used.
    case establishing(until: Duration)
    case live(LinkID)
    /// The link is lost; the app does not know.
    case suspended(until: Duration)
  }

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
  var contact: [UInt8]
  let preference: EncryptionPreference
  /// Whether this side decides which link is used: it has the lower identity.
  let isLeader: Bool
  let limits: PeerLimits

  var phase: Phase
  /// What the app was told.
  var state = PeerState.notConnected
  var certificate = Certificate.unasked
  /// The leader's number for it; 0 before the first use.
  var number: UInt64 = 0
  var generation: UInt32 = 0
  var outbox = Outbox()
  var transfers: TransferTable
  /// Counted octets that were taken.
  var received = 0
  /// Of them, those the peer was told of.
  var acknowledged = 0
  var acknowledgeDue: Duration?
  /// The connection whose peer introduced this one; `nil` where the app or the peer itself asked for it.
  var introducer: ConnectionKey?
  /// Whether the peer itself has answered or asked, on a link that proved its identity.
  var isConfirmed = false
  /// How many peers this one may still introduce.
  var introductions: TokenBucket
  /// `disconnect` was called: only what was sent before, and goodbye, still pass.
  var departsUntil: Duration?
  /// The peer's number of the invitation that our app accepted.
  var acceptedInvitation: UInt64?
  var nextDial: Duration?
  var redialTime: Duration
  /// Attempts since the link was lost at which nobody listened.
  var refusals = 0
  var isPaused = false

  /// Whether only another member's word says that the peer exists.
  var isHearsay: Bool { introducer != nil && !isConfirmed }
  var isDeparting: Bool { departsUntil != nil }
  var identity: PeerIdentity { peer.identity }
  var isLive: Bool { if case .live = phase { true } else { false } }

  var isSuspended: Bool { if case .suspended = phase { true } else { false } }

  /// Whether the whole of it can still begin elsewhere: nothing is known to have passed either way.
  var isFresh: Bool { outbox.acknowledged == 0 && received == 0 }

  /// Transfers write into the outbox: both change at once.
  mutating func withTransfers<Result, Failure>(
    _ body: (inout TransferTable, inout Outbox) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(&transfers, &outbox)
  }

  /// Forgets what passed: the peer lost it.
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
