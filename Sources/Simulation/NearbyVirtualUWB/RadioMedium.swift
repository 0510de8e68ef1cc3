/// One radio on the air, by the order in which it joined.
package struct RadioID: Hashable, Sendable, Comparable {
  package var index: Int
  package init(index: Int) { self.index = index }
  package static func < (left: Self, right: Self) -> Bool { left.index < right.index }
}

/// A square of the ground. Radios more than one cell apart (in either axis) never hear each other.
package struct RadioCell: Hashable, Sendable {
  package var column: Int32
  package var row: Int32
  package init(column: Int32, row: Int32) {
    self.column = column
    self.row = row
  }
}

/// Which formula turns timestamps into a distance.
package enum TwoWayMethod: Hashable, Sendable { case singleSided, doubleSided }

/// The frames of one two-way exchange.
package struct ExchangeFrames: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }
  package static let control = ExchangeFrames(rawValue: 1)
  package static let poll = ExchangeFrames(rawValue: 2)
  package static let response = ExchangeFrames(rawValue: 4)
  package static let final = ExchangeFrames(rawValue: 8)
  package static let report = ExchangeFrames(rawValue: 16)
}

/// One two-way exchange as the chips mean it: who, with whom, when.
package struct ExchangePlan: Sendable {
  package var initiator: RadioID
  package var responder: RadioID
  /// UWB channel number: 5, 6, 8, 9, 10, 12, 13 or 14.
  package var channel: UInt8
  package var method: TwoWayMethod
  /// Start of the round (its control message), world time.
  package var start: Duration
  /// Times after `start`. `final` is not sent in single-sided ranging.
  package var pollOffset: Duration
  package var responseOffset: Duration
  package var finalOffset: Duration
  package var reportOffset: Duration
  /// Frames that other rounds' frames destroyed.
  package var collided: ExchangeFrames
  package var measuresAngleAtInitiator: Bool
  package var measuresAngleAtResponder: Bool

  package init(
    initiator: RadioID, responder: RadioID, channel: UInt8, method: TwoWayMethod, start: Duration,
    pollOffset: Duration, responseOffset: Duration, finalOffset: Duration, reportOffset: Duration,
    collided: ExchangeFrames = [], measuresAngleAtInitiator: Bool = true,
    measuresAngleAtResponder: Bool = true
  ) {
    self.initiator = initiator
    self.responder = responder
    self.channel = channel
    self.method = method
    self.start = start
    self.pollOffset = pollOffset
    self.responseOffset = responseOffset
    self.finalOffset = finalOffset
    self.reportOffset = reportOffset
    self.collided = collided
    self.measuresAngleAtInitiator = measuresAngleAtInitiator
    self.measuresAngleAtResponder = measuresAngleAtResponder
  }
}

/// An angle measured from phase differences, in the receiving device's own frame.
package struct AngleReading: Equatable, Sendable {
  /// Radians. 0 is straight out of the antenna array's face; positive to the right as its owner faces that way.
  package var azimuth: Double
  /// Radians, −π/2 to π/2, positive up.
  package var elevation: Double
  /// Standard deviations, radians, > 0.
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
  /// `nil` outside the field of view, or where the chip has one antenna.
  package var angle: AngleReading?
  package init(rssiDBm: Double, looksNonLineOfSight: Bool, angle: AngleReading? = nil) {
    self.rssiDBm = rssiDBm
    self.looksNonLineOfSight = looksNonLineOfSight
    self.angle = angle
  }
}

/// What came of an exchange.
package struct ExchangeOutcome: Equatable, Sendable {
  /// The frames that arrived at their receiver and were decoded. `control` is sent at the plan's start by the
  /// initiator; an outcome without it says that the responder did not hear of the round.
  package var received: ExchangeFrames
  /// Metres, computed from the two clocks' timestamps; may be negative near zero. `nil` unless every
  /// timestamp the method needs was taken.
  package var distance: Double?
  /// What the receivers know of the distance's standard deviation, metres, > 0.
  package var sigma: Double
  /// The initiator's view, `nil` unless the response arrived.
  package var atInitiator: ReceiverView?
  /// The responder's view, `nil` unless the poll arrived.
  package var atResponder: ReceiverView?
  package init(
    received: ExchangeFrames, distance: Double?, sigma: Double, atInitiator: ReceiverView?,
    atResponder: ReceiverView?
  ) {
    self.received = received
    self.distance = distance
    self.sigma = sigma
    self.atInitiator = atInitiator
    self.atResponder = atResponder
  }
}

/// The physics under a shared air. The chips ask what they measured, never where the other is.
package protocol RadioMedium {
  /// The square a radio is in.
  mutating func cell(of radio: RadioID, at time: Duration) -> RadioCell
  /// Power of a frame at a receiver, dBm; `nil` when it is under what can disturb anybody.
  mutating func receivedPower(from: RadioID, to: RadioID, channel: UInt8, at time: Duration) -> Double?
  /// Carries one two-way exchange out: losses, timestamps, angles.
  mutating func exchange(_ plan: ExchangePlan) -> ExchangeOutcome
  /// Carries one data frame; `true` when it arrived and was decoded.
  mutating func deliver(from: RadioID, to: RadioID, channel: UInt8, at time: Duration) -> Bool
}
