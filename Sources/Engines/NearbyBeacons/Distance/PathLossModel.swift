import NearbyMaths

/// How loudness falls with distance, and what is assumed before anything is heard.
///
/// All figures are decibels of path loss: the difference between the power at 1 m and the power at the
/// receiver. They are priors from physics and surveys, explained in `Docs/beacons.md`.
package struct PathLossModel: Hashable, Sendable {
  /// Ten times this is the loss per decade of distance, dB. Free space has 2; halls, rooms and corridors have
  /// 1.6 to 2.5.
  package var exponent = 2.0
  /// Median distance of a beacon in use, metres.
  package var priorDistance = 1.5
  /// Standard deviation of that in dB: with exponent 2, a factor of 2.
  package var priorSpread = 6.0
  /// Standard deviation of fading and shadowing together in dB, which last until something moves.
  package var fading = 7.0
  /// Standard deviation between packets of a scene at rest in dB: from three channels and whole decibels.
  package var jitter = 3.0
  /// Standard deviation of a frame's stated power in dB.
  package var powerSpread = 3.0
  /// Standard deviation of the power if a frame states none, dB.
  package var unknownPowerSpread = 6.0

  package init() {}

  /// Path loss in dB at a distance in metres.
  package func loss(at distance: Double) -> Double { exponent * 10 / Self.ln10 * Maths.log(distance) }

  /// Distance in metres at a path loss in dB.
  package func distance(at loss: Double) -> Double { Maths.exp(loss * perDecibel) }

  /// Natural logarithm of distance per decibel.
  var perDecibel: Double { Self.ln10 / (10 * exponent) }

  private static let ln10 = 2.302_585_092_994_046
}

/// Calibration of a receiver, alone or together with one maker's beacons.
package struct ReceiverCalibration: Hashable, Sendable {
  /// Decibels to add to each RSSI so that it equals that of the maker's reference receiver.
  package var offset: Double
  /// Standard deviation of the offset in dB, used instead of `PathLossModel.powerSpread`.
  package var sigma: Double

  package init(offset: Double, sigma: Double) {
    self.offset = offset
    self.sigma = sigma
  }

  /// Calibrates from RSSIs measured 1 m from a beacon of known power; `nil` for fewer than five.
  ///
  /// It uses their median, because the fades of one place are far from normal. The standard deviation does
  /// not shrink with the number of RSSIs, as all come from one place.
  package init?(rssisAtOneMetre rssis: [Double], measuredPower: Double) {
    guard rssis.count >= 5 else { return nil }
    self.init(offset: measuredPower - rssis.sorted()[rssis.count / 2], sigma: PathLossModel().powerSpread)
  }
}
