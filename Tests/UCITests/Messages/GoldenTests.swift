import NearbyUCI
import Testing

/// Octets captured on the wire or taken from the specifications' tables, and their meaning.
@Suite("Golden packets") struct GoldenTests {
  struct Golden: Sendable, CustomTestStringConvertible {
    let octets: String
    let message: UCIMessage
    var dialect = UCIDialect.v2
    var testDescription: String { octets }
  }

  static let measurement = UCITwoWayMeasurement(
    address: .short(2), status: .ok, distanceCentimetres: 150,
    azimuth: UCIAngle(degreesQ9_7: 0x2D, figureOfMerit: 100),
    elevation: UCIAngle(degreesQ9_7: -19, figureOfMerit: 100),
    destinationAzimuth: UCIAngle(degreesQ9_7: -135, figureOfMerit: 100),
    destinationElevation: UCIAngle(degreesQ9_7: 19, figureOfMerit: 100), rssiHalfDecibels: 0xFF)

  static let one = UCISessionToken(1)
  static let goldens: [Golden] = [
    Golden(octets: "20000001 00", message: .command(.deviceReset(configuration: 0))),
    Golden(octets: "40000001 00", message: .response(.deviceReset(.ok))),
    Golden(octets: "60010001 01", message: .notification(.deviceStatus(.ready))),
    Golden(octets: "60010001 ff", message: .notification(.deviceStatus(.error))),
    Golden(octets: "20020000", message: .command(.getDeviceInfo)),
    // pica's versions: 2.0.0, 1.3.0, 1.3.0, 1.1.0.
    Golden(
      octets: "4002000a 00 0200 0130 0130 0110 00",
      message: .response(
        .deviceInfo(
          .ok,
          UCIDeviceInfo(
            uci: UCIVersion(major: 2, minor: 0), mac: UCIVersion(major: 1, minor: 3),
            phy: UCIVersion(major: 1, minor: 3), test: UCIVersion(major: 1, minor: 1))))),
    Golden(octets: "20030000", message: .command(.getCapabilities)),
    Golden(
      octets: "40030008 00 01 00 04 01010103",
      message: .response(.capabilities(.ok, [UCITLV(id: 0, value: [1, 1, 1, 3])]))),
    Golden(octets: "40030001 01", message: .response(.bareStatus(group: 0, opcode: 3, .rejected))),
    Golden(octets: "60070001 0a", message: .notification(.genericError(.commandRetry))),
    Golden(octets: "20080000", message: .command(.queryTimestamp)),
    Golden(
      octets: "40080009 00 0102030405060708",
      message: .response(.timestamp(.ok, microseconds: 0x0807_0605_0403_0201))),
    Golden(octets: "21000005 01000000 00", message: .command(.sessionInit(sessionID: 1, type: .ranging))),
    Golden(octets: "41000001 00", message: .response(.sessionInit(.ok, handle: nil))),
    Golden(
      octets: "41000005 00 44332211",
      message: .response(.sessionInit(.ok, handle: UCISessionToken(0x1122_3344)))),
    Golden(
      octets: "61020006 01000000 03 00", message: .notification(.sessionStatus(one, .idle, .byCommand))),
    Golden(octets: "41030002 00 00", message: .response(.setAppConfiguration(.ok, []))),
    Golden(
      octets: "41030004 04 01 04 05",
      message: .response(
        .setAppConfiguration(.invalidParameter, [UCIParameterStatus(id: 4, status: .invalidRange)]))),
    Golden(
      octets: "2107000c 01000000 00 01 0200 04030201",
      message: .command(
        .updateMulticastList(one, .add, [UCIControlee(address: 2, subSessionID: 0x0102_0304)]))),
    Golden(octets: "41070001 00", message: .response(.updateMulticastList(.ok, [])), dialect: .v1),
    Golden(
      octets: "41070005 00 01 0200 00",
      message: .response(.updateMulticastList(.ok, [UCIControleeStatus(address: 2, status: .ok)]))),
    Golden(
      octets: "6107000d 01000000 01 01 0200 04030201 03",
      message: .notification(
        .multicastList(
          one, remaining: 1,
          [UCIControleeStatus(address: 2, subSessionID: 0x0102_0304, status: .subSessionIDNotFound)])),
      dialect: .v1),
    Golden(
      octets: "61070008 01000000 01 0200 07",
      message: .notification(
        .multicastList(
          one, remaining: nil, [UCIControleeStatus(address: 2, status: .addressNotFound)]))),
    Golden(octets: "22000004 01000000", message: .command(.sessionStart(one))),
    Golden(octets: "42000001 15", message: .response(.sessionStart(.sessionNotConfigured))),
    Golden(octets: "42030005 00 10000000", message: .response(.rangingCount(.ok, 16))),
    Golden(
      octets: "62000038 01000000 07000000 00 00000000 01 00 00 00000000 00000000 01"
        + "0200 00 00 9600 2d00 64 edff 64 79ff 64 1300 64 00 ff 0000000000000000000000",
      message: .notification(
        .sessionInfo(
          UCISessionInfo(
            sequence: 1, token: UCISessionToken(7), intervalMilliseconds: 0,
            measurements: .twoWay([measurement], usesExtendedAddresses: false))))),
    Golden(
      octets: "62040005 01000000 01", message: .notification(.dataCredit(one, isAvailable: true))),
    Golden(
      octets: "62050008 01000000 0201 01 03",
      message: .notification(.dataTransferStatus(one, sequence: 0x0102, .ok, transmissions: 3))),
    // AOSP's parser has one form, regardless of the controller's version.
    Golden(
      octets: "62050008 01000000 0201 01 03",
      message: .notification(.dataTransferStatus(one, sequence: 0x0102, .ok, transmissions: 3)), dialect: .v1),
    // pica's uci_packets.pdl, SessionDataTransferStatusNtf: uci_sequence_number has 8 bits.
    Golden(
      octets: "62050007 01000000 02 01 03",
      message: .notification(.dataTransferStatus(one, sequence: 2, .ok, transmissions: 3)), dialect: .pica),
    Golden(
      octets: "01001200 01000000 0200000000000000 0100 0200 aabb",
      message: .data(.send(one, destination: 2, sequence: 1, [0xAA, 0xBB]))),
    Golden(
      octets: "01001200 01000000 0200000000000000 0100 0200 aabb",
      message: .data(.send(one, destination: 2, sequence: 1, [0xAA, 0xBB])), dialect: .v1),
    Golden(
      octets: "02001300 01000000 00 0200000000000000 0100 0200 aabb",
      message: .data(.received(one, .ok, source: 2, sequence: 1, [0xAA, 0xBB]))),
    Golden(
      octets: "02001300 01000000 00 0200000000000000 0100 0200 aabb",
      message: .data(.received(one, .ok, source: 2, sequence: 1, [0xAA, 0xBB])), dialect: .v1),
  ]

