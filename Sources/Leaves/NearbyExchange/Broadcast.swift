/// One frame of an anchor, which any number of radios may receive.
package struct BroadcastFrame: Sendable {
  package var sender: RadioID
  /// UWB channel number: 5, 6, 8, 9, 10, 12, 13 or 14.
  package var channel: UInt8
  /// When it is sent, nanoseconds of world time.
  package var sent: Int64

  package init(sender: RadioID, channel: UInt8, sent: Int64) {
    self.sender = sender
    self.channel = channel
    self.sent = sent
  }
}

/// What one receiver measured on a broadcast frame.
package struct BroadcastReception: Equatable, Sendable {
  /// The receiver's counter when the frame arrived, ticks of 15.65 ps in 64 bits.
  package var received: UInt64
  package var rssiDBm: Double
  /// The receiver's own guess from first-path and total power; it may be wrong.
  package var looksNonLineOfSight: Bool
  /// The receiver's estimate of how much faster the sender's clock runs than its own, ppm.
  package var clockOffset: Double

  package init(received: UInt64, rssiDBm: Double, looksNonLineOfSight: Bool, clockOffset: Double) {
    self.received = received
    self.rssiDBm = rssiDBm
    self.looksNonLineOfSight = looksNonLineOfSight
    self.clockOffset = clockOffset
  }
}
