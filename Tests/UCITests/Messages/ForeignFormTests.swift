import NearbyUCI
import Testing

/// Octets as defined by the hosts of AOSP, google/pica, Qorvo and NXP, written out by hand.
@Suite("Messages in other vendors' forms") struct ForeignFormTests {
  struct Form: Sendable, CustomTestStringConvertible {
    let source: String
    let octets: String
    let message: UCIMessage
    /// The length of a prefix of the payload that is a message of another form, or a refusal with only a
    /// status.
    var otherForm: Int?
    var testDescription: String { source }
  }

  static let token = UCISessionToken(0x1234_5678)
  static let azimuth = UCIFrameAngle(
    timeDifference: 0x0102, phaseDifference: 0x0304, angle: UCIAngle(degreesQ9_7: 5760, figureOfMerit: 80),
    axis: 0)

  static let forms: [Form] = [
    // The vector of AOSP's test_build_data_transfer_phase_config_cmd. Bits 3 to 1 of the control octet are 1,
    // so a bitmap has 2 octets. The count is one entry, not five octets.
    Form(
      source: "AOSP: data transfer phase",
      octets: "210e000c 78563412 00 02 01 0001 0203 00",
      message: .command(
        .configureDataTransferPhase(
          token, repetition: 0, control: 2,
          [UCITransferPhaseEntry(address: .short(0x0100), slotBitmap: [2, 3], stop: 0)])),
      otherForm: 11),
    Form(
      source: "AOSP: data transfer phase with long addresses and bitmaps of one octet",
      octets: "210e001b 78563412 03 01 02 0807060504030201 f0 00 1817161514131211 0f 01",
      message: .command(
        .configureDataTransferPhase(
          token, repetition: 3, control: 1,
          [
            UCITransferPhaseEntry(address: .extended(0x0102_0304_0506_0708), slotBitmap: [0xF0], stop: 0),
            UCITransferPhaseEntry(address: .extended(0x1112_1314_1516_1718), slotBitmap: [0x0F], stop: 1),
          ])), otherForm: 25),
    Form(
      source: "Android 15: data transfer phase, entries without a stop octet",
      octets: "210e000d 78563412 00 00 02 2211 f0 4433 0f",
      message: .command(
        .configureDataTransferPhase(
          token, repetition: 0, control: 0,
          [
            UCITransferPhaseEntry(address: .short(0x1122), slotBitmap: [0xF0], stop: nil),
            UCITransferPhaseEntry(address: .short(0x3344), slotBitmap: [0x0F], stop: nil),
          ]))),
    Form(
      source: "AOSP: data transfer phase, notification", octets: "610e0005 78563412 01",
      message: .notification(.dataTransferPhase(token, .duplicateSlots))),
    // Qorvo's session_update_dt_anchor_ranging_rounds, NXP's serialize_update_active_rounds_anchor_payload.
    Form(
      source: "Qorvo and NXP: DT-anchor rounds, slots in the order of the addresses",
      octets: "2108000f 78563412 02 05 00 06 01 02 0a00 0b00 00",
      message: .command(
        .updateDTAnchorRounds(
          token,
          [
            .responder(round: 5),
            .initiator(round: 6, UCIAnchorResponders(addresses: [.short(0x0A), .short(0x0B)])),
          ]))),
    Form(
      source: "Qorvo and NXP: DT-anchor rounds, slots assigned, long addresses",
      octets: "21080012 78563412 01 06 01 01 0807060504030201 01 03",
      message: .command(
        .updateDTAnchorRounds(
          token,
          [
            .initiator(
              round: 6, UCIAnchorResponders(addresses: [.extended(0x0102_0304_0506_0708)], slots: [3]))
          ]))),
    Form(
      source: "Qorvo: destinations of an initiating anchor's rounds",
      octets: "210a000e 78563412 01 02 02 0a00 0b00 01 0203",
      message: .command(
        .setInitiatorAnchorRounds(
          token,
          [
            UCIAnchorRoundResponders(
              round: 2,
              responders: UCIAnchorResponders(addresses: [.short(0x0A), .short(0x0B)], slots: [2, 3]))
          ]))),
    Form(
      source: "AOSP: hybrid controller, address size in each phase's control octet",
      octets: "210c0021 78563412 02 46352413 1111 2111 00 0201 02000000 0100 0200 01 0807060504030201",
      message: .command(
        .setHybridControllerPhases(
          token,
          UCIHybridSchedule(phases: [
            UCIHybridPhase(
              token: UCISessionToken(0x1324_3546), startSlot: 0x1111, endSlot: 0x1121, control: 0,
              address: .short(0x0102)),
            UCIHybridPhase(
              token: UCISessionToken(2), startSlot: 1, endSlot: 2, control: 1,
              address: .extended(0x0102_0304_0506_0708)),
          ])))),
    Form(
      source: "Android 15: hybrid controller with message control and update time",
      octets: "210c0019 78563412 03 01 0807060504030201 46352413 1111 2111 03 0201",
      message: .command(
        .setHybridControllerPhases(
          token,
          UCIHybridSchedule(
            phases: [
              UCIHybridPhase(
                token: UCISessionToken(0x1324_3546), startSlot: 0x1111, endSlot: 0x1121, control: 3,
                address: .short(0x0102))
            ],
            earlyHead: UCIHybridSchedule.EarlyHead(
              messageControl: 3, updateTime: 0x0102_0304_0506_0708))))),
    Form(
      source: "AOSP: hybrid controlee", octets: "210d000d 78563412 02 01000000 02000000",
      message: .command(.setHybridControleePhases(token, [UCISessionToken(1), UCISessionToken(2)]))),
    Form(
      source: "AOSP: hybrid controller, response", octets: "410c0001 00",
      message: .response(.setHybridControllerPhases(.ok))),
    Form(source: "AOSP: suspend", octets: "20060000", message: .command(.deviceSuspend)),
    Form(
      source: "AOSP: suspend, response", octets: "40060001 16",
      message: .response(.deviceSuspend(.activeSessionsOngoing))),
    Form(source: "AOSP: power statistics", octets: "2c000000", message: .command(.getPowerStatistics)),
    Form(
      source: "AOSP: power statistics, response",
      octets: "4c000011 00 01000000 02000000 03000000 04000000",
      message: .response(
        .powerStatistics(
          .ok,
          UCIPowerStatistics(
            idleMilliseconds: 1, transmitMilliseconds: 2, receiveMilliseconds: 3, wakes: 4))), otherForm: 1),
    Form(
      source: "AOSP: country code", octets: "2c010002 5553", message: .command(.setCountryCode([0x55, 0x53]))),
    // The first vector of AOSP's test AndroidRangeDiagnosticsNtf.
    Form(
      source: "AOSP: range diagnostics, RSSI",
      octets: "6c020011 01010101 02020202 01 00 01 02 01 00 0100 00",
      message: .notification(
        .rangeDiagnostics(
          UCIRangeDiagnostics(
            token: UCISessionToken(0x0101_0101), sequence: 0x0202_0202,
            reports: [UCIFrameReport(messageID: .poll, action: 1, antennaSet: 2, fields: [.rssi([0])])])))),
    Form(
      source: "AOSP: range diagnostics, angles and a type to come",
      octets: "6c02001d 01000000 02000000 01 01 00 00 02 01 0800 0201 0403 8016 50 00 07 0200 aabb",
      message: .notification(
        .rangeDiagnostics(
          UCIRangeDiagnostics(
            token: UCISessionToken(1), sequence: 2,
            reports: [
              UCIFrameReport(
                messageID: .response, fields: [.angles([azimuth]), .other(type: 7, [0xAA, 0xBB])])
            ])))),
  ]

