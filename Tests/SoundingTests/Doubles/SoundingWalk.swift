import NearbySchedule
import NearbySounding

/// Simulated procedures, two per second, with the errors that `SoundingParameters` describe: an error that each
/// method's results share at one place, noise, and outliers.
struct SoundingWalk {
  struct Step {
    var result: SoundingResult
    /// True distance, metres.
    var truth: Double
  }
  private(set) var steps: [Step] = []

  /// - Parameters:
  ///   - biasSigma: `nil` uses the standard parameters'.
  ///   - outliers: Share of impulse responses that say anything between 0 and 40 m.
  ///   - missing: Share of impulse responses and of phase slopes that are missing.
  ///   - distance: True distance at a time in seconds, metres.
  init(
    count: Int = 160, biasSigma: SoundingValues? = nil, outliers: Double = 0, missing: Double = 0,
    seed: UInt64, distance: (Double) -> Double
  ) {
    var stream = NoiseStream(seed: seed)
    let parameters = SoundingParameters()
    let spread = biasSigma ?? parameters.biasSigma
    var bias = SoundingValues(impulseResponse: 0, phaseSlope: 0, roundTrip: 0)
    for method in SoundingMethod.allCases { bias[method] = spread[method] * stream.normal() }
    for index in 0..<count {
      let seconds = Double(index) / 2
      let truth = distance(seconds)
      func measure(_ method: SoundingMethod) -> Double {
        truth + bias[method] + parameters.noiseSigma[method] * stream.normal()
      }
      var result = SoundingResult(time: .milliseconds(500 * index), power: -60)
      let values = (measure(.impulseResponse), measure(.phaseSlope), measure(.roundTrip))
      let outlier = 40 * stream.uniform()
      result.impulseResponse = stream.uniform() < outliers ? outlier : values.0
      if stream.uniform() < missing { result.impulseResponse = nil }
      if stream.uniform() >= missing { result.phaseSlope = values.1 }
      result.roundTrip = values.2
      steps.append(Step(result: result, truth: truth))
    }
  }

  static let noBias = SoundingValues(impulseResponse: 0, phaseSlope: 0, roundTrip: 0)
}
