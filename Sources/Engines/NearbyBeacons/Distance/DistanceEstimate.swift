import NearbyMaths

/// How far a beacon is, as far as loudness tells.
package struct DistanceEstimate: Hashable, Sendable {
  /// Path loss of the distance alone, dB, and its variance: what the estimate is made of.
  package let loss: Double
  package let variance: Double
  /// The mean of what it may be, metres: of all statements the one with the least squared error.
  package let distance: Double
  /// One standard deviation, metres.
  package let sigma: Double

  /// - Parameter variance: dB², > 0.
  init(loss: Double, variance: Double, model: PathLossModel) {
    self.loss = loss
    self.variance = variance
    // In the logarithm of distance the belief is normal: the moments of the log-normal distribution.
    let spread = min(variance * model.perDecibel * model.perDecibel, 4)
    distance = min(model.distance(at: loss) * Maths.exp(spread / 2), Self.farthest)
    sigma = distance * (Maths.exp(spread) - 1).squareRoot()
  }

  /// Beyond is no beacon heard, metres.
  static let farthest = 1000.0

  /// How likely the beacon is nearer than so many metres.
  package func probability(within metres: Double, model: PathLossModel) -> Double {
    Maths.normalShare(below: (model.loss(at: metres) - loss) / variance.squareRoot())
  }
}
