import Testing
import UCI

@Suite("Goldens") struct GoldenTests {
  @Test("A recorded two-way notification reads and writes back")
  func sessionInfo() throws {
    let octets = hex(
      "62000038 01000000 07000000 00 00000000 01 00 00 00000000 00000000 01"
        + "0200 00 00 9600 2d00 64 edff 64 79ff 64 1300 64 00 ff 0000000000000000000000")
    let message = try UCIMessage(packet: octets, dialect: .v2)
    let measurement = UCITwoWayMeasurement(
      address: .short(2), status: .ok, distanceCentimetres: 150,
      azimuth: UCIAngle(degreesQ9_7: 0x2D, figureOfMerit: 100),
      elevation: UCIAngle(degreesQ9_7: -19, figureOfMerit: 100),
      destinationAzimuth: UCIAngle(degreesQ9_7: -135, figureOfMerit: 100),
      destinationElevation: UCIAngle(degreesQ9_7: 19, figureOfMerit: 100), rssiHalfDecibels: 0xFF)
    #expect(
      message
        == .notification(
          .sessionInfo(
            UCISessionInfo(
              sequence: 1, token: UCISessionToken(7), intervalMilliseconds: 0,
              measurements: .twoWay([measurement], usesExtendedAddresses: false)))))
    var written: [UInt8] = []
    message.write(to: &written, dialect: .v2)
    #expect(written == octets)
  }
}

/// Octets of hexadecimal text; spaces do not count.
func hex(_ text: String) -> [UInt8] {
  let digits = text.filter { !$0.isWhitespace && $0 != "|" }.compactMap(\.hexDigitValue)
  return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
}

extension GoldenTests {
  static let qorvo =
    "2103006a010000001b000101110101030100010102060200000401092201010201001201032e010b2702080728060102030405"
    + "060d01012b08000000000000000014010a150102080260090904c80000001b0119320200002c01001301002d01000501010702"
    + "0100240100350101"

  @Test("The command of a Qorvo host has 27 parameters, all of them typed, and writes back")
  func qorvoCommand() throws {
    let octets = hex(Self.qorvo)
    let message = try UCIMessage(packet: octets, dialect: .v2)
    guard case .command(.setAppConfiguration(let token, let tlvs)) = message else {
      Issue.record("not a SET_APP_CONFIG")
      return
    }
    #expect(token == UCISessionToken(1))
    #expect(tlvs.count == 27)
    let parameters = try tlvs.map { tlv throws(UCIError) in try UCIAppParameter(tlv, dialect: .v2) }
    #expect(parameters.map(\.tlv) == tlvs)
    #expect(
      parameters == [
        .deviceType(.controller), .deviceRole(.initiator), .multiNodeMode(.unicast),
        .rangingRoundUsage(.doubleSidedDeferred), .deviceAddress(.short(0)), .channel(.nine),
        .scheduleMode(.timeScheduled), .stsConfiguration(.fixed), .rframeConfiguration(.sp3),
        .resultReportConfiguration(0x0B), .vendorID(0x0708), .staticSTSIV([1, 2, 3, 4, 5, 6]),
        .angleRequest(.both), .initiationTime(.absolute(microseconds: 0)), .preambleCodeIndex(10),
        .sfdID(2), .slotDuration(rstu: 2400), .rangingDuration(milliseconds: 200), .slotsPerRound(25),
        .maxNumberOfMeasurements(0), .hoppingMode(0), .rssiReporting(0), .blockStrideLength(0),
        .numberOfControlees(1), .destinationAddresses([.short(1)]), .keyRotationRate(0),
        .stsLength(.symbols64),
      ])
    var written: [UInt8] = []
    message.write(to: &written, dialect: .v2)
    #expect(written == octets)
  }
}
