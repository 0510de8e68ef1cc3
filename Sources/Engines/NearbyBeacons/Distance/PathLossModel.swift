import NearbyMaths

/// How loudness falls with distance, and what is believed before anything is heard.
///
/// All figures are decibels of path loss: what is missing at the receiver from the power at 1 m. They are
/// priors from physics and surveys, derived in Docs/beacons.md, and fitted to no one recording.
package struct PathLossModel: Hashable, Sendable {
  /// Ten times this many decibels a decade of distance: free space has 2, and halls, rooms and corridors
  /// come to 1.6 to 2.5.
  package var exponent = 2.0
  /// Where a beacon that is listened to is, in the middle of all cases, metres.
  package var priorDistance = 1.5
  /// Spread of that, dB: one standard deviation is a factor of 2 with exponent 2.
  package var priorSpread = 6.0
  /// Fading and shadowing together, dB: they last until something moves.
  package var fading = 7.0
  /// What changes from packet to packet of a scene that stands still, dB: three channels, and whole decibels.
  package var jitter = 3.0
  /// How well a frame's measured power is known, dB: one standard deviation.
  package var powerSpread = 3.0
  /// The same where a frame tells none.
  package var unknownPowerSpread = 6.0

  package init() {}

  /// dB of path loss at so many metres.
  package func loss(at distance: Double) -> Double { exponent * 10 / Self.ln10 * Maths.log(distance) }

  /// Metres at so many dB of path loss.
  package func distance(at loss: Double) -> Double { Maths.exp(loss * perDecibel) }

  /// Logarithm of distance a decibel.
  var perDecibel: Double { Self.ln10 / (10 * exponent) }

  private static let ln10 = 2.302_585_092_994_046
}

/// What is known of a receiver, or of one receiver and one maker's beacons.
package struct ReceiverCalibration: Hashable, Sendable {
  /// Decibels to add to each RSSI so that it is what the makers' reference receiver shows.
  package var offset: Double
  /// How well that is known, dB: it takes the place of `PathLossModel.powerSpread`.
  package var sigma: Double

  package init(offset: Double, sigma: Double) {
    self.offset = offset
    self.sigma = sigma
  }

  /// From RSSIs heard at 1 m of a beacon of known power; `nil` below five.
  ///
  /// The median, since one place's fades are far from normal; its spread does not shrink with their count,
  /// as all were heard in one place.
  package init?(rssisAtOneMetre rssis: [Double], measuredPower: Double) {
    guard rssis.count >= 5 else { return nil }
    self.init(offset: measuredPower - rssis.sorted()[rssis.count / 2], sigma: PathLossModel().powerSpread)
  }
}
