import NearbyMaths

/// Distance and rate of one peer with their covariance: the linear core of `RangeFilter`.
///
/// The rate is an Ornstein–Uhlenbeck process, driven by white acceleration and forgotten over time. Source:
/// `Docs/range-filter.md`, equations 1 to 7.
package struct RangeTrack: Equatable, Sendable {
  /// In metres; noise may carry it slightly below zero.
  package var distance: Double
  /// In metres per second.
  package var rate: Double
  /// Covariance of distance and rate: m², m²/s, m²/s².
  package var distanceVariance: Double
  package var covariance: Double
  package var rateVariance: Double

  package init(distance: Double, rate: Double, distanceVariance: Double, rateVariance: Double) {
    self.distance = distance
    self.rate = rate
    self.distanceVariance = distanceVariance
    covariance = 0
    self.rateVariance = rateVariance
  }

  /// Predicts the state over an interval of `seconds` ≥ 0 without a range.
  ///
  /// `F = [1 b; 0 a]` with `a = exp(−t/τ)`, `b = τ(1 − a)`. Source: `Docs/range-filter.md`, equations 2 to 4.
  package mutating func predict(over seconds: Double, motion: RangeMotion) {
    let tau = motion.memory
    let a = Maths.exp(-seconds / tau)
    let b = tau * (1 - a)
    let noise = motion.noise(over: seconds, decay: a)
    distance += b * rate
    rate *= a
    distanceVariance += 2 * b * covariance + b * b * rateVariance + noise.distance
    covariance = a * (covariance + b * rateVariance) + noise.cross
    rateVariance = a * a * rateVariance + noise.rate
  }

  /// Fuses a residual `range − distance` with the given noise variance, m² > 0.
  ///
  /// Source: `Docs/range-filter.md`, equations 5 to 7.
  package mutating func fuse(residual: Double, variance: Double) {
    let innovationVariance = distanceVariance + variance
    let gain = distanceVariance / innovationVariance
    let rateGain = covariance / innovationVariance
    distance += gain * residual
    rate += rateGain * residual
    rateVariance -= rateGain * covariance
    covariance *= 1 - gain
    distanceVariance *= 1 - gain
  }
}

/// How the distance between people changes.
package struct RangeMotion: Equatable, Sendable {
  /// Density of the white acceleration, m²/s³, greater than 0.
  package var accelerationDensity: Double
  /// Time in which a velocity is forgotten, seconds, greater than 0.
  package var memory: Double
  package init(accelerationDensity: Double, memory: Double) {
    self.accelerationDensity = accelerationDensity
    self.memory = memory
  }

  /// Variance of the rate when nothing is known, m²/s².
  package var rateVariance: Double { accelerationDensity * memory / 2 }

  /// Noise that an interval adds to the covariance. Source: `Docs/range-filter.md`, equation 4.
  func noise(
    over seconds: Double, decay a: Double
  ) -> (distance: Double, cross: Double, rate: Double) {
    let tau = memory
    let x = seconds / tau
    let q = accelerationDensity
    // Below this, the closed form cancels; the next term of this series is under 1e-3 of it.
    guard x > 1e-3 else {
      let t = seconds
      return (q * t * t * t / 3, q * t * t / 2, q * t)
    }
    let lost = 1 - a
    let distance = q * tau * tau * tau * (x - 2 * lost + (1 - a * a) / 2)
    return (distance, q * tau * tau * lost * lost / 2, q * tau * (1 - a * a) / 2)
  }
}
