/// One frame of a DL-TDoA round as a tag heard it.
///
/// Times are in ranging ticks of 1 / (128 × 499.2 MHz), 15.65 ps.
package struct UCIDownlinkTDoAMeasurement: Hashable, Sendable {
  /// A time stamp in ticks, of one of the two sizes of the wire.
  package enum Timestamp: Hashable, Sendable {
    /// The low 40 bits count.
    case bits40(UInt64)
    case bits64(UInt64)
  }

  /// Where an anchor says it is.
  package enum Location: Hashable, Sendable {
    case none
    /// Latitude and longitude in signed Q9.24 degrees (33 bits), altitude in signed Q9.21 (30 bits).
    case wgs84(latitudeQ9_24: Int64, longitudeQ9_24: Int64, altitudeQ9_21: Int32)
    /// Signed, 28, 28 and 24 bits.
    case relative(x: Int32, y: Int32, z: Int32)
  }

  package var address: UCIAddress
  package var status: UCIStatus
  /// 0 poll, 1 response, 2 final.
  package var messageType: UInt8
  package var hasCommonTimeBase: Bool
  /// Bits 15 to 11 of the message control, as they were; 5 bits.
  package var reservedControl: UInt8
  package var blockIndex: UInt16
  package var roundIndex: UInt8
  package var nonLineOfSight: UInt8
  package var azimuth: UCIAngle
  package var elevation: UCIAngle
  /// Unsigned Q7.1 magnitude: dBm × −2; 0 means not reported.
  package var rssiHalfDecibels: UInt8
  package var transmitted: Timestamp
  package var received: Timestamp
  /// Parts per million in signed Q6.10, anchor against the common time base.
  package var anchorClockOffsetQ6_10: Int16
  /// Parts per million in signed Q6.10, anchor against the tag.
  package var clockOffsetQ6_10: Int16
  /// Ticks.
  package var initiatorReplyTime: UInt32
  /// Ticks.
  package var responderReplyTime: UInt32
  /// Ticks.
  package var timeOfFlight: UInt16
  package var location: Location
  /// Up to 15 round indexes.
  package var activeRounds: [UInt8]

  package init(
    address: UCIAddress, status: UCIStatus = .ok, messageType: UInt8 = 0, hasCommonTimeBase: Bool = false,
    reservedControl: UInt8 = 0, blockIndex: UInt16 = 0, roundIndex: UInt8 = 0, nonLineOfSight: UInt8 = 0,
    azimuth: UCIAngle = .notAvailable, elevation: UCIAngle = .notAvailable, rssiHalfDecibels: UInt8 = 0,
    transmitted: Timestamp = .bits64(0), received: Timestamp = .bits64(0),
    anchorClockOffsetQ6_10: Int16 = 0, clockOffsetQ6_10: Int16 = 0, initiatorReplyTime: UInt32 = 0,
    responderReplyTime: UInt32 = 0, timeOfFlight: UInt16 = 0, location: Location = .none,
    activeRounds: [UInt8] = []
  ) {
    self.address = address
    self.status = status
    self.messageType = messageType
    self.hasCommonTimeBase = hasCommonTimeBase
    self.reservedControl = reservedControl & 0x1F
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
