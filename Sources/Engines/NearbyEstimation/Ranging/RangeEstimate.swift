/// A range and how sure the estimator is of it.
package struct RangeEstimate: Equatable, Sendable {
  /// Metres, ≥ 0.
  package var distance: Double
  /// Metres a second, positive when moving apart.
  package var rate: Double
  /// Standard deviation of `distance`, metres, > 0.
  package var sigma: Double
  package init(distance: Double, rate: Double, sigma: Double) {
    self.distance = distance
    self.rate = rate
    self.sigma = sigma
  }
}
