/// How much and how long: every bound of a node, with the values that fit one LAN.
package struct PeerLimits: Equatable, Sendable {
  /// Members of a session with the local one; Apple's 8. Larger is legal.
  package var maximumPeers = 8
  /// Octets of one message.
  package var maximumMessage = 64 << 20
  /// Octets of an invitation's context.
  package var maximumContext = 65_536
  /// Octets of one piece of a resource or stream.
  package var chunkSize = 65_536

  // MARK: Amounts

  /// Octets that wait or are unacknowledged for one peer: above, the app is asked to pause.
  package var highWater = 8 << 20
  /// Below, it may go on.
  package var lowWater = 4 << 20
  /// Above, `send` throws.
  package var maximumBacklog = 256 << 20
  /// Resources are read on while less than this waits or is unacknowledged, so that messages need not wait long.
  package var bulkWindow = 1 << 20
  /// Octets that are taken before they are acknowledged.
  package var acknowledgeEvery = 256 << 10
  /// What a receiver lets come of a resource before it has stored it; at least twice the chunk size.
  package var resourceWindow = 1 << 20
  /// The same of a stream, each way.
  package var streamWindow = 256 << 10
  /// Resources and streams at once with one peer, each way.
  package var maximumTransfers = 256
  /// Of the resources that a peer offers, those that come at once; the others wait.
  package var maximumIncomingResources = 16
  /// Octets of frames about the link that may wait for a peer that does not read. Above, pongs are left out and
  /// acknowledgements wait.
  package var controlBacklog = 16_384
  /// Octets that what a peer sends may add to what waits for it, beyond `maximumBacklog`, before it has read.
  package var replyBacklog = 1 << 20

  // MARK: Floods

  /// Invitations of others that wait for an answer.
  package var maximumInvitations = 32
  /// Of them, those of one peer.
  package var maximumInvitationsPerPeer = 4
  /// Invitations of one peer that are shown within `invitationPeriod`.
  package var maximumInvitationRate = 16
  package var invitationPeriod = Duration.seconds(10)
  /// Accepted links whose peer has not said hello.
  package var maximumHalfOpenLinks = 128
  /// Links of one peer that are no connection's.
  package var maximumIdleLinksPerPeer = 16
  /// Joins that wait for their peer's introduction.
  package var maximumParkedLinks = 16
  /// Octets of a frame's payload on a link whose peer is not admitted: above, it is charged to `strangerMemory`.
  package var strangerPayload = 2048
  /// Octets of larger frames, proofs and invitations' contexts kept for all peers together that are not admitted.
  package var strangerMemory = 4 << 20
  /// Peers that a member may introduce at once. One that connects is given back, and so is one each
  /// `introductionTime`.
  package var maximumIntroductions = 16
  package var introductionTime = Duration.seconds(30)
  /// Attempts at once to reach peers known by a member's word alone; one more each `introductionDialTime`.
  package var maximumIntroductionDials = 16
  package var introductionDialTime = Duration.seconds(1)

  // MARK: Times

  /// An accepted link's time to its hello.
  package var greetingTime = Duration.seconds(10)
  /// From a yes to the connection.
  package var connectTime = Duration.seconds(20)
  /// An invitation's time where the app says zero or less.
  package var defaultInvitationTime = Duration.seconds(30)
  /// Silence before a ping.
  package var pingAfter = Duration.seconds(2)
  /// Silence before a link counts as lost.
  package var silenceTime = Duration.seconds(6)
  /// How long a connection without a link is kept, unseen by the app.
  package var resumeTime = Duration.seconds(10)
  /// How long an acknowledgement may wait for company.
  package var acknowledgeTime = Duration.milliseconds(20)
  /// How often members are told again.
  package var gossipTime = Duration.seconds(10)
  /// The first wait between two attempts to reach a peer; it doubles up to the longest.
  package var redialTime = Duration.milliseconds(100)
  package var longestRedialTime = Duration.seconds(2)
  /// How long the peer that does not lead leaves the first attempt to the other.
  package var followerDelay = Duration.milliseconds(250)

  package init() {}
}
