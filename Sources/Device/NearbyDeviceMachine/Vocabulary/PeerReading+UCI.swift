import NearbyEstimation
import NearbyUCI

extension PeerReading {
  /// Converts the wire's units to SI, which happens here only; `nil` if the round gave no distance.
  package init?(_ measurement: UCITwoWayMeasurement, at time: Duration) {
    guard let distance = measurement.distanceMetres else { return nil }
    self.init(
      time: time, range: distance, isLikelyNonLineOfSight: measurement.looksNonLineOfSight,
      angle: PeerAngle(azimuth: measurement.azimuth, elevation: measurement.elevation))
  }
}

extension PeerAngle {
  /// `nil` unless the chip measured both angles.
  init?(azimuth: UCIAngle, elevation: UCIAngle) {
    guard let azimuthSigma = AngleFigureOfMerit.sigma(percent: azimuth.figureOfMerit),
      let elevationSigma = AngleFigureOfMerit.sigma(percent: elevation.figureOfMerit)
    else { return nil }
    self.init(
      azimuth: azimuth.degrees * .pi / 180, elevation: elevation.degrees * .pi / 180,
      azimuthSigma: azimuthSigma, elevationSigma: elevationSigma)
  }
}
