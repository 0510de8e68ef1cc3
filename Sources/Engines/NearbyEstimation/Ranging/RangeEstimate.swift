/// An estimated range with its uncertainty.
package struct RangeEstimate: Equatable, Sendable {
  /// In metres, at least 0.
  package var distance: Double
  /// In metres per second, positive when the peers move apart.
  package var rate: Double
  /// Standard deviation of `distance` in metres, greater than 0.
  package var sigma: Double
  package init(distance: Double, rate: Double, sigma: Double) {
    self.distance = distance
    self.rate = rate
    self.sigma = sigma
  }
}
