/// One link of a node: what it is for, and what it still has to say.
struct NodeLink: Sendable {
  /// Why we dialled it.
  enum Purpose: Equatable, Sendable {
    case invite(InvitationID)
    case join(ConnectionKey)
  }

  enum Role: Equatable, Sendable {
    /// The shell's handshake is under way.
    case securing
    /// Our hello went, the peer's is waited for.
    case greeting
    /// Accepted and greeted; an invitation or a join is waited for.
    case idle
    /// Our invitation went.
    case inviting(InvitationID)
    /// The peer's invitation waits for our app.
    case invited(InvitationID)
    /// Our join went.
    case joining(ConnectionKey)
    /// A join of a peer that nobody has told us of yet.
    case parked(Join)
    /// Agreed; the leader decides whether it is used.
    case candidate(ConnectionKey)
    case current(ConnectionKey)
    /// The shell was asked to close it.
    case closing
  }

  let id: LinkID
  let purpose: Purpose?
  /// Of a link we dialled: who must answer.
  let expected: PeerIdentity?
  var remote: PeerIdentity?
  var displayName: DisplayName?
  var contact: [UInt8] = []
  var role = Role.securing
  var deadline: Duration?
  /// What the follower said; the leader keeps it until it may decide.
  var ready: Ready?
  var isPlain = false
  /// Whether an invitation, ours or the peer's, led to it.
  var isByInvitation = false
  /// The offset of the next counted octet that comes.
  var position = 0
  var parser: FrameParser
  /// Frames about the link that wait.
  var control: [UInt8] = []
  /// The last that goes encrypted, before a link becomes plain.
  var lastEncrypted: [UInt8]?
  /// Whether the shell was told that there is output.
  var isTold = false
  var lastReceived = Duration.zero
  var lastPing: Duration?
  /// Whether this side takes nothing off it for now: its silence says nothing.
  var isReadingPaused = false
  /// What the peer's app proves to own, in the shell's form; none where it proves nothing.
  var proof: [UInt8] = []
  /// The same of our sessions, for this link.
  var ownProofs: [SessionKey: [UInt8]] = [:]
  /// Octets of the largest datagram; 0 without an association.
  var maximumDatagram = 0

  /// The connection it belongs to.
  var connection: ConnectionKey? {
    switch role {
    case .joining(let key), .candidate(let key), .current(let key): key
    case .securing, .greeting: if case .join(let key) = purpose { key } else { nil }
    case .idle, .inviting, .invited, .parked, .closing: nil
    }
  }

  /// Whether a proof may come: before what it goes with.
  var awaitsProof: Bool {
    switch role {
    case .idle, .inviting, .joining: proof.isEmpty
    case .securing, .greeting, .invited, .parked, .candidate, .current, .closing: false
    }
  }

  var isCurrent: Bool { if case .current = role { true } else { false } }
  var isClosing: Bool { role == .closing }

  /// Whether it was accepted, and says nothing yet that we asked for.
  var isHalfOpen: Bool { purpose == nil && (role == .securing || role == .greeting || role == .idle) }
}
