/// One link of a node: its purpose, its state, and the frames about the link that are to be sent.
struct NodeLink: Sendable {
  /// Why this side dialled it.
  enum Purpose: Equatable, Sendable {
    case invite(InvitationID)
    case join(ConnectionKey)
  }

  /// What the link is doing; it decides which frames may come (`expects`).
  enum Role: Equatable, Sendable {
    /// The shell's handshake is in progress.
    case securing
    /// Our hello was sent, the peer's has not arrived.
    case greeting
    /// Accepted and greeted; the peer may send an invitation or a join.
    case idle
    /// Our invitation was sent.
    case inviting(InvitationID)
    /// The peer's invitation waits for our app.
    case invited(InvitationID)
    /// Our join was sent.
    case joining(ConnectionKey)
    /// The peer sent a join, but no member has announced it yet.
    case parked(Join)
    /// Both sides agreed; the leader decides whether it is used.
    case candidate(ConnectionKey)
    /// The connection uses it.
    case current(ConnectionKey)
    /// The shell was asked to close it.
    case closing
  }

  let id: LinkID
  let purpose: Purpose?
  /// The identity that must answer on a link that this side dialled.
  let expected: PeerIdentity?
  var remote: PeerIdentity?
  var displayName: DisplayName?
  var contact: [UInt8] = []
  var role = Role.securing
  /// When the link is closed, unless it has made progress before.
  var deadline: Duration?
  /// The follower's `ready`, which the leader keeps until it can decide.
  var ready: Ready?
  /// Whether both sides want no encryption after `ready` and `use`.
  var isPlain = false
  /// Whether it began with an invitation, of either side.
  var isByInvitation = false
  /// Offset of the next counted octet to arrive.
  var position = 0
  var parser: FrameParser
  /// Frames about the link that are to be sent.
  var control: [UInt8] = []
  /// The last octets to be sent encrypted, before the link becomes plain.
  var lastEncrypted: [UInt8]?
  /// Whether the shell has been notified that there is output.
  var isTold = false
  var lastReceived = Duration.zero
  var lastPing: Duration?
  /// Whether the shell has stopped reading, so that silence means nothing.
  var isReadingPaused = false
  /// The peer's proof of its app's certificates, in the shell's form; empty if it sent none.
  var proof: [UInt8] = []
  /// Our own proofs for this link, by session.
  var ownProofs: [SessionKey: [UInt8]] = [:]
  /// Largest datagram in octets; 0 without an association.
  var maximumDatagram = 0

  /// The connection it belongs to.
  var connection: ConnectionKey? {
    switch role {
    case .joining(let key), .candidate(let key), .current(let key): key
    case .securing, .greeting: if case .join(let key) = purpose { key } else { nil }
    case .idle, .inviting, .invited, .parked, .closing: nil
    }
  }

  /// Whether a proof is allowed now, before the request or answer that it belongs to.
  var awaitsProof: Bool {
    switch role {
    case .idle, .inviting, .joining: proof.isEmpty
    case .securing, .greeting, .invited, .parked, .candidate, .current, .closing: false
    }
  }

  var isCurrent: Bool { if case .current = role { true } else { false } }
  var isClosing: Bool { role == .closing }

  /// Whether it was accepted and the peer has not requested anything yet.
  var isHalfOpen: Bool { purpose == nil && (role == .securing || role == .greeting || role == .idle) }
}
