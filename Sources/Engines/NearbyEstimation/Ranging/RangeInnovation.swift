/// What one range said of the filter that expected it.
package struct RangeInnovation: Equatable, Sendable {
  package enum Verdict: Equatable, Sendable {
    /// Not a possible range, or older than one already taken.
    case ignored
    /// Kept for a later one to agree with: no track yet.
    case pending
    /// Fused with the weight given, above 0 to 1.
    case fused(weight: Double)
    /// Too far off; the track went on without it.
    case rejected
    /// With earlier ones it convinced the filter that the track was wrong.
    case reacquired
  }
  package var verdict: Verdict
  /// Range minus prediction, metres; 0 without a track.
  package var residual: Double
  /// Variance that the filter expected of it, m²; 0 without a track.
  package var variance: Double
  /// Normalised innovation squared: χ² with 1 degree of freedom while the model holds. `nil` without a track.
  package var nis: Double? { variance > 0 ? residual * residual / variance : nil }
  package init(verdict: Verdict, residual: Double = 0, variance: Double = 0) {
    self.verdict = verdict
    self.residual = residual
    self.variance = variance
  }
}
