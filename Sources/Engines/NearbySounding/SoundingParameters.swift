/// Constants of a `SoundingFilter`, each with its physical reason. `Docs/sounding.md` has the measurements.
package struct SoundingParameters: Equatable, Sendable {
  /// Standard deviation of the error that all results of a method share while nothing moves, metres:
  /// multipath at this place, and what the constants of the method left over.
  package var biasSigma = SoundingValues(impulseResponse: 0.6, phaseSlope: 2, roundTrip: 1.5)
  /// The error that depends on the distance.
  package var curve = SoundingCurve.none
  /// How far a device moves until that error is another one, metres, and how long it lasts at rest because
  /// the surroundings change, seconds.
  package var biasDistance = 2.0
  package var biasTime = 300.0
  /// Usual standard deviation of a single result around that error, metres.
  package var noiseSigma = SoundingValues(impulseResponse: 0.15, phaseSlope: 0.6, roundTrip: 2.4)
  /// Number of results that the usual noise counts for, and number of results after which one that was
  /// learnt from is forgotten.
  package var noiseConfidence = 20.0
  package var noiseMemory = 30.0
  /// Received power at which thermal noise doubles the variance of a round-trip time, dBm. Below it, the
  /// variance grows with the inverse of the power.
  package var powerOfDoubleNoise = -75.0
  /// Factor on the variance of a round-trip time where the radio called the tones bad.
  package var badTonesFactor = 2.0
  /// Share of results that have nothing to do with the distance, and the span over which those spread,
  /// metres.
  package var outlierShare = 0.1
  package var outlierSpan = 40.0
  /// How long a device stands and walks on average, seconds.
  package var standingTime = 120.0
  package var walkingTime = 30.0
  /// Random walk of a device that stands, metres per root second: a hand is never quite still.
  package var sway = 0.03
  /// Standard deviation of the rate with which a device sets off, metres per second.
  package var firstRateSigma = 0.8
  /// Acceleration density of a walk, m²/s³.
  package var accelerationDensity = 0.09
  /// Standard deviation of the distance before the first result, metres.
  package var firstSigma = 20.0
  /// Time without any result after which the filter begins anew, seconds.
  package var longestGap = 60.0

  package init() {}

  /// For two boards outdoors, as in the recordings: the curve explains part of what each place shares.
  package static let outdoors: SoundingParameters = {
    var parameters = SoundingParameters()
    parameters.curve = .outdoors
    parameters.biasSigma.impulseResponse = 0.45
    return parameters
  }()
}
