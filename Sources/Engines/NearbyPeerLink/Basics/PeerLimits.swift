/// Every size, count and time limit of a node, with defaults that suit one LAN.
package struct PeerLimits: Equatable, Sendable {
  /// Members of a session including the local one. Apple allows 8; more is legal here.
  package var maximumPeers = 8
  /// Octets of one message.
  package var maximumMessage = 64 << 20
  /// Octets of an invitation's context.
  package var maximumContext = 65_536
  /// Octets of one piece of a resource or stream.
  package var chunkSize = 65_536

  // MARK: Amounts

  /// Octets queued or unacknowledged for one peer above which the app is asked to pause.
  package var highWater = 8 << 20
  /// Octets below which the app may send again.
  package var lowWater = 4 << 20
  /// Octets above which `send` throws.
  package var maximumBacklog = 256 << 20
  /// Resources are read only while fewer octets than this are queued or unacknowledged, so that messages wait
  /// little.
  package var bulkWindow = 1 << 20
  /// Octets received before an acknowledgement is sent.
  package var acknowledgeEvery = 256 << 10
  /// Octets of a resource that a receiver accepts before it has stored them; at least twice the chunk size.
  package var resourceWindow = 1 << 20
  /// The same for a stream, in each direction.
  package var streamWindow = 256 << 10
  /// Simultaneous resources and streams with one peer, in each direction.
  package var maximumTransfers = 256
  /// Resources received from one peer at the same time; further offers wait.
  package var maximumIncomingResources = 16
  /// Octets of frames about the link that may be queued for a peer that does not read. Above it, pongs are
  /// omitted and acknowledgements wait.
  package var controlBacklog = 16_384
  /// Octets by which replies to a peer may exceed `maximumBacklog` until the peer reads them.
  package var replyBacklog = 1 << 20

  // MARK: Floods

  /// Other peers' invitations that wait for an answer.
  package var maximumInvitations = 32
  /// The same, from one peer.
  package var maximumInvitationsPerPeer = 4
  /// Invitations from one peer that are shown within `invitationPeriod`.
  package var maximumInvitationRate = 16
  package var invitationPeriod = Duration.seconds(10)
  /// Accepted links on which the peer has not yet sent an invitation or a join.
  package var maximumHalfOpenLinks = 128
  /// Links of one peer that belong to no connection.
  package var maximumIdleLinksPerPeer = 16
  /// Joins whose peer has not been introduced yet.
  package var maximumParkedLinks = 16
  /// Payload size on a link whose peer is not admitted; larger payloads count towards `strangerMemory`.
  package var strangerPayload = 2048
  /// Octets of large frames, proofs and invitation contexts, for all peers together that are not admitted.
  package var strangerMemory = 4 << 20
  /// Peers that a member may introduce in quick succession. Each one that connects frees its place, and so
  /// does each `introductionTime` that passes.
  package var maximumIntroductions = 16
  package var introductionTime = Duration.seconds(30)
  /// Attempts to reach peers known only from a member, in quick succession; one more each
  /// `introductionDialTime`.
  package var maximumIntroductionDials = 16
  package var introductionDialTime = Duration.seconds(1)

  // MARK: Times

  /// Time for each step of a new link: its handshake, the peer's hello, and the first request on an accepted
  /// link.
  package var greetingTime = Duration.seconds(10)
  /// Time from an agreement to the connection, and for a join to be answered or introduced.
  package var connectTime = Duration.seconds(20)
  /// Time of an invitation for which the app gives zero or less.
  package var defaultInvitationTime = Duration.seconds(30)
  /// Silence before a ping.
  package var pingAfter = Duration.seconds(2)
  /// Silence after which a link counts as lost.
  package var silenceTime = Duration.seconds(6)
  /// How long a connection is kept without a link before the app is notified, and how long a departing one
  /// may last.
  package var resumeTime = Duration.seconds(10)
  /// How long an acknowledgement may be delayed so that it covers more octets.
  package var acknowledgeTime = Duration.milliseconds(20)
  /// How often members are sent the list of members again.
  package var gossipTime = Duration.seconds(10)
  /// First delay between two attempts to reach a peer; it doubles up to `longestRedialTime`.
  package var redialTime = Duration.milliseconds(100)
  package var longestRedialTime = Duration.seconds(2)
  /// How long the follower leaves the first attempt to the leader.
  package var followerDelay = Duration.milliseconds(250)

  package init() {}
}
