/// How a range errs, given the probability that its direct path was blocked.
///
/// Measured over rooms that the probability was not fitted to: up to a probability of one half the median error is 0 and
/// the spread 0.1 m; from there on both grow, to 0.7 and 0.5 m. `Docs/blocked-paths.md` has the table.
package enum BlockedPathError {
  /// Robust spread of ranges through an obstacle, metres, and the root mean square of their whole error.
  private static let spread = 0.5
  private static let sharedSpread = 1.4
  private static let lengthening = 0.7
  /// Least share of blocked paths: the model is not surer than that of a path in sight.
  private static let leastShare = 0.05

  /// Variance that a blocked path adds to a range, m².
  package static func variance(_ probability: Double) -> Double {
    let sigma = probability * spread
    return sigma * sigma
  }

  /// Variance of the error that all ranges through one obstacle share, m².
  ///
  /// The path is blocked or not, so this is the probability times the mean square of the error if it is. One tenth of
  /// the ranges with a probability below 0.1 were blocked, more than twice their mean, so small probabilities count
  /// more, except 0 itself, which means in sight.
  package static func sharedVariance(_ probability: Double) -> Double {
    let share = max(probability, min(leastShare, 10 * probability))
    return share * sharedSpread * sharedSpread
  }

  /// By how much a range is likely too long, metres.
  package static func lengthening(_ probability: Double) -> Double {
    lengthening * max(0, 2 * probability - 1)
  }

  /// A probability from outside, 0 to 1; `nil` unless it is a number.
  package static func checked(_ probability: Double?) -> Double? {
    guard let probability, !probability.isNaN else { return nil }
    return min(max(probability, 0), 1)
  }
}
