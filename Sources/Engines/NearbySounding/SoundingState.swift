import NearbyMaths

/// A normal distribution of distance, rate and the three methods' shared errors, under one hypothesis about
/// the motion.
///
/// The order is: distance, rate, then the shared error of each `SoundingMethod`. The last three lanes are
/// padding, which stays zero.
struct SoundingState: Equatable, Sendable {
  static let size = 5
  private(set) var mean: SIMD8<Double>
  /// Covariance, row by row.
  private(set) var rows: InlineArray<5, SIMD8<Double>>

  /// - Parameters:
  ///   - distance: Metres, with `sigma`.
  ///   - rateSigma: Metres per second.
  init(distance: Double, sigma: Double, rateSigma: Double, biasSigma: SoundingValues) {
    mean = SIMD8(distance, 0, 0, 0, 0, 0, 0, 0)
    rows = InlineArray(repeating: .zero)
    rows[0][0] = sigma * sigma
    rows[1][1] = rateSigma * rateSigma
    for method in SoundingMethod.allCases {
      let lane = Self.lane(method)
      rows[lane][lane] = biasSigma[method] * biasSigma[method]
    }
  }

  /// The normal distribution with the mean and covariance of a mixture of two states.
  ///
  /// - Parameter share: Weight of `first`, 0 to 1.
  init(mixing first: SoundingState, _ second: SoundingState, share: Double) {
    let other = 1 - share
    mean = share * first.mean + other * second.mean
    let apart = first.mean - second.mean
    rows = InlineArray(repeating: .zero)
    // Both deviations from the common mean are multiples of the difference.
    let spread = share * other * apart
    for row in 0..<Self.size {
      rows[row] = share * first.rows[row] + other * second.rows[row] + spread * apart[row]
    }
  }

  private static func lane(_ method: SoundingMethod) -> Int { 2 + method.rawValue }

  var distance: Double { mean[0] }
  var rate: Double { mean[1] }
  var distanceVariance: Double { rows[0][0] }
  var rateVariance: Double { rows[1][1] }

  static func == (a: SoundingState, b: SoundingState) -> Bool {
    a.mean == b.mean && (0..<size).allSatisfy { a.rows[$0] == b.rows[$0] }
  }

  // MARK: Motion

  /// Predicts a device that stands: its rate says nothing about the distance, and is unknown in case it sets
  /// off.
  mutating func stand(for seconds: Double, _ parameters: SoundingParameters) {
    fade(keepingRate: 0, biasShare: Maths.exp(-seconds / parameters.biasTime), parameters)
    rows[0][0] += parameters.sway * parameters.sway * seconds
    rows[1][1] += parameters.firstRateSigma * parameters.firstRateSigma
  }

  /// Predicts a device that walks with a nearly constant rate.
  mutating func walk(for seconds: Double, _ parameters: SoundingParameters) {
    let forgotten = seconds / parameters.biasTime + seconds * rate.magnitude / parameters.biasDistance
    mean[0] += mean[1] * seconds
    rows[0] += rows[1] * seconds
    for row in 0..<Self.size { rows[row][0] += rows[row][1] * seconds }
    fade(keepingRate: 1, biasShare: Maths.exp(-forgotten), parameters)
    // White acceleration: Bar-Shalom, Li and Kirubarajan, "Estimation with Applications to Tracking and
    // Navigation", §6.2.2.
    let density = parameters.accelerationDensity
    let cross = density * seconds * seconds / 2
    rows[0][0] += density * seconds * seconds * seconds / 3
    rows[0][1] += cross
    rows[1][0] += cross
    rows[1][1] += density * seconds
  }

  /// Scales the rate and the shared errors, and adds what keeps the shared errors' variances as they are in
  /// the long run.
  private mutating func fade(keepingRate rate: Double, biasShare: Double, _ parameters: SoundingParameters) {
    let scale = SIMD8(1, rate, biasShare, biasShare, biasShare, 0, 0, 0)
    mean *= scale
    for row in 0..<Self.size { rows[row] *= scale * scale[row] }
    for method in SoundingMethod.allCases {
      let lane = Self.lane(method)
      let sigma = parameters.biasSigma[method]
      rows[lane][lane] += (1 - biasShare * biasShare) * sigma * sigma
    }
  }

  // MARK: Measurement

  /// The variance of one method's prediction, m², without the noise of a single result.
  func predictedVariance(of method: SoundingMethod) -> Double {
    let lane = Self.lane(method)
    return rows[0][0] + 2 * rows[0][lane] + rows[lane][lane]
  }

  /// How far a result is from its prediction, metres.
  func residual(of value: Double, by method: SoundingMethod) -> Double {
    value - mean[0] - mean[Self.lane(method)]
  }

  /// Fuses one result, which is an outlier with some probability.
  ///
  /// Source: probabilistic data association with one measurement; Bar-Shalom and Fortmann, "Tracking and Data
  /// Association", §6.4.
  ///
  /// - Parameters:
  ///   - value: Metres, with the method's constant removed.
  ///   - noiseVariance: Of a single result, m²; greater than 0.
  /// - Returns: The likelihood of the result, 1/m, and the probability that it is no outlier.
  mutating func fuse(
    _ value: Double, by method: SoundingMethod, noiseVariance: Double, _ parameters: SoundingParameters
  ) -> (likelihood: Double, trust: Double) {
    let residual = residual(of: value, by: method)
    let variance = predictedVariance(of: method) + noiseVariance
    let density = Maths.exp(-residual * residual / (2 * variance)) / (2 * Double.pi * variance).squareRoot()
    let valid = (1 - parameters.outlierShare) * density
    let likelihood = valid + parameters.outlierShare / parameters.outlierSpan
    let trust = valid / likelihood
    let gain = (rows[0] + rows[Self.lane(method)]) / variance
    mean += gain * (trust * residual)
    // The first term is what the result tells, the second the doubt whether it tells anything.
    let change = trust * (1 - trust) * residual * residual - trust * variance
    for row in 0..<Self.size { rows[row] += gain * (gain[row] * change) }
    return (likelihood, trust)
  }
}
