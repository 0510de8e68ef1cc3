import NearbyUCI
import Testing

@Suite("Parameters") struct ParameterTests {
  /// Every parameter id with its lengths.
  static let lengths: [(ids: [ClosedRange<UInt8>], lengths: [Int])] = [
    ([0x00...0x05, 0x0B...0x0E, 0x11...0x1C, 0x1E...0x1F, 0x21...0x26, 0x29...0x29], [1]),
    ([0x2C...0x2F, 0x31...0x31, 0x35...0x37, 0x39...0x3A, 0x3C...0x40, 0x42...0x44], [1]),
    ([0x47...0x47, 0x49...0x49, 0x4C...0x4D, 0xA5...0xA5, 0xA9...0xA9, 0xE3...0xEA], [1]),
    ([0x08...0x08, 0x0F...0x10, 0x20...0x20, 0x27...0x27, 0x2A...0x2A, 0x32...0x32, 0x3B...0x3B], [2]),
    ([0xA3...0xA4, 0xA6...0xA6], [2]),
    ([0x09...0x0A, 0x30...0x30, 0x33...0x34, 0xA8...0xA8], [4]),
    ([0x06...0x06], [2, 8]), ([0x07...0x07], [0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20]), ([0x1D...0x1D], [8]),
    ([0x28...0x28], [6]), ([0x2B...0x2B], [4, 8]), ([0x38...0x38], [1, 3, 5, 9]),
    ([0x41...0x41], [1, 11, 13]), ([0x45...0x46], [16, 32]), ([0x48...0x48], [9]),
    ([0xA0...0xA0], [16]), ([0xA1...0xA1], [8]),
  ]

