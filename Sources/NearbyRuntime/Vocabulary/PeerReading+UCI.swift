import NearbyEstimation
import NearbyUCI

extension PeerReading {
  /// The wire's units become SI here and nowhere else; `nil` where the round gave no distance.
  init?(_ measurement: UCITwoWayMeasurement, at time: Duration) {
    guard let distance = measurement.distanceMetres else { return nil }
    self.init(
      time: time, range: distance, isLikelyNonLineOfSight: measurement.nonLineOfSight != 0,
      angle: PeerAngle(azimuth: measurement.azimuth, elevation: measurement.elevation))
  }
}

extension PeerAngle {
  /// `nil` unless the chip has both angles.
  init?(azimuth: UCIAngle, elevation: UCIAngle) {
    guard let azimuthSigma = AngleFigureOfMerit.sigma(percent: azimuth.figureOfMerit),
      let elevationSigma = AngleFigureOfMerit.sigma(percent: elevation.figureOfMerit)
    else { return nil }
    self.init(
      azimuth: azimuth.degrees * .pi / 180, elevation: elevation.degrees * .pi / 180,
      azimuthSigma: azimuthSigma, elevationSigma: elevationSigma)
  }
}