  @Test("Golden octets are parsed and written", arguments: goldens)
  func golden(_ golden: Golden) throws {
    #expect(try UCIMessage(packet: hex(golden.octets), dialect: golden.dialect) == golden.message)
    #expect(octets(golden.message, golden.dialect) == hex(golden.octets))
  }

  @Test("Every form of a transfer status is parsed in every dialect", arguments: MessageTests.dialects)
  func transferStatusForms(_ dialect: UCIDialect) throws {
    func read(_ packet: String) throws -> UCIMessage { try UCIMessage(packet: hex(packet), dialect: dialect) }
    #expect(
      try read("62050008 01000000 0201 01 03")
        == .notification(.dataTransferStatus(Self.one, sequence: 0x0102, .ok, transmissions: 3)))
    #expect(
      try read("62050007 01000000 02 01 03")
        == .notification(.dataTransferStatus(Self.one, sequence: 2, .ok, transmissions: 3)))
    // The first release of Android 14: no transmissions.
    #expect(
      try read("62050006 01000000 02 01")
        == .notification(.dataTransferStatus(Self.one, sequence: 2, .ok, transmissions: 0)))
    for size in [0, 1, 4, 5, 9] {
      let packet = hex("62050000") + [UInt8](repeating: 1, count: size)
      let counted = packet[..<3] + [UInt8(size)] + packet[4...]
      #expect(throws: UCIError.self) { try UCIMessage(packet: Array(counted), dialect: dialect) }
    }
  }

  @Test(
    "DATA_MESSAGE_RCV of Android 14's first release is parsed in every dialect",
    arguments: MessageTests.dialects)
  func earlyReceivedData(_ dialect: UCIDialect) throws {
    let packet = hex("02001700 01000000 00 01000000 0200000000000000 0000 0200 aabb")
    #expect(
      try UCIMessage(packet: packet, dialect: dialect)
        == .data(.received(Self.one, .ok, source: 2, sequence: 1, [0xAA, 0xBB])))
    // With any other length it would be a message of the current form that is too short or too long.
    #expect(throws: UCIError.self) {
      try UCIMessage(
        packet: hex("02001700 01000000 00 01000000 0200000000000000 0000 0300 aabb"), dialect: dialect)
    }
  }

  @Test("QUERY_DATA_SIZE is parsed with and without a status")
  func dataSize() throws {
    let expected = UCIMessage.response(.dataSize(Self.one, .ok, maximum: 0x0400))
    #expect(try UCIMessage(packet: hex("410b0007 01000000 00 0004"), dialect: .v2) == expected)
    #expect(try UCIMessage(packet: hex("410b0006 01000000 0004"), dialect: .v2) == expected)
  }

  @Test("A vendor's octets after the measurements are preserved")
  func vendorTail() throws {
    let info = hex("01000000 07000000 00 c8000000 01 00 00 00000000 00000000 00 0102030405060708")
    let decoded = try UCISessionInfo(parsing: info.span)
    #expect(decoded.vendor == [1, 2, 3, 4, 5, 6, 7, 8])
    #expect(decoded.intervalMilliseconds == 200)
  }

  @Test("Distances, angles and powers are converted to metres, degrees and dBm")
  func units() {
    #expect(UCIAngle(degreesQ9_7: 5760, figureOfMerit: 0).degrees == 45)
    #expect(UCITwoWayMeasurement(address: .short(1), status: .ok, rssiHalfDecibels: 120).rssiDBm == -60)
    #expect(
      UCITwoWayMeasurement(address: .short(1), status: .okNegativeDistance, distanceCentimetres: 12)
        .distanceMetres == -0.12)
    #expect(UCITwoWayMeasurement(address: .short(1), status: .rxTimeout).distanceMetres == nil)
  }

  static let qorvo =
    "2103006a010000001b000101110101030100010102060200000401092201010201001201032e010b2702080728060102030405"
    + "060d01012b08000000000000000014010a150102080260090904c80000001b0119320200002c01001301002d01000501010702"
    + "0100240100350101"

  @Test("A Qorvo host's command is parsed into 27 typed parameters and written back unchanged")
  func qorvoCommand() throws {
    let packet = hex(Self.qorvo)
    let message = try UCIMessage(packet: packet, dialect: .v2)
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
    #expect(octets(message) == packet)
  }
}
