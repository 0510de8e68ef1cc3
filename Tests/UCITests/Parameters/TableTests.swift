import NearbyUCI
import Testing

/// The meaning of each number in the specifications' tables, which a round trip alone can't check.
@Suite("Tables of the specification") struct TableTests {
  @Test(
    "Status codes",
    arguments: [
      (UCIStatus.ok, 0x00), (.rejected, 0x01), (.failed, 0x02), (.syntaxError, 0x03),
      (.invalidParameter, 0x04), (.invalidRange, 0x05), (.invalidMessageSize, 0x06), (.unknownGroup, 0x07),
      (.unknownOpcode, 0x08), (.readOnly, 0x09), (.commandRetry, 0x0A), (.unknown, 0x0B),
      (.notApplicable, 0x0C), (.sessionDoesNotExist, 0x11), (.sessionDuplicate, 0x12),
      (.sessionActive, 0x13), (.tooManySessions, 0x14), (.sessionNotConfigured, 0x15),
      (.activeSessionsOngoing, 0x16), (.multicastListFull, 0x17), (.addressNotFound, 0x18),
      (.addressAlreadyPresent, 0x19), (.initiationTimeTooOld, 0x1A), (.okNegativeDistance, 0x1B),
      (.txFailed, 0x20), (.rxTimeout, 0x21), (.rxPhyDecodeFailed, 0x22), (.rxTimeOfArrivalFailed, 0x23),
      (.rxStsFailed, 0x24), (.rxMacDecodeFailed, 0x25), (.rxMacIEDecodeFailed, 0x26),
      (.rxMacIEMissing, 0x27), (.roundNotActivated, 0x28), (.tooManyActiveRounds, 0x29),
      (.addressNotInReplyList, 0x2A), (.psduTooLarge, 0x30), (.dataCRCFailed, 0x31), (.internalError, 0xFF),
    ] as [(UCIStatus, UInt8)])
  func statuses(_ status: UCIStatus, _ value: UInt8) {
    #expect(status.rawValue == value)
    #expect(!status.description.hasPrefix("unknown("))
  }

  @Test(
    "Reason codes",
    arguments: [
      (UCIReason.byCommand, 0x00), (.maxRoundRetries, 0x01), (.maxMeasurements, 0x02),
      (.suspendedInBand, 0x03), (.resumedInBand, 0x04), (.stoppedInBand, 0x05), (.uplinkTDoAWindow, 0x1D),
      (.minFrames, 0x1E), (.interFrameInterval, 0x1F), (.slotLength, 0x20), (.tooFewSlots, 0x21),
      (.macAddressMode, 0x22), (.rangingDuration, 0x23), (.stsConfiguration, 0x24),
      (.rframeConfiguration, 0x25), (.hybridSlots, 0x26), (.hybridContentionFreeShort, 0x27),
      (.hybridContentionShort, 0x28), (.hybridOther, 0x29), (.sessionKeyNotFound, 0x2A),
      (.subSessionKeyNotFound, 0x2B), (.preambleCode, 0x2C), (.sfd, 0x2D), (.psduRate, 0x2E),
      (.phrRate, 0x2F), (.preambleDuration, 0x30), (.stsLength, 0x31), (.stsSegments, 0x32),
      (.numberOfControlees, 0x33), (.maxReplyTime, 0x34), (.destinationList, 0x35), (.subSessionID, 0x36),
      (.resultReportConfiguration, 0x37), (.rangingRoundControl, 0x38), (.rangingRoundUsage, 0x39),
      (.multiNodeMode, 0x3A), (.rdsFetch, 0x3B), (.referenceSessionMissing, 0x3C),
      (.referenceSessionDuration, 0x3D), (.referenceSessionOffset, 0x3E), (.referenceSessionLost, 0x3F),
      (.anchorRoundsNotConfigured, 0x40), (.tagRoundsNotConfigured, 0x41), (.initiationTimeExpired, 0x42),
    ] as [(UCIReason, UInt8)])
  func reasons(_ reason: UCIReason, _ value: UInt8) {
    #expect(reason.rawValue == value)
    #expect(!reason.description.hasPrefix("unknown("))
  }