  @Test("Every parameter accepts its lengths, is written back unchanged, and refuses other lengths")
  func forms() throws {
    var seen = 0
    for (ids, lengths) in Self.lengths {
      for id in ids.flatMap({ Array($0) }) {
        seen += 1
        for length in 0...20 {
          // 1 in every octet, so that a number of controlees is in its range.
          let tlv = UCITLV(id: id, value: [UInt8](repeating: 1, count: length))
          if lengths.contains(length) {
            let parameter = try UCIAppParameter(tlv, dialect: .v2)
            #expect(parameter.tlv == tlv)
            #expect(parameter.id == id)
            if case .unknown = parameter { Issue.record("\(id) is unknown") }
          } else {
            #expect(throws: UCIError.wrongLength(parameter: id, found: length)) {
              try UCIAppParameter(tlv, dialect: .v2)
            }
          }
        }
      }
    }
    #expect(seen == 76 + 16)
  }

  @Test("Parameters with unknown ids keep their octets")
  func unknown() throws {
    for id in [0x4E, 0x9F, 0xA2, 0xB0, 0xEB, 0xFF] as [UInt8] {
      let tlv = UCITLV(id: id, value: [1, 2, 3])
      #expect(try UCIAppParameter(tlv, dialect: .v2) == .unknown(id: id, [1, 2, 3]))
      #expect(try UCIAppParameter(tlv, dialect: .v2).tlv == tlv)
      #expect(UCIAppParameter.name(of: id) == "unknown(\(id))")
    }
    #expect(UCIAppParameter.name(of: 0x11) == "DEVICE_ROLE")
  }

  @Test("An unknown channel is kept; a number of controlees outside 1 to 8 is refused")
  func values() throws {
    let channel = try UCIAppParameter(UCITLV(id: 4, value: [7]), dialect: .v2)
    #expect(channel == .channel(UCIChannel(rawValue: 7)))
    for count in [0, 9, 255] as [UInt8] {
      #expect(throws: UCIError.outOfRange(parameter: 5)) {
        try UCIAppParameter(UCITLV(id: 5, value: [count]), dialect: .v2)
      }
    }
    #expect(UCIError.outOfRange(parameter: 5).status == .invalidRange)
    #expect(UCIError.wrongLength(parameter: 5, found: 2).status == .invalidParameter)
  }

  @Test("Some parameters are parsed according to the dialect and the address mode")
  func context() throws {
    let time = UCITLV(id: 0x2B, value: [1, 0, 0, 0, 0, 0, 0, 0])
    #expect(
      try UCIAppParameter(time, dialect: .v2) == .initiationTime(.absolute(microseconds: 1)))
    #expect(throws: UCIError.wrongLength(parameter: 0x2B, found: 8)) {
      try UCIAppParameter(time, dialect: .v1)
    }
    let list = UCITLV(id: 7, value: [1, 0, 0, 0, 0, 0, 0, 0])
    #expect(
      try UCIAppParameter(list, dialect: .v2)
        == .destinationAddresses([.short(1), .short(0), .short(0), .short(0)]))
    #expect(
      try UCIAppParameter(list, dialect: .v2, addressMode: .extended)
        == .destinationAddresses([.extended(1)]))
    #expect(throws: UCIError.wrongLength(parameter: 7, found: 4)) {
      try UCIAppParameter(UCITLV(id: 7, value: [1, 0, 0, 0]), dialect: .v2, addressMode: .extended)
    }
  }

  @Test("Fields of a value are in wire order")
  func fields() throws {
    #expect(
      try UCIAppParameter(UCITLV(id: 0x1D, value: hex("00d3 002d 80ff 8000")), dialect: .v2)
        == .angleBounds(
          UCIAngleBounds(
            azimuthLowQ9_7: -11520, azimuthHighQ9_7: 11520, elevationLowQ9_7: -128, elevationHighQ9_7: 128)))
    #expect(
      try UCIAppParameter(UCITLV(id: 0x20, value: [24, 5]), dialect: .v2)
        == .contentionSizeRange(maximum: 24, minimum: 5))
    #expect(
      try UCIAppParameter(UCITLV(id: 0x48, value: hex("01 02000000 03000000")), dialect: .v2)
        == .sessionTimeBase(
          UCISessionTimeBase(flags: 1, reference: UCISessionToken(2), offsetMicroseconds: 3)))
    #expect(UCIAppParameter.vendorID(0x004C).tlv.value == [0x4C, 0x00])
  }

  @Test("The default parameters have their expected values")
  func defaults() throws {
    let defaults = UCIAppParameter.defaults
    #expect(Set(defaults.map(\.id)).count == defaults.count)
    for parameter in defaults { #expect(try UCIAppParameter(parameter.tlv, dialect: .v2) == parameter) }
    for expected in [
      UCIAppParameter.rangingRoundUsage(.doubleSidedDeferred), .channel(.nine), .slotDuration(rstu: 2400),
      .rangingDuration(milliseconds: 200), .slotsPerRound(25), .sfdID(2), .preambleCodeIndex(10),
      .farProximity(centimetres: 20000), .sessionPriority(50), .rframeConfiguration(.sp3),
    ] { #expect(defaults.contains(expected)) }
  }

  @Test(
    "Capabilities have their 1.x and 2.0 numbers",
    arguments: [
      (UCICapabilityKind.phyVersions, 0x00 as UInt8?, 0x02 as UInt8?), (.macVersions, 0x01, 0x03),
      (.deviceRoles, 0x02, 0x05), (.rangingMethods, 0x03, 0x06), (.stsConfigurations, 0x04, 0x07),
      (.multiNodeModes, 0x05, 0x08), (.rangingTimeStructures, 0x06, 0x09), (.scheduleModes, 0x07, 0x0A),
      (.hopping, 0x08, 0x0B), (.blockStriding, 0x09, 0x0C), (.initiationTime, 0x0A, 0x0D),
      (.channels, 0x0B, 0x0E), (.rframeConfigurations, 0x0C, 0x0F),
      (.convolutionalConstraintLengths, 0x0D, 0x10), (.bprfSets, 0x0E, 0x11), (.hprfSets, 0x0F, 0x12),
      (.angleOfArrival, 0x10, 0x13), (.extendedAddresses, 0x11, 0x14), (.maxMessageSize, 0x12, 0x00),
      (.maxDataPayloadSize, 0x13, 0x01), (.deviceTypes, nil, 0x04), (.suspendRanging, nil, 0x15),
      (.sessionKeyLength, nil, 0x16), (.maxAnchorRounds, nil, 0x17), (.maxTagRounds, nil, 0x18),
      (.tagBlockSkipping, nil, 0x19), (.psduLength, nil, 0x1A), (.powerStatistics, 0xC0, 0xC0),
      (.angleInterleaving, 0xE3, 0xE3), (.minRangingIntervalMilliseconds, 0xE4, 0xE4),
      (.notificationConfigurations, 0xE5, 0xE5), (.rssiReporting, 0xE6, 0xE6), (.diagnostics, 0xE7, 0xE7),
      (.minSlotRSTU, 0xE8, 0xE8), (.maxRangingSessions, 0xE9, 0xE9),
    ])
  func capabilityIDs(_ kind: UCICapabilityKind, _ first: UInt8?, _ second: UInt8?) {
    #expect(kind.id(version: .v1) == first)
    #expect(kind.id(version: .v2) == second)
    if let first { #expect(UCICapabilityKind(id: first, version: .v1) == kind) }
    if let second { #expect(UCICapabilityKind(id: second, version: .v2) == kind) }
  }

  @Test("Capabilities are parsed; those of unknown id or wrong length are kept")
  func capabilities() throws {
    let range = UCIVersionRange(
      lowest: UCIVersion(major: 1, minor: 1), highest: UCIVersion(major: 1, minor: 3))
    let list: [UCICapability] = [
      .number(.maxMessageSize, 1024, size: 2), .number(.maxDataPayloadSize, 512, size: 2),
      .versions(.phyVersions, range), .versions(.macVersions, range), .number(.channels, 0b1001, size: 1),
      .number(.angleOfArrival, 0b1101, size: 1), .number(.extendedAddresses, 1, size: 1),
      .number(.minRangingIntervalMilliseconds, 50, size: 4), .number(.maxRangingSessions, 5, size: 4),
      .unknown(id: 0xA0, [1, 2]),
    ]
    for dialect in [UCIDialect.v1, .v2] {
      let tlvs = list.compactMap { $0.tlv(dialect: dialect) }
      #expect(try tlvs.map { tlv throws(UCIError) in try UCICapability(tlv, dialect: dialect) } == list)
      #expect(UCICapabilities.numbering(of: tlvs) == dialect.capabilities)
      let broken = UCITLV(id: dialect == .v1 ? 0x02 : 0x05, value: [])
      let capabilities = UCICapabilities(tlvs: tlvs + [broken], dialect: dialect)
      #expect(capabilities.maxMessageSize == 1024)
      #expect(capabilities.maxDataPayloadSize == 512)
      #expect(capabilities.phyVersions == range)
      #expect(capabilities.macVersions == range)
      #expect(capabilities.channels == [.five, .nine])
      #expect(capabilities.measuresAzimuth)
      #expect(capabilities.measuresElevation)
      #expect(capabilities.supportsExtendedAddresses)
      #expect(capabilities.minRangingIntervalMilliseconds == 50)
      #expect(capabilities.maxRangingSessions == 5)
      #expect(capabilities.unknown == [UCITLV(id: 0xA0, value: [1, 2]), broken])
    }
  }

  @Test("Codes have the specification's names")
  func codes() {
    #expect(UCIStatus.commandRetry.description == "COMMAND_RETRY")
    #expect(UCIStatus(rawValue: 0x50).description == "unknown(80)")
    #expect(UCISessionState.idle.rawValue == 3)
    #expect(UCISessionState.deinitialised.rawValue == 1)
    #expect(UCIChannel.nine.description == "CHANNEL_9")
    #expect(UCITransferStatus.ok.rawValue == 1)
  }
}
