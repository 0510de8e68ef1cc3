import NearbyAccessoryProtocol
import TestSupport
import Testing

/// The octets of Apple's accessory protocol in both directions, and invalid variations of them.
@Suite("Accessory protocol encoding") struct OctetTests {
  /// `010000…` as octets; ignores spaces.
  static func octets(_ hex: String) -> [UInt8] {
    let digits = hex.compactMap(\.hexDigitValue)
    return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
  }

  /// The sample of an accessory's configuration data, after a header.
  static let initiator =
    octets("01000000 14 00000000000000000000 15")
    + octets("01 00 01 00 32 11 10 00 46 01 31 00 00 00 06 04 01 05 DA 64 00")
  /// Configuration data as sent by a development board.
  static let board = octets(
    "01000000 14 00000000000000000000 15 01000100 3ff50300 b80b0000 00000101 01 11d7 1900")
  /// The sample of shareable configuration data.
  static let shareable = octets(
    "01 00 01 00 19 55 53 08 51 00 00 0B 09 06 00 10 0E C6 00 03 17 51 EF 27 FB DD 70 75 64 00")

  static let versions: [AccessoryVersion] = [.v1_0, .v1_1, .v2_0]
  static func accessory(_ version: AccessoryVersion) -> AccessoryConfigurationData {
    var wishes = AccessoryUWBData.Wishes()
    wishes.hopping = 1
    wishes.slotsPerRound = 8
    wishes.slotDurationRSTU = 3600
    wishes.intervalMilliseconds = 240
    return AccessoryConfigurationData(
      updateRate: .infrequent,
      uwb: AccessoryUWBData(
        version: version, manufacturer: 0x0102_0304, model: 5, middleware: 6, role: .responder,
        address: 0xDA05, wishes: wishes))
  }
  static func shareable(_ version: AccessoryVersion) -> ShareableConfigurationData {
    var data = ShareableConfigurationData(
      version: version, sessionID: 0x5108, initialVector: [1, 2, 3, 4, 5, 6], phoneAddress: 0x7570)
    if version == .v2_0 { data.hopping = 1 }
    return data
  }

  @Test("An accessory's sample octets are parsed correctly and written back unchanged")
  func accessoryGoldens() throws {
    let data = try AccessoryConfigurationData(Self.initiator)
    #expect(data.version == .v1_0)
    #expect(data.updateRate == .userInteractive)
    #expect(data.uwb.version == .v1_1)
    #expect(data.uwb.role == .initiator)
    #expect(data.uwb.manufacturer == 0x0010_1132)
    #expect(data.uwb.model == 0x0031_0146)
    #expect(data.uwb.middleware == 0x0406_0000)
    #expect(data.uwb.address == 0xDA05)
    #expect(data.uwb.clockDriftPPM == 100)
    #expect(data.uwb.wishes == nil)
    #expect(data.octets == Self.initiator)
    let board = try AccessoryConfigurationData(Self.board)
    #expect(board.uwb.role == .initiator)
    #expect(board.uwb.clockDriftPPM == 25)
    #expect(board.octets == Self.board)
  }

  @Test("A phone's sample octets are parsed correctly and written back unchanged")
  func shareableGolden() throws {
    let data = try ShareableConfigurationData(Self.shareable)
    #expect(data.version == .v1_1)
    #expect(data.country == Array("US".utf8))
    #expect(data.sessionID == 0x5108)
    #expect(data.preamble == 11)
    #expect(data.channel == 9)
    #expect(data.slotsPerRound == 6)
    #expect(data.slotDurationRSTU == 3600)
    #expect(data.intervalMilliseconds == 198)
    #expect(data.roundControl == 3)
    #expect(data.initialVector == [0x17, 0x51, 0xEF, 0x27, 0xFB, 0xDD])
    #expect(data.phoneAddress == 0x7570)
    #expect(data.clockDriftPPM == 100)
    #expect(data.octets == Self.shareable)
  }

