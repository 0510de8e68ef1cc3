/// An angle measured from phase differences, in the receiving device's own frame.
package struct AngleReading: Equatable, Sendable {
  /// Radians. 0 is straight out of the antenna array's face (a phone's back, −z); positive to the device's right (+x).
  package var azimuth: Double
  /// Radians, −π/2 to π/2, positive towards the device's top (+y).
  package var elevation: Double
  /// Standard deviations as the receiver states them, radians, > 0.
  package var azimuthSigma: Double
  package var elevationSigma: Double

  package init(azimuth: Double, elevation: Double, azimuthSigma: Double, elevationSigma: Double) {
    self.azimuth = azimuth
    self.elevation = elevation
    self.azimuthSigma = azimuthSigma
    self.elevationSigma = elevationSigma
  }
}

/// What one side's receiver made of the other's frames.
package struct ReceiverView: Equatable, Sendable {
  package var rssiDBm: Double
  /// The receiver's own judgement from first-path and total power; it can err.
  package var looksNonLineOfSight: Bool
  /// `nil` outside the field of view, out of portrait, or where the radio has one antenna.
  package var angle: AngleReading?

  package init(rssiDBm: Double, looksNonLineOfSight: Bool, angle: AngleReading? = nil) {
    self.rssiDBm = rssiDBm
    self.looksNonLineOfSight = looksNonLineOfSight
    self.angle = angle
  }
}

/// The result of an exchange.
package struct ExchangeOutcome: Equatable, Sendable {
  /// The frames that arrived at their receiver and were decoded; a frame that its sender had no cause to send is not
  /// among them. The initiator sends `control` at the plan's start: without it the responder did not hear of the round.
  package var received: ExchangeFrames
  /// Metres, computed from the two clocks' timestamps; may be negative near zero. `nil` unless every timestamp the
  /// method needs was taken.
  package var distance: Double?
  /// The distance's standard deviation as far as the receivers can know, metres, > 0.
  package var sigma: Double
  /// The initiator's view, `nil` unless the response arrived.
  package var atInitiator: ReceiverView?
  /// The responder's view, `nil` unless the poll arrived.
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
