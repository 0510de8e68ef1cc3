/// How one range compared with the filter's expectation, and what the filter did with it.
package struct RangeInnovation: Equatable, Sendable {
  package enum Verdict: Equatable, Sendable {
    /// Impossible, or older than one already accepted.
    case ignored
    /// Kept for a later range to agree with, because there is no track yet.
    case pending
    /// Fused with this weight, above 0 and at most 1.
    case fused(weight: Double)
    /// Too far off; the track continued without it.
    case rejected
    /// It made the filter switch tracks, to a challenger or back to the remembered one.
    case reacquired
  }
  package var verdict: Verdict
  /// Range minus prediction in metres; 0 without a track.
  package var residual: Double
  /// Variance that the filter expected of the residual, m²; 0 without a track.
  package var variance: Double
  /// Normalised innovation squared: χ² with 1 degree of freedom while the model holds; `nil` without a track.
  package var nis: Double? { variance > 0 ? residual * residual / variance : nil }
  package init(verdict: Verdict, residual: Double = 0, variance: Double = 0) {
    self.verdict = verdict
    self.residual = residual
    self.variance = variance
  }
}