  @Test(
    "Groups and opcodes",
    arguments: [
      (UCICommand.deviceReset(configuration: 0), 0, 0x00), (.getDeviceInfo, 0, 0x02),
      (.getCapabilities, 0, 0x03), (.setDeviceConfiguration([]), 0, 0x04),
      (.getDeviceConfiguration([]), 0, 0x05), (.queryTimestamp, 0, 0x08),
      (.sessionInit(sessionID: 1, type: .ranging), 1, 0x00), (.sessionDeinit(GoldenTests.one), 1, 0x01),
      (.setAppConfiguration(GoldenTests.one, []), 1, 0x03),
      (.getAppConfiguration(GoldenTests.one, []), 1, 0x04), (.getSessionCount, 1, 0x05),
      (.getSessionState(GoldenTests.one), 1, 0x06),
      (.updateMulticastList(GoldenTests.one, .add, []), 1, 0x07),
      (.updateDTAnchorRounds(GoldenTests.one, []), 1, 0x08),
      (.updateDTTagRounds(GoldenTests.one, []), 1, 0x09), (.queryDataSize(GoldenTests.one), 1, 0x0B),
      (.deviceSuspend, 0, 0x06), (.setInitiatorAnchorRounds(GoldenTests.one, []), 1, 0x0A),
      (.setHybridControllerPhases(GoldenTests.one, UCIHybridSchedule(phases: [])), 1, 0x0C),
      (.setHybridControleePhases(GoldenTests.one, []), 1, 0x0D),
      (.configureDataTransferPhase(GoldenTests.one, repetition: 0, control: 0, []), 1, 0x0E),
      (.getPowerStatistics, 0x0C, 0x00), (.setCountryCode([0x44, 0x45]), 0x0C, 0x01),
      (.sessionStart(GoldenTests.one), 2, 0x00), (.sessionStop(GoldenTests.one), 2, 0x01),
      (.getRangingCount(GoldenTests.one), 2, 0x03),
    ] as [(UCICommand, UInt8, UInt8)])
  func ids(_ command: UCICommand, _ group: UInt8, _ opcode: UInt8) {
    #expect(command.id == UCIMessageID(group: group, opcode: opcode))
    let packet = octets(.command(command))
    #expect(Array(packet[..<2]) == [0x20 | group, opcode])
  }

  @Test(
    "Application parameters have the ids of the table",
    arguments: [
      (UCIAppParameter.deviceType(.controller), "00 01 01"), (.rangingRoundUsage(.oneWayAngle), "01 01 06"),
      (.stsConfiguration(.provisioned), "02 01 03"), (.multiNodeMode(.oneToMany), "03 01 01"),
      (.channel(.five), "04 01 05"), (.numberOfControlees(8), "05 01 08"),
      (.deviceAddress(.short(0x0102)), "06 02 0201"),
      (.deviceAddress(.extended(0x0102_0304_0506_0708)), "06 08 0807060504030201"),
      (.destinationAddresses([.short(1), .short(2)]), "07 04 01000200"),
      (.slotDuration(rstu: 2400), "08 02 6009"),
      (.rangingDuration(milliseconds: 200), "09 04 c8000000"), (.stsIndex(1), "0a 04 01000000"),
      (.macFCSType(.crc32), "0b 01 01"), (.rangingRoundControl(3), "0c 01 03"),
      (.angleRequest(.interleaved), "0d 01 f0"),
      (.notificationConfiguration(.proximityAndAngleEdge), "0e 01 07"),
      (.nearProximity(centimetres: 1), "0f 02 0100"),
      (.farProximity(centimetres: 20000), "10 02 204e"), (.deviceRole(.downlinkTag), "11 01 08"),
      (.rframeConfiguration(.sp3), "12 01 03"), (.preambleCodeIndex(10), "14 01 0a"), (.sfdID(2), "15 01 02"),
      (.psduDataRate(.rate31M2), "16 01 03"), (.preambleDuration(.symbols64), "17 01 01"),
      (.slotsPerRound(25), "1b 01 19"),
      (.prfMode(.hprf249M6), "1f 01 02"), (.contentionSizeRange(maximum: 24, minimum: 5), "20 02 1805"),
      (.scheduleMode(.timeScheduled), "22 01 01"), (.macAddressMode(.extended), "26 01 02"),
      (.vendorID(0x0708), "27 02 0807"), (.staticSTSIV([1, 2, 3, 4, 5, 6]), "28 06 010203040506"),
      (.maxRoundRetries(3), "2a 02 0300"), (.initiationTime(.relative(milliseconds: 5)), "2b 04 05000000"),
      (.hoppingMode(1), "2c 01 01"), (.blockStrideLength(2), "2d 01 02"),
      (.resultReportConfiguration(0x0F), "2e 01 0f"),
      (.inBandTerminationAttemptCount(3), "2f 01 03"), (.subSessionID(1), "30 04 01000000"),
      (.bprfPHRDataRate(.rate6M81), "31 01 01"), (.maxNumberOfMeasurements(9), "32 02 0900"),
      (.stsLength(.symbols128), "35 01 02"), (.suspendRangingRounds(1), "36 01 01"),
      (.mtuSize(1048), "3b 02 1804"),
      (.dataTransferStatusConfiguration(1), "47 01 01"), (.oneWayAngleNotificationPeriod(1), "4d 01 01"),
      (.downlinkTDoANotificationVersion(1), "4f 01 01"),
      (.downlinkTDoAInitiatorRounds([2, 5]), "52 02 02 05"),
      (.sessionPriority(50), "25 01 32"), (.rssiReporting(1), "13 01 01"),
    ])
  func parameters(_ parameter: UCIAppParameter, _ text: String) throws {
    let expected = hex(text)
    #expect([parameter.id, UInt8(parameter.tlv.value.count)] + parameter.tlv.value == expected)
    let tlv = UCITLV(id: expected[0], value: Array(expected.dropFirst(2)))
    #expect(try UCIAppParameter(tlv, dialect: .v2) == parameter)
    #expect(!UCIAppParameter.name(of: parameter.id).hasPrefix("unknown"))
  }

