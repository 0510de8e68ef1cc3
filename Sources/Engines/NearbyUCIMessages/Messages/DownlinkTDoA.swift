/// One frame of a DL-TDoA round, as a tag received it.
package struct UCIDownlinkTDoAMeasurement: Hashable, Sendable {
  /// A timestamp in ticks, in either of the two sizes used on the wire.
  package enum Timestamp: Hashable, Sendable {
    /// Only the low 40 bits are significant.
    case bits40(UInt64)
    case bits64(UInt64)
  }

  /// The bits of the message control that no field uses.
  static let reservedBits: UInt16 = 0xF814

  package var address: UCIAddress
  package var status: UCIStatus
  /// 0 poll, 1 response, 2 final.
  package var messageType: UInt8
  package var hasCommonTimeBase: Bool
  /// Bits 2, 4 and 11 to 15 of the message control, unchanged and at their places.
  package var reservedControl: UInt16
  package var blockIndex: UInt16
  package var roundIndex: UInt8
  package var nonLineOfSight: UInt8
  package var azimuth: UCIAngle
  package var elevation: UCIAngle
  /// Unsigned Q7.1 value: dBm × −2; 0 if not reported.
  package var rssiHalfDecibels: UInt8
  package var transmitted: Timestamp
  package var received: Timestamp
  /// The anchor's clock offset to the common time base: parts per million in signed Q6.10.
  package var anchorClockOffsetQ6_10: Int16
  /// The anchor's clock offset to the tag: parts per million in signed Q6.10.
  package var clockOffsetQ6_10: Int16
  /// Ticks.
  package var initiatorReplyTime: UInt32
  /// Ticks.
  package var responderReplyTime: UInt32
  /// Ticks.
  package var timeOfFlight: UInt16
  /// The anchor's location; `nil` if the message holds none.
  package var location: UCIAnchorLocation?
  /// The indexes of the active rounds, at most 15.
  package var activeRounds: [UInt8]

  package init(
    address: UCIAddress, status: UCIStatus = .ok, messageType: UInt8 = 0, hasCommonTimeBase: Bool = false,
    reservedControl: UInt16 = 0, blockIndex: UInt16 = 0, roundIndex: UInt8 = 0, nonLineOfSight: UInt8 = 0,
    azimuth: UCIAngle = .notAvailable, elevation: UCIAngle = .notAvailable, rssiHalfDecibels: UInt8 = 0,
    transmitted: Timestamp = .bits64(0), received: Timestamp = .bits64(0),
    anchorClockOffsetQ6_10: Int16 = 0, clockOffsetQ6_10: Int16 = 0, initiatorReplyTime: UInt32 = 0,
    responderReplyTime: UInt32 = 0, timeOfFlight: UInt16 = 0, location: UCIAnchorLocation? = nil,
    activeRounds: [UInt8] = []
  ) {
    self.address = address
    self.status = status
    self.messageType = messageType
    self.hasCommonTimeBase = hasCommonTimeBase
    self.reservedControl = reservedControl & Self.reservedBits
    self.blockIndex = blockIndex
    self.roundIndex = roundIndex
    self.nonLineOfSight = nonLineOfSight
    self.azimuth = azimuth
    self.elevation = elevation
    self.rssiHalfDecibels = rssiHalfDecibels
    self.transmitted = transmitted
    self.received = received
    self.anchorClockOffsetQ6_10 = anchorClockOffsetQ6_10
    self.clockOffsetQ6_10 = clockOffsetQ6_10
    self.initiatorReplyTime = initiatorReplyTime
    self.responderReplyTime = responderReplyTime
    self.timeOfFlight = timeOfFlight
    self.location = location
    self.activeRounds = Array(activeRounds.prefix(15))
  }
}
