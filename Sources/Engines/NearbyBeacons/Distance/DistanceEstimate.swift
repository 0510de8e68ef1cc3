import NearbyMaths

/// A beacon's distance, estimated from its loudness.
package struct DistanceEstimate: Hashable, Sendable {
  /// Path loss due to distance alone in dB, and its variance in dB²; the rest follows from both.
  package let loss: Double
  package let variance: Double
  /// Mean of the possible distances in metres, the estimate with the least squared error.
  package let distance: Double
  /// One standard deviation in metres.
  package let sigma: Double

  /// - Parameter variance: In dB², greater than 0.
  init(loss: Double, variance: Double, model: PathLossModel) {
    self.loss = loss
    self.variance = variance
    // The logarithm of the distance is normally distributed, so these are the moments of a log-normal
    // distribution.
    let spread = min(variance * model.perDecibel * model.perDecibel, 4)
    distance = min(model.distance(at: loss) * Maths.exp(spread / 2), Self.farthest)
    sigma = distance * (Maths.exp(spread) - 1).squareRoot()
  }

  /// Upper limit of the distance, metres: beyond it no beacon is heard.
  static let farthest = 1000.0

  /// Probability that the beacon is nearer than this many metres.
  package func probability(within metres: Double, model: PathLossModel) -> Double {
    Maths.normalShare(below: (model.loss(at: metres) - loss) / variance.squareRoot())
  }
}
