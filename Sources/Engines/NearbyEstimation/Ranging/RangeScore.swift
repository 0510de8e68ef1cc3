import NearbyMaths

/// How well estimates of distance match the truth, over one or more pairs of radios.
///
/// The constant bias of each pair (the median of its errors, from antenna delays) is removed first; then all
/// errors are pooled. Source: `Docs/range-filter.md`, section 8.
package struct RangeScore: Equatable, Sendable {
  /// One estimate with the true distance.
  package struct Comparison: Equatable, Sendable {
    package var time: Duration
    /// In metres; `nil` where the estimator gave no distance.
    package var estimate: Double?
    /// In metres.
    package var truth: Double
    /// Stated standard deviation in metres.
    package var sigma: Double?
    /// The measured range in metres.
    package var range: Double
    package init(
      time: Duration, estimate: Double?, truth: Double, sigma: Double? = nil, range: Double
    ) {
      self.time = time
      self.estimate = estimate
      self.truth = truth
      self.sigma = sigma
      self.range = range
    }
  }

  /// Number of moments with an estimate, and without one.
  package var count: Int
  package var missing: Int
  /// Root mean square error in metres.
  package var rmse: Double
  /// Standard deviation in metres, from the median absolute deviation so that outliers do not affect it.
  package var sigma: Double
  /// The error that 95 % of all errors stay below, and the largest one, metres.
  package var percentile95: Double
  package var largest: Double
  /// Seconds by which estimates trail the truth: minus the slope of error over true rate. `nil` without
  /// motion, or if ranges are too sparse (over 0.5 s apart) to derive the rate.
  package var lag: Double?
  /// Number of estimates off by over a metre although the range itself was within half a metre.
  package var wronglyFar: Int
  /// Root mean square of error over stated sigma: 1 is honest, more is overconfident. `nil` if no sigma was
  /// stated.
  package var normalisedError: Double?
  /// Share of errors within two stated sigmas; `nil` if no sigma was stated.
  package var withinTwoSigma: Double?

  /// - Parameter series: One array per pair of radios, each in order of time.
  package init(series: [[Comparison]]) {
    var pool = ErrorPool()
    for samples in series { pool.add(samples) }
    count = pool.errors.count
    missing = pool.missing
    wronglyFar = pool.wronglyFar
    let n = Double(max(count, 1))
    rmse = (pool.errors.reduce(0) { $0 + $1 * $1 } / n).squareRoot()
    let middle = Self.median(pool.errors)
    // 1/Φ⁻¹(¾): the median absolute deviation of a normal variable is 0.6745 of its sigma.
    sigma = 1.4826 * Self.median(pool.errors.map { ($0 - middle).magnitude })
    let sizes = pool.errors.map(\.magnitude).sorted()
    percentile95 = Self.quantile(sizes, 0.95)
    largest = sizes.last ?? 0
    lag = pool.ratesSquared > 0.01 ? -pool.errorTimesRate / pool.ratesSquared : nil
    normalisedError =
      pool.stated > 0 ? (pool.normalisedSquares / Double(pool.stated)).squareRoot() : nil
    withinTwoSigma = pool.stated > 0 ? Double(pool.within) / Double(pool.stated) : nil
  }

  /// Median of values in any order; 0 for an empty array.
  package static func median(_ values: [Double]) -> Double { quantile(values.sorted(), 0.5) }

  /// Quantile of ascending values, interpolated between neighbours; 0 for an empty array.
  package static func quantile(_ ascending: [Double], _ share: Double) -> Double {
    Quantile.ofSorted(ascending, share) ?? 0
  }
}

/// Pools the errors of several pairs after removing each pair's median.
private struct ErrorPool {
  var errors: [Double] = []
  var missing = 0
  var wronglyFar = 0
  var errorTimesRate = 0.0
  var ratesSquared = 0.0
  var normalisedSquares = 0.0
  var stated = 0
  var within = 0

  mutating func add(_ samples: [RangeScore.Comparison]) {
    let bias = RangeScore.median(
      samples.compactMap { sample in sample.estimate.map { $0 - sample.truth } })
    let rangeBias = RangeScore.median(samples.map { $0.range - $0.truth })
    for index in samples.indices {
      let sample = samples[index]
      guard let estimate = sample.estimate else {
        missing += 1
        continue
      }
      let error = estimate - sample.truth - bias
      errors.append(error)
      let rangeError = sample.range - sample.truth - rangeBias
      if error.magnitude > 1, rangeError.magnitude < 0.5 { wronglyFar += 1 }
      state(error, sample.sigma)
      if error.magnitude < 1, let rate = Self.trueRate(samples, index) {
        errorTimesRate += error * rate
        ratesSquared += rate * rate
      }
    }
  }

  private mutating func state(_ error: Double, _ sigma: Double?) {
    guard let sigma, sigma > 0 else { return }
    stated += 1
    normalisedSquares += error * error / (sigma * sigma)
    if error.magnitude <= 2 * sigma { within += 1 }
  }

  /// True rate from a sample's neighbours, metres per second; `nil` at the ends and across gaps.
  private static func trueRate(_ samples: [RangeScore.Comparison], _ index: Int) -> Double? {
    guard index > 0, index + 1 < samples.count else { return nil }
    let (before, after) = (samples[index - 1], samples[index + 1])
    let seconds = (after.time - before.time) / .seconds(1)
    guard seconds > 0.01, seconds <= 1 else { return nil }
    return (after.truth - before.truth) / seconds
  }
}
