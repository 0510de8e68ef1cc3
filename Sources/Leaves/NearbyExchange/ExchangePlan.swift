/// The formula that computes a distance from timestamps.
package enum TwoWayMethod: Hashable, Sendable { case singleSided, doubleSided }

/// The frames of one two-way exchange.
@usableFromInline
package struct ExchangeFrames: OptionSet, Hashable, Sendable {
  @usableFromInline package let rawValue: UInt8
  @inlinable package init(rawValue: UInt8) { self.rawValue = rawValue }
  @inlinable package static var control: ExchangeFrames { ExchangeFrames(rawValue: 1) }
  @inlinable package static var poll: ExchangeFrames { ExchangeFrames(rawValue: 2) }
  @inlinable package static var response: ExchangeFrames { ExchangeFrames(rawValue: 4) }
  @inlinable package static var final: ExchangeFrames { ExchangeFrames(rawValue: 8) }
  @inlinable package static var report: ExchangeFrames { ExchangeFrames(rawValue: 16) }
}

/// One two-way exchange to simulate: its participants, frames and times.
package struct ExchangePlan: Sendable {
  package var initiator: RadioID
  package var responder: RadioID
  /// UWB channel number: 5, 6, 8, 9, 10, 12, 13 or 14.
  package var channel: UInt8
  package var method: TwoWayMethod
  /// Start of the round (its control message), in world time.
  package var start: Duration
  /// Offsets from `start`. Single-sided ranging does not send `final`.
  package var pollOffset: Duration
  package var responseOffset: Duration
  package var finalOffset: Duration
  package var reportOffset: Duration
  /// Frames lost to collisions with other rounds.
  package var collided: ExchangeFrames
  package var measuresAngleAtInitiator: Bool
  package var measuresAngleAtResponder: Bool

  /// The defaults are channel 9, as phones use it, double-sided ranging, and one frame every 2 ms, which is
  /// FiRa's default SLOT_DURATION of 2400 RSTU.
  package init(
    initiator: RadioID, responder: RadioID, channel: UInt8 = 9, method: TwoWayMethod = .doubleSided,
    start: Duration, pollOffset: Duration = .milliseconds(2),
    responseOffset: Duration = .milliseconds(4), finalOffset: Duration = .milliseconds(6),
    reportOffset: Duration = .milliseconds(8), collided: ExchangeFrames = [],
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
}
