/// Numbers and windows of one stream of octets between two peers, in both directions.
///
/// A server drops messages for a subscriber that falls behind. So a side has at most `window` octets on their way, and
/// a missing number ends the stream: PeerLink then continues on another one.
package struct RelayStream: Equatable, Sendable {
  /// Octets that may be on their way in one direction.
  package static let window: UInt64 = 1 << 20
  /// Octets consumed after which the other side is told.
  private static let step: UInt64 = window / 4

  private var sentMessages: UInt64 = 0
  private var receivedMessages: UInt64 = 0
  private var sent: UInt64 = 0
  /// Octets that the other side has consumed.
  private var confirmed: UInt64 = 0
  private var received: UInt64 = 0
  private var consumed: UInt64 = 0
  /// What the other side was told.
  private var told: UInt64 = 0

  package init() {}

  /// Octets that may be sent now.
  package var room: Int { Int(Self.window - (sent - confirmed)) }

  /// The header of the next message.
  ///
  /// - Parameter count: Octets of its payload, at most `room`.
  package mutating func next(_ kind: RelayFrame.Kind, count: Int = 0) -> RelayFrame {
    let frame = RelayFrame(kind, number: sentMessages, consumed: consumed)
    sentMessages += 1
    sent += UInt64(count)
    told = consumed
    return frame
  }

  /// Notes an arrived message.
  ///
  /// - Parameter count: Octets of its payload.
  /// - Throws: `.gap` or `.window`; the stream is then useless.
  package mutating func receive(_ frame: RelayFrame, count: Int) throws(RelayFailure) {
    guard frame.number == receivedMessages else {
      throw .gap(expected: receivedMessages, found: frame.number)
    }
    guard frame.consumed >= confirmed, frame.consumed <= sent,
      UInt64(count) <= Self.window - (received - consumed)
    else { throw .window }
    receivedMessages += 1
    confirmed = frame.consumed
    received += UInt64(count)
  }

  /// Notes octets that were passed on.
  ///
  /// - Returns: A message for the other side, if it is time to tell.
  package mutating func consume(_ count: Int) -> RelayFrame? {
    consumed += UInt64(count)
    guard consumed - told >= Self.step else { return nil }
    return next(.credit)
  }
}
