/// One two-way exchange to be carried out: who, with whom, when.
package struct Exchange: Sendable {
  /// Which formula turns timestamps into a distance.
  package enum Method: Hashable, Sendable { case singleSided, doubleSided }

  /// The frames of an exchange.
  package struct Frames: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }
    package static let control = Frames(rawValue: 1)
    package static let poll = Frames(rawValue: 2)
    package static let response = Frames(rawValue: 4)
    package static let final = Frames(rawValue: 8)
    package static let report = Frames(rawValue: 16)
  }

  package var initiator: Int
  package var responder: Int
  /// UWB channel: 5, 6, 8, 9, 10, 12, 13 or 14.
  package var channel: UInt8
  package var method: Method
  /// World time of the control frame.
  package var start: Duration
  /// Times of the other frames after `start`.
  package var pollOffset: Duration
  package var responseOffset: Duration
  package var finalOffset: Duration
  package var reportOffset: Duration
  /// Frames that others destroyed.
  package var collided: Frames
  package var measuresAngleAtInitiator: Bool
  package var measuresAngleAtResponder: Bool

  package init(
    initiator: Int, responder: Int, channel: UInt8 = 9, method: Method = .doubleSided,
    start: Duration, pollOffset: Duration = .milliseconds(2),
    responseOffset: Duration = .milliseconds(4), finalOffset: Duration = .milliseconds(6),
    reportOffset: Duration = .milliseconds(8), collided: Frames = [],
    measuresAngleAtInitiator: Bool = true, measuresAngleAtResponder: Bool = true
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

  /// A direction measured by phase, in the measuring device's own frame; radians.
  package struct Angle: Equatable, Sendable {
    /// 0 straight out of the back, positive to the device's right (+x).
    package var azimuth: Double
    /// −π/2 to π/2, positive towards the device's top (+y).
    package var elevation: Double
    /// Standard deviations that the receiver states, > 0.
    package var azimuthSigma: Double
    package var elevationSigma: Double
  }

  /// What one side's receiver made of the other's frames.
  package struct View: Equatable, Sendable {
    package var rssi: Double
    /// The receiver's own judgement from first-path and total power; it can err.
    package var looksNonLineOfSight: Bool
    /// `nil` outside the field of view, out of portrait, or with one antenna.
    package var angle: Angle?
  }

  /// What came of an exchange.
  package struct Outcome: Equatable, Sendable {
    /// Frames that arrived and were decoded; a frame that its sender had no cause to send is not among them.
    package var received: Frames
    /// Metres; `nil` unless every timestamp the method needs was taken. May be negative near zero.
    package var distance: Double?
    /// The distance's standard deviation as far as the receivers can know, metres, > 0.
    package var sigma: Double
    /// `nil` unless the response arrived.
    package var atInitiator: View?
    /// `nil` unless the poll arrived.
    package var atResponder: View?

    package static let nothing = Outcome(received: [], distance: nil, sigma: 1)
  }
}