  @Test("Data of each version has the specified length and survives a round trip", arguments: versions)
  func roundTrip(_ version: AccessoryVersion) throws {
    let counts: [AccessoryVersion: (accessory: Int, phone: Int)] = [
      .v1_0: (35, 28), .v1_1: (37, 30), .v2_0: (48, 35),
    ]
    let accessory = Self.accessory(version)
    #expect(accessory.octets.count == counts[version]?.accessory)
    #expect(try AccessoryConfigurationData(accessory.octets) == accessory)
    let phone = Self.shareable(version)
    #expect(phone.octets.count == counts[version]?.phone)
    #expect(try ShareableConfigurationData(phone.octets) == phone)
  }

  @Test("Trailing octets are ignored in each version", arguments: versions)
  func trailing(_ version: AccessoryVersion) throws {
    #expect(
      try AccessoryConfigurationData(Self.accessory(version).octets + [1, 2, 3]) == Self.accessory(version))
    #expect(
      try ShareableConfigurationData(Self.shareable(version).octets + [9]) == Self.shareable(version))
  }

  @Test("A later minor version is read as the last known one, and its additional octets are kept")
  func laterMinorVersion() throws {
    var octets = Self.initiator
    octets[2] = 7
    octets[18] = 4
    octets[15] = 24
    octets += [0xAA, 0xBB, 0xCC]
    let data = try AccessoryConfigurationData(octets)
    #expect(data.version == AccessoryVersion(1, 7))
    #expect(data.uwb.version == AccessoryVersion(1, 4))
    #expect(data.uwb.clockDriftPPM == 100)
    #expect(data.uwb.extra == [0xAA, 0xBB, 0xCC])
    #expect(data.octets == octets)
    var phone = Self.shareable
    phone[2] = 3
    phone[4] = 27
    let read = try ShareableConfigurationData(phone + [7, 8])
    #expect(read.extra == [7, 8])
    #expect(read.octets == phone + [7, 8])
  }

  @Test("No strict prefix is accepted", arguments: versions)
  func prefixes(_ version: AccessoryVersion) {
    let accessory = Self.accessory(version).octets
    for count in accessory.indices {
      #expect(throws: AccessoryProtocolError.self) {
        try AccessoryConfigurationData(Array(accessory.prefix(count)))
      }
    }
    let phone = Self.shareable(version).octets
    for count in phone.indices {
      #expect(throws: AccessoryProtocolError.self) {
        try ShareableConfigurationData(Array(phone.prefix(count)))
      }
    }
  }

  @Test("Any changed octet is refused, or read and written back unchanged", arguments: versions)
  func changedOctets(_ version: AccessoryVersion) throws {
    for index in Self.accessory(version).octets.indices {
      for value in UInt8.min...UInt8.max {
        var octets = Self.accessory(version).octets
        octets[index] = value
        if let data = try? AccessoryConfigurationData(octets) {
          #expect(data.octets == Array(octets.prefix(data.octets.count)))
        }
        var phone = Self.shareable(version).octets
        guard index < phone.count else { continue }
        phone[index] = value
        if let data = try? ShareableConfigurationData(phone) {
          #expect(data.octets == Array(phone.prefix(data.octets.count)))
        }
      }
    }
  }

  struct Refusal: Sendable, CustomTestStringConvertible {
    let what: String
    let error: AccessoryProtocolError
    let octets: [UInt8]
    var testDescription: String { what }
    init(_ what: String, _ error: AccessoryProtocolError, _ base: [UInt8], _ changes: [Int: UInt8]) {
      self.what = what
      self.error = error
      var octets = base
      for (index, value) in changes { octets[index] = value }
      self.octets = octets
    }
  }

  @Test(
    "A phone refuses invalid accessory data with a reason",
    arguments: [
      Refusal("15 octets", .truncated(.length, needed: 16, left: 15), Array(initiator.prefix(15)), [:]),
      Refusal("outer version 2", .unsupportedVersion(.version, AccessoryVersion(2, 0)), initiator, [0: 2]),
      Refusal("length beyond the end", .truncated(.length, needed: 22, left: 21), initiator, [15: 22]),
      Refusal("18 octets", .tooShort(.length, length: 18, needed: 19), initiator, [15: 18]),
      Refusal("1.1 without drift", .tooShort(.length, length: 19, needed: 21), initiator, [15: 19]),
      Refusal("2.0 without schedule", .tooShort(.length, length: 21, needed: 32), initiator, [16: 2]),
      Refusal("inner 0", .unsupportedVersion(.uwbVersion, AccessoryVersion(0, 1)), initiator, [16: 0]),
      Refusal("inner 3", .unsupportedVersion(.uwbVersion, AccessoryVersion(3, 1)), initiator, [16: 3]),
      Refusal("role 2", .outOfRange(.role, value: 2), initiator, [32: 2]),
      Refusal("role 5", .outOfRange(.role, value: 5), initiator, [32: 5]),
    ])
  func refusedAccessory(_ refusal: Refusal) {
    #expect(throws: refusal.error) { try AccessoryConfigurationData(refusal.octets) }
  }

  @Test(
    "An accessory refuses invalid phone data with a reason",
    arguments: [
      Refusal("no octets", .truncated(.version, needed: 2, left: 0), [], [:]),
      Refusal("version 3", .unsupportedVersion(.version, AccessoryVersion(3, 1)), shareable, [0: 3]),
      Refusal("22 octets", .tooShort(.length, length: 22, needed: 25), shareable, [4: 22]),
      Refusal("length beyond the end", .truncated(.length, needed: 26, left: 25), shareable, [4: 26]),
      Refusal("preamble 8", .outOfRange(.preamble, value: 8), shareable, [11: 8]),
      Refusal("channel 7", .outOfRange(.channel, value: 7), shareable, [12: 7]),
      Refusal("5 slots", .outOfRange(.slotsPerRound, value: 5), shareable, [13: 5]),
      Refusal("slot duration 0", .outOfRange(.slotDuration, value: 0), shareable, [15: 0, 16: 0]),
      Refusal("a round longer than the interval", .outOfRange(.interval, value: 17), shareable, [17: 17]),
    ])
  func refusedShareable(_ refusal: Refusal) {
    #expect(throws: refusal.error) { try ShareableConfigurationData(refusal.octets) }
  }

  @Test("Each message has its id, and survives a round trip")
  func messages() throws {
    let all: [(AccessoryMessage, [UInt8])] = [
      (.configurationData(Self.initiator), [1] + Self.initiator), (.didStart, [2]), (.didStop, [3]),
      (.initialize, [0x0A]), (.configureAndStart(Self.shareable), [0x0B] + Self.shareable), (.stop, [0x0C]),
    ]
    for (message, octets) in all {
      #expect(message.octets == octets)
      #expect(try AccessoryMessage(octets) == message)
    }
    #expect(throws: AccessoryProtocolError.truncated(.messageID, needed: 1, left: 0)) {
      try AccessoryMessage([])
    }
    for id in UInt8.min...UInt8.max where !all.contains(where: { $0.1[0] == id }) {
      #expect(throws: AccessoryProtocolError.unknownMessage(id)) { try AccessoryMessage([id, 1, 2]) }
    }
  }

  @Test("Random octets are refused, or read and written back unchanged")
  func randomOctets() {
    for seed in UInt64(0)..<2000 {
      var generator = SeededGenerator(seed: seed)
      var octets = (0..<Int.random(in: 0...60, using: &generator)).map { _ in
        UInt8.random(in: 0...255, using: &generator)
      }
      // Keep the versions small, because hardly any random version is valid.
      for index in [0, 2, 16, 18] where index < octets.count { octets[index] &= 1 }
      for index in [1, 3, 17, 19] where index < octets.count { octets[index] = 0 }
      if let data = try? AccessoryConfigurationData(octets) {
        #expect(data.octets == Array(octets.prefix(data.octets.count)), "seed \(seed)")
      }
      if let data = try? ShareableConfigurationData(octets) {
        #expect(data.octets == Array(octets.prefix(data.octets.count)), "seed \(seed)")
      }
      if let message = try? AccessoryMessage(octets) {
        #expect((try? AccessoryMessage(message.octets)) == message, "seed \(seed)")
      }
    }
  }
}
