import NearbyMaths

/// The noise of single results, learnt from how well they agree with the estimates after them.
///
/// Each method's variance is a weighted mean of its usual value and of recent squared residuals.
struct SoundingNoise: Equatable, Sendable {
  /// Sums over recent trusted results: of squared residuals, m², and of weights.
  private var squares = SoundingValues(impulseResponse: 0, phaseSlope: 0, roundTrip: 0)
  private var weights = SoundingValues(impulseResponse: 0, phaseSlope: 0, roundTrip: 0)

  /// Variance of one result, m²; greater than 0.
  func variance(of method: SoundingMethod, _ parameters: SoundingParameters) -> Double {
    let usual = parameters.noiseSigma[method]
    let confidence = parameters.noiseConfidence
    return (confidence * usual * usual + squares[method]) / (confidence + weights[method])
  }

  /// How many times the method's variance a result has, because of its power and tones.
  static func factor(
    of method: SoundingMethod, _ result: SoundingResult, _ parameters: SoundingParameters
  ) -> Double {
    guard method == .roundTrip else { return 1 }
    let tones = result.hasGoodTones ? 1 : parameters.badTonesFactor
    guard let power = result.power, plausiblePowers.contains(power) else { return tones }
    return tones * (1 + Maths.powerRatio(parameters.powerOfDoubleNoise - power))
  }

  /// Received powers that a radio can report, dBm; HCI reports −127 to 20.
  private static let plausiblePowers = -127.0...20.0

  /// Learns from one result.
  ///
  /// - Parameters:
  ///   - square: Expected squared error of the result given the estimate after it, divided by `factor`, m².
  ///   - trust: Probability that it is no outlier.
  mutating func learn(
    _ square: Double, trust: Double, of method: SoundingMethod, _ parameters: SoundingParameters
  ) {
    let kept = 1 - 1 / parameters.noiseMemory
    squares[method] = squares[method] * kept + trust * square
    weights[method] = weights[method] * kept + trust
  }
}
