/// Decides about the other side of a channel.
///
/// - Parameters: What the other side proved (`nil` in the clear), where it is, and the answer: called once,
///   from any thread; more calls are ignored.
package typealias CertificateDecision =
  @Sendable (
    _ credentials: PeerCredentials?, _ remote: SocketAddress, _ answer: @escaping @Sendable (Bool) -> Void
  ) -> Void

/// Limits and times of an endpoint's channels.
package struct ChannelRules: Sendable {
  /// From the first octet until both sides' keys are proved.
  package var handshakeTimeout = Duration.seconds(10)
  /// For this side's decision; the other side's gets as much again.
  package var decisionTimeout = Duration.seconds(30)
  /// For the octets of a channel that closes to get out and be answered.
  package var closingTimeout = Duration.seconds(1)
  /// Whether a socket for datagrams is opened beside each channel.
  package var carriesDatagrams = true
  /// Whether incoming channels may be in the clear.
  package var acceptsPlain = false
  /// Waiting octets above which `onDrained` will follow, once less than `lowWater` wait.
  package var highWater = 1 << 20
  package var lowWater = 1 << 18
  /// Most octets that may wait to be sent.
  package var queueLimit = 64 << 20
  package init() {}
}
