import NearbyUCI
import TestSupport
import Testing

@Suite("Messages") struct MessageTests {
  static let dialects: [UCIDialect] = [.v1, .v2, .pica]

  @Test("Every form of every message survives a round trip", arguments: dialects)
  func roundTrip(_ dialect: UCIDialect) throws {
    for seed in 0..<200 as Range<UInt64> {
      var source = MessageSource(random: SeededGenerator(seed: seed), dialect: dialect)
      for message in source.all() {
        let raw = message.raw(dialect: dialect)
        #expect(try UCIMessage(raw, dialect: dialect) == message, "seed \(seed)")
        var reassembler = UCIReassembler()
        #expect(reassembler.received(octets(message, dialect)) == [.message(raw)], "seed \(seed)")
      }
    }
  }

  @Test("A packet cut at any point is reported as truncated", arguments: dialects)
  func prefixes(_ dialect: UCIDialect) {
    var source = MessageSource(random: SeededGenerator(seed: 1), dialect: dialect)
    for message in source.all() {
      let packet = octets(message, dialect)
      guard packet.count <= UCIPacketHeader.size + 255 else { continue }
      for count in packet.indices {
        #expect {
          try UCIMessage(packet: Array(packet[..<count]), dialect: dialect)
        } throws: { error in
          if case .truncated(let field, _, let left)? = error as? UCIError {
            return field == (count < 4 ? .header : .payload) && left == (count < 4 ? count : count - 4)
          }
          return false
        }
      }
    }
  }

  @Test(
    "A payload cut at any point throws or gives another message that survives a round trip",
    arguments: dialects)
  func payloadPrefixes(_ dialect: UCIDialect) throws {
    var source = MessageSource(random: SeededGenerator(seed: 2), dialect: dialect)
    for message in source.all() {
      let raw = message.raw(dialect: dialect)
      for count in raw.payload.indices {
        expectStable(
          UCIRawMessage(type: raw.type, id: raw.id, payload: Array(raw.payload[..<count])), dialect)
      }
      expectStable(UCIRawMessage(type: raw.type, id: raw.id, payload: raw.payload + [0]), dialect)
    }
  }

  @Test("A changed octet throws or gives another message that survives a round trip", arguments: dialects)
  func mutations(_ dialect: UCIDialect) throws {
    var source = MessageSource(random: SeededGenerator(seed: 3), dialect: dialect)
    for message in source.all() {
      let raw = message.raw(dialect: dialect)
      for index in raw.payload.indices {
        for change in [0x01, 0x02, 0x80, 0xFF, 0x55] as [UInt8] {
          var changed = raw
          changed.payload[index] ^= change
          expectStable(changed, dialect)
        }
      }
    }
  }

  private func expectStable(_ raw: UCIRawMessage, _ dialect: UCIDialect) {
    guard let message = try? UCIMessage(raw, dialect: dialect) else { return }
    #expect((try? UCIMessage(message.raw(dialect: dialect), dialect: dialect)) == message)
  }

  @Test(
    "The error for a payload of the wrong size has the field and the status to answer with",
    arguments: [
      (
        "", UCIMessageID.deviceReset, UCIError.truncated(.resetConfiguration, needed: 1, left: 0),
        UCIStatus.invalidMessageSize
      ),
      ("0000", .deviceReset, .leftover(.payload, count: 1), .invalidMessageSize),
      ("00", .deviceInfo, .leftover(.payload, count: 1), .invalidMessageSize),
      ("", .sessionInit, .truncated(.sessionID, needed: 4, left: 0), .invalidMessageSize),
      ("01000000", .sessionInit, .truncated(.sessionType, needed: 1, left: 0), .invalidMessageSize),
      ("010000", .sessionStart, .truncated(.token, needed: 4, left: 3), .invalidMessageSize),
      ("01000000", .setAppConfiguration, .truncated(.count, needed: 1, left: 0), .invalidMessageSize),
      ("01000000 01", .setAppConfiguration, .truncated(.parameterID, needed: 2, left: 0), .syntaxError),
      (
        "01000000 01 0402 09", .setAppConfiguration, .truncated(.parameterValue, needed: 2, left: 1),
        .syntaxError
      ),
      ("01000000 00 01", .multicastList, .truncated(.controleeAddress, needed: 6, left: 0), .syntaxError),
      (
        "01000000 03 01 0100 00000000", .multicastList, .truncated(.controleeAddress, needed: 38, left: 6),
        .syntaxError
      ),
    ])
  func errors(_ payload: String, _ id: UCIMessageID, _ error: UCIError, _ status: UCIStatus) {
    let octets = hex(payload)
    #expect(throws: error) {
      try UCICommand(group: id.group, opcode: id.opcode, payload: octets.span, dialect: .v2)
    }
    #expect(error.status == status)
  }

  @Test("An unknown group and an unknown opcode have different statuses")
  func unknownStatuses() {
    #expect(UCIMessageID(group: 0, opcode: 0x3F).unknownStatus == .unknownOpcode)
    #expect(UCIMessageID(group: 1, opcode: 0x0F).unknownStatus == .unknownOpcode)
    #expect(UCIMessageID(group: 0x0C, opcode: 0x11).unknownStatus == .unknownOpcode)
    #expect(UCIMessageID(group: 0x0D, opcode: 0).unknownStatus == .unknownGroup)
    #expect(UCIMessageID(group: 5, opcode: 0).unknownStatus == .unknownGroup)
    #expect(UCIMessageID(group: 9, opcode: 0).unknownStatus == .unknownGroup)
  }

  @Test("A count of 255 entries without their octets is truncated")
  func hugeCount() {
    #expect(throws: UCIError.truncated(.measurement, needed: 255 * 31, left: 0)) {
      try UCIMessage(
        packet: hex("62000019 01000000 07000000 00 00000000 01 00 00 00000000 00000000 ff"), dialect: .v2)
    }
  }
}