  @Test("Each form is parsed and written back unchanged", arguments: forms)
  func bothWays(_ form: Form) throws {
    let packet = hex(form.octets)
    #expect(Int(packet[3]) == packet.count - 4, "length stated in the golden packet")
    #expect(try UCIMessage(packet: packet, dialect: .v2) == form.message)
    #expect(octets(form.message) == packet)
  }

  @Test("Every strict prefix and every extra octet is refused", arguments: forms)
  func prefixes(_ form: Form) {
    let packet = hex(form.octets)
    let payload = packet.dropFirst(4)
    for count in payload.indices.map({ $0 - 4 }) + [payload.count + 1] where count != form.otherForm {
      let cut = Array((Array(payload) + [0]).prefix(count))
      #expect(throws: UCIError.self, "\(count) of \(payload.count) octets") {
        try UCIMessage(packet: Array(packet[..<3]) + [UInt8(count)] + cut, dialect: .v2)
      }
    }
  }

  @Test(
    "Capability versions are parsed as octets and as nibbles, and written back unchanged",
    arguments: [
      ("01010103", "1.1.0", "1.3.0", false), ("01010200", "1.1.0", "2.0.0", false),
      ("0110 0130", "1.1.0", "1.3.0", true), ("0110 0201", "1.1.0", "2.0.1", true),
      ("0100 0200", "1.0.0", "2.0.0", false),
    ])
  func versions(_ octets: String, _ lowest: String, _ highest: String, _ hasNibbles: Bool) throws {
    for dialect in [UCIDialect.v1, .v2] {
      let tlv = UCITLV(id: dialect == .v1 ? 0 : 2, value: hex(octets))
      let capability = try UCICapability(tlv, dialect: dialect)
      guard case .versions(.phyVersions, let range) = capability else {
        Issue.record("\(capability)")
        return
      }
      #expect(range.lowest.description == lowest)
      #expect(range.highest.description == highest)
      #expect(range.hasNibbles == hasNibbles)
      #expect(capability.tlv(dialect: dialect) == tlv)
    }
  }

  @Test("A version range created here is written as plain octets")
  func writtenVersions() {
    let range = UCIVersionRange(
      lowest: UCIVersion(major: 1, minor: 1), highest: UCIVersion(major: 2, minor: 0, maintenance: 3))
    #expect(
      UCICapability.versions(.macVersions, range).tlv(dialect: .v2) == UCITLV(id: 3, value: [1, 1, 2, 0]))
  }

  @Test("A count of entries without their octets is refused")
  func hugeCounts() {
    for packet in [
      "210e0007 01000000 00 0e ff", "21080005 01000000 ff", "210a0005 01000000 ff", "210c0005 01000000 ff",
      "210d0005 01000000 ff", "6c020009 01000000 01000000 ff",
    ] {
      #expect(throws: UCIError.self) { try UCIMessage(packet: hex(packet), dialect: .v2) }
    }
    #expect(UCITransferPhaseEntry.bitmapSize(control: 0xFF) == 128)
    #expect(throws: UCIError.unsupported(.role, value: 2)) {
      try UCIMessage(packet: hex("21080007 01000000 01 00 02"), dialect: .v2)
    }
  }
}
