import NearbyEstimation
import NearbyUCI

extension PeerReading {
  /// Converts the wire's units to SI, which happens here only; `nil` if the round gave no distance.
  package init?(_ measurement: UCITwoWayMeasurement, at time: Duration) {
    guard let distance = measurement.distanceMetres else { return nil }
    self.init(
      time: time, range: distance, isLikelyNonLineOfSight: Self.isMarked(measurement.nonLineOfSight),
      angle: PeerAngle(azimuth: measurement.azimuth, elevation: measurement.elevation))
  }

  /// 0 means in sight, and 1 not; another value says nothing. Source: FiRa UCI Generic Specification 2.0,
  /// SESSION_INFO_NTF.
  private static func isMarked(_ nonLineOfSight: UInt8) -> Bool? {
    switch nonLineOfSight {
    case 0: false
    case 1: true
    default: nil
    }
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
