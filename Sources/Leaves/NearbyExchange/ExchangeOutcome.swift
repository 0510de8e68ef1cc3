/// An angle of arrival, measured from phase differences in the receiving device's own frame.
package struct AngleReading: Equatable, Sendable {
  /// Radians. 0 points straight out of the antenna array (a phone's back, −z); positive to the device's right
  /// (+x).
  package var azimuth: Double
  /// Radians, −π/2 to π/2, positive towards the device's top (+y).
  package var elevation: Double
  /// Standard deviations reported by the receiver, in radians, greater than 0.
  package var azimuthSigma: Double
  package var elevationSigma: Double

  package init(azimuth: Double, elevation: Double, azimuthSigma: Double, elevationSigma: Double) {
    self.azimuth = azimuth
    self.elevation = elevation
    self.azimuthSigma = azimuthSigma
    self.elevationSigma = elevationSigma
  }
}

/// What one side's receiver measured on the other side's frames.
package struct ReceiverView: Equatable, Sendable {
  package var rssiDBm: Double
  /// Power of the first path alone, dBm; `nil` if the receiver does not tell.
  package var firstPathDBm: Double?
  /// The receiver's own guess from first-path and total power; it may be wrong.
  package var looksNonLineOfSight: Bool
  /// `nil` outside the field of view, if the device is not held in portrait, or if the radio has a single
  /// antenna.
  package var angle: AngleReading?

  package init(
    rssiDBm: Double, looksNonLineOfSight: Bool, angle: AngleReading? = nil, firstPathDBm: Double? = nil
  ) {
    self.rssiDBm = rssiDBm
    self.firstPathDBm = firstPathDBm
    self.looksNonLineOfSight = looksNonLineOfSight
    self.angle = angle
  }
}

/// The result of an exchange.
package struct ExchangeOutcome: Equatable, Sendable {
  /// The frames that arrived and were decoded. A frame whose sender had no reason to send it is not included.
  /// The initiator sends `control` at the plan's start; without it the responder is unaware of the round.
  package var received: ExchangeFrames
  /// Metres, computed from the timestamps of both clocks; may be slightly negative. `nil` unless every
  /// timestamp that the method needs was taken.
  package var distance: Double?
  /// The distance's standard deviation as far as the receivers can tell, in metres, greater than 0.
  package var sigma: Double
  /// The initiator's measurements; `nil` unless the response arrived.
  package var atInitiator: ReceiverView?
  /// The responder's measurements; `nil` unless the poll arrived.
  package var atResponder: ReceiverView?

  package init(
    received: ExchangeFrames, distance: Double?, sigma: Double, atInitiator: ReceiverView? = nil,
    atResponder: ReceiverView? = nil
  ) {
    self.received = received
    self.distance = distance
    self.sigma = sigma
    self.atInitiator = atInitiator
    self.atResponder = atResponder
  }

  /// No frame arrived.
  package static let nothing = ExchangeOutcome(received: [], distance: nil, sigma: 1)
}
