import NearbyMaths

/// The timestamps of one two-way exchange, each on the clock of the side that took it, in 40-bit ticks of
/// 15.65 ps, with the antenna delay already removed.
package struct RangingTimestamps: Equatable, Sendable {
  package var pollSent: UInt64
  package var pollReceived: UInt64
  package var responseSent: UInt64
  package var responseReceived: UInt64
  package var finalSent: UInt64
  package var finalReceived: UInt64

  package init(
    pollSent: UInt64, pollReceived: UInt64, responseSent: UInt64, responseReceived: UInt64,
    finalSent: UInt64 = 0, finalReceived: UInt64 = 0
  ) {
    self.pollSent = pollSent
    self.pollReceived = pollReceived
    self.responseSent = responseSent
    self.responseReceived = responseReceived
    self.finalSent = finalSent
    self.finalReceived = finalReceived
  }

  private static let metresPerTick = speedOfLight / RadioClock.rate

  /// Distance by single-sided ranging, metres: (round₁ − reply₁·(1 − k)) / 2, where k is the initiator's
  /// estimate of how much faster the responder's clock runs. `rateCorrection` is k in ppm; at k = 0 the error
  /// is reply₁ × offset / 2.
  package func singleSided(rateCorrection: Double = 0) -> Double {
    let round = RadioClock.ticks(from: pollSent, to: responseReceived)
    let reply = RadioClock.ticks(from: pollReceived, to: responseSent)
    return (round - reply * (1 - rateCorrection * 1e-6)) / 2 * Self.metresPerTick
  }

  /// Distance by asymmetric double-sided ranging, metres: (round₁·round₂ − reply₁·reply₂) / (round₁ + round₂
  /// + reply₁ + reply₂).
  ///
  /// The clock offsets cancel except for their product with the time of flight (Neirynck, Luk, McLaughlin
  /// 2016). Returns `nil` if the total time is not positive.
  package func doubleSided() -> Double? {
    let round1 = RadioClock.ticks(from: pollSent, to: responseReceived)
    let reply1 = RadioClock.ticks(from: pollReceived, to: responseSent)
    let round2 = RadioClock.ticks(from: responseSent, to: finalReceived)
    let reply2 = RadioClock.ticks(from: responseReceived, to: finalSent)
    let total = round1 + round2 + reply1 + reply2
    guard total > 0 else { return nil }
    // Rewritten in differences because the products alone exceed a double's 53 bits.
    let difference = (round1 - reply1) * round2 + reply1 * (round2 - reply2)
    return difference / total * Self.metresPerTick
  }
}
