/// How a range errs, given the probability that its direct path was blocked.
///
/// Measured over rooms that the probability was not fitted to: up to a probability of one half the median error is 0 and
/// the spread 0.1 m; from there on both grow, to 0.7 and 0.5 m. `Docs/blocked-paths.md` has the table.
package enum BlockedPathError {
  /// Robust spread of ranges through an obstacle, metres, and the spread that covers their tail.
  private static let spread = 0.5
  private static let sharedSpread = 0.9
  private static let lengthening = 0.7

  /// Variance that a blocked path adds to a range, m².
  package static func variance(_ probability: Double) -> Double {
    let sigma = probability * spread
    return sigma * sigma
  }

  /// Variance of the error that all ranges through one obstacle share, m². Its tail is heavy: 95 % of the errors are
  /// within 2.9 m where a blocked path is nearly sure.
  package static func sharedVariance(_ probability: Double) -> Double {
    let sigma = probability * sharedSpread
    return sigma * sigma
  }

  /// By how much a range is likely too long, metres.
  package static func lengthening(_ probability: Double) -> Double {
    lengthening * max(0, 2 * probability - 1)
  }

  /// A probability from outside, 0 to 1; `nil` unless it is a number.
  static func checked(_ probability: Double?) -> Double? {
    guard let probability, !probability.isNaN else { return nil }
    return min(max(probability, 0), 1)
  }
}