  @Test("Every field of a DL-TDoA measurement is parsed and written")
  func downlink() throws {
    // Control: common time base, TX 64 bits, RX 40 bits, WGS-84, two rounds.
    let payload = hex(
      "01000000 02000000 00 c8000000 02 00 00 00000000 00000000 01"
        + "aabb 00 02 2301 0500 03 01 0080 32 0001 64 78 0807060504030201 0504030201 00fc 0002 01000000 02000000"
        + "0300 ffffffff 80800000 3fbfffff 0709")
    let info = try UCISessionInfo(parsing: payload.span)
    let expected = UCIDownlinkTDoAMeasurement(
      address: .short(0xBBAA), status: .ok, messageType: 2, hasCommonTimeBase: true, blockIndex: 5,
      roundIndex: 3, nonLineOfSight: 1, azimuth: UCIAngle(degreesQ9_7: -32768, figureOfMerit: 50),
      elevation: UCIAngle(degreesQ9_7: 256, figureOfMerit: 100), rssiHalfDecibels: 120,
      transmitted: .bits64(0x0102_0304_0506_0708), received: .bits40(0x01_0203_0405),
      anchorClockOffsetQ6_10: -1024, clockOffsetQ6_10: 512, initiatorReplyTime: 1, responderReplyTime: 2,
      timeOfFlight: 3, location: .wgs84(latitudeQ9_24: -1, longitudeQ9_24: 1, altitudeQ9_21: -2),
      activeRounds: [7, 9])
    #expect(info.measurements == .downlinkTDoA([expected], usesExtendedAddresses: false))
    var written: [UInt8] = []
    info.write(to: &written)
    #expect(written == payload)
  }

