/// Decides about the other side of a channel.
///
/// - Parameters: What the other side proved (`nil` in plain text), its address, and a closure for the answer,
///   to be called from any thread; only the first call counts.
package typealias CertificateDecision =
  @Sendable (
    _ credentials: PeerCredentials?, _ remote: SocketAddress, _ answer: @escaping @Sendable (Bool) -> Void
  ) -> Void

/// Limits and times of an endpoint's channels.
package struct ChannelRules: Sendable {
  /// From the first octet until both keys are proved.
  package var handshakeTimeout = Duration.seconds(10)
  /// For this side's decision; the other side gets as long again, plus a handshake's time.
  package var decisionTimeout = Duration.seconds(30)
  /// For the last octets of a closing channel to be sent and answered.
  package var closingTimeout = Duration.seconds(1)
  /// Whether a socket for datagrams is opened beside each channel.
  package var carriesDatagrams = true
  /// Whether incoming channels may be in plain text.
  package var acceptsPlain = false
  /// Queued octets above which `onDrained` will follow, as soon as fewer than `lowWater` are queued.
  package var highWater = 1 << 20
  package var lowWater = 1 << 18
  /// Largest number of octets that may be queued.
  package var queueLimit = 64 << 20
  package init() {}
}