  /// AOSP's vector for the parser of DL-TDoA notifications: two measurements, with a relative and a WGS-84 location. Their
  /// control has bit 4 set, which is reserved, and receive timestamps of 40 bits.
  @Test("AOSP's two DL-TDoA measurements are parsed and written")
  func downlinkVector() throws {
    let octets = hex(
      "01000000 02000000 00 c8000000 02 00 00 00000000 00000000 02"
        + "0a0133055305020507090a01020507090a01020507090a01020507090507090a"
        + "01020507090507090a010205070907090507090a01020507090a010205070905"
        + "0a0133053305020507090a01020507090a01020507090a01020507090507090a"
        + "01020507090507090a010205070907090507090a010201020507090a010205070905")
    let info = try UCISessionInfo(parsing: octets.span)
    guard case .downlinkTDoA(let list, usesExtendedAddresses: false) = info.measurements else {
      Issue.record("not a list of DL-TDoA measurements: \(info.measurements)")
      return
    }
    try #require(list.count == 2)
    #expect(
      list[0].location == .relative(xMillimetres: 461_063, yMillimetres: -110_079_856, zMillimetres: 131_338))
    #expect(
      list[1].location
        == .wgs84(latitudeQ9_24: 151_456_007, longitudeQ9_24: 336_727_562, altitudeQ9_21: 33_818_628))
    for measurement in list {
      #expect(measurement.address == .short(0x010A))
      #expect(measurement.status.rawValue == 0x33)
      #expect(measurement.messageType == 5)
      #expect(measurement.hasCommonTimeBase)
      #expect(measurement.blockIndex == 0x0502)
      #expect(measurement.roundIndex == 7)
      #expect(measurement.transmitted == .bits64(0x0201_0A09_0705_0201))
      #expect(measurement.received == .bits40(0x07_0509_0705))
      #expect(measurement.anchorClockOffsetQ6_10 == 0x0A09)
      #expect(measurement.clockOffsetQ6_10 == 0x0201)
      #expect(measurement.initiatorReplyTime == 0x0509_0705)
      #expect(measurement.responderReplyTime == 0x010A_0907)
      #expect(measurement.timeOfFlight == 0x0502)
      #expect(measurement.activeRounds == [5, 7, 9, 10, 1, 2, 5, 7, 9, 5])
    }
    var written: [UInt8] = []
    info.write(to: &written)
    #expect(written == octets)
  }

  /// The sizes and the address are those of AOSP's vector for extended addresses: control 0x010A, timestamps of 64
  /// bits, no location, two rounds.
  @Test("A DL-TDoA measurement with an extended address is parsed and written")
  func downlinkExtended() throws {
    let payload = hex(
      "01000000 02000000 00 c8000000 02 00 01 00000000 00000000 01"
        + "0a01330533050205 00 01 0a01 0502 07 09 010a 02 0507 09 0a 0201090a05070102 0507090507090a01"
        + "090a 0102 05070905 0a010907 0502 0509")
    let info = try UCISessionInfo(parsing: payload.span)
    let expected = UCIDownlinkTDoAMeasurement(
      address: .extended(0x0502_0533_0533_010A), status: .ok, messageType: 1, hasCommonTimeBase: false,
      blockIndex: 0x0205, roundIndex: 7, nonLineOfSight: 9,
      azimuth: UCIAngle(degreesQ9_7: 0x0A01, figureOfMerit: 2),
      elevation: UCIAngle(degreesQ9_7: 0x0705, figureOfMerit: 9), rssiHalfDecibels: 10,
      transmitted: .bits64(0x0201_0705_0A09_0102), received: .bits64(0x010A_0907_0509_0705),
      anchorClockOffsetQ6_10: 0x0A09, clockOffsetQ6_10: 0x0201, initiatorReplyTime: 0x0509_0705,
      responderReplyTime: 0x0709_010A, timeOfFlight: 0x0205, activeRounds: [5, 9])
    #expect(info.measurements == .downlinkTDoA([expected], usesExtendedAddresses: true))
    var written: [UInt8] = []
    info.write(to: &written)
    #expect(written == payload)
    for count in payload.indices.dropFirst(26) {
      #expect(throws: UCIError.self) { try UCISessionInfo(parsing: Array(payload.prefix(count)).span) }
    }
  }

  @Test("Every field of a one-way angle measurement is parsed and written")
  func oneWay() throws {
    let payload = hex(
      "01000000 02000000 00 c8000000 03 00 01 00000000 00000000 01"
        + "0807060504030201 00 01 09 0500 0080 32 0001 64")
    let info = try UCISessionInfo(parsing: payload.span)
    let expected = UCIOneWayAngleMeasurement(
      address: .extended(0x0102_0304_0506_0708), status: .ok, nonLineOfSight: 1, frameSequence: 9,
      blockIndex: 5, azimuth: UCIAngle(degreesQ9_7: -32768, figureOfMerit: 50),
      elevation: UCIAngle(degreesQ9_7: 256, figureOfMerit: 100))
    #expect(info.measurements == .oneWayAngle([expected], usesExtendedAddresses: true))
    var written: [UInt8] = []
    info.write(to: &written)
    #expect(written == payload)
  }
}
