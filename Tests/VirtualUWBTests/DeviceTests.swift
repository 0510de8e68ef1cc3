import NearbyExchange
import NearbyUCI
import NearbyVirtualUWB
import Testing

@Suite("Device commands")
struct DeviceTests {
  @Test("Power-on sends READY")
  func powerOn() {
    var air = VirtualAir(seed: 1)
    let radio = air.addChip(VirtualChipConfiguration(), at: .zero)
    #expect(air.takeActions() == [.send([0x60, 0x01, 0, 1, 1], to: radio)])
  }

  @Test("Each command gets the expected answer, octet by octet", arguments: Self.table)
  func answers(_ row: (command: [UInt8], answers: [[UInt8]])) {
    var bench = AirBench()
    bench.addChip()
    #expect(bench.send(row.command) == row.answers)
  }

  static let table: [(command: [UInt8], answers: [[UInt8]])] = [
    // DEVICE_RESET, then its notification. Any configuration other than 0 is rejected.
    ([0x20, 0, 0, 1, 0], [[0x40, 0, 0, 1, 0], [0x60, 1, 0, 1, 1]]),
    ([0x20, 0, 0, 1, 9], [[0x40, 0, 0, 1, 4]]),
    // GET_DEVICE_INFO of a 1.x chip.
    ([0x20, 2, 0, 0], [[0x40, 2, 0, 10, 0, 1, 0x10, 1, 0x30, 1, 0x30, 1, 0x10, 0]]),
    // SET_CONFIG: LOW_POWER_MODE; the state, which is read-only; out of range; unknown.
    ([0x20, 4, 0, 4, 1, 1, 1, 0], [[0x40, 4, 0, 2, 0, 0]]),
    ([0x20, 4, 0, 4, 1, 0, 1, 0], [[0x40, 4, 0, 4, 9, 1, 0, 9]]),
    ([0x20, 4, 0, 4, 1, 1, 1, 2], [[0x40, 4, 0, 4, 5, 1, 1, 5]]),
    ([0x20, 4, 0, 4, 1, 0x33, 1, 2], [[0x40, 4, 0, 4, 4, 1, 0x33, 4]]),
    // GET_CONFIG: both; an unknown one is listed alone with length 0.
    ([0x20, 5, 0, 3, 2, 0, 1], [[0x40, 5, 0, 8, 0, 2, 0, 1, 1, 1, 1, 1]]),
    ([0x20, 5, 0, 3, 2, 0, 0x77], [[0x40, 5, 0, 4, 4, 1, 0x77, 0]]),
    // QUERY_UWBS_TIMESTAMP at power-on.
    ([0x20, 8, 0, 0], [[0x40, 8, 0, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0]]),
    // Unknown opcodes in known groups, unknown groups.
    ([0x20, 0x3F, 0, 0], [[0x40, 0x3F, 0, 1, 8]]),
    ([0x21, 0x3F, 0, 0], [[0x41, 0x3F, 0, 1, 8]]),
    ([0x22, 0x3F, 0, 0], [[0x42, 0x3F, 0, 1, 8]]),
    ([0x29, 0, 0, 2, 1, 2], [[0x49, 0, 0, 1, 7]]),
    ([0x2F, 1, 0, 0], [[0x4F, 1, 0, 1, 7]]),
    // Android's country code, and other commands of its group.
    ([0x2C, 1, 0, 2, 0x44, 0x45], [[0x4C, 1, 0, 1, 0]]), ([0x2C, 1, 0, 1, 0x44], [[0x4C, 1, 0, 1, 6]]),
    ([0x2C, 0, 0, 0], [[0x4C, 0, 0, 17, 0] + [UInt8](repeating: 0, count: 16)]),
    ([0x2C, 0, 0, 1, 0], [[0x4C, 0, 0, 1, 6]]), ([0x2C, 2, 0, 0], [[0x4C, 2, 0, 1, 8]]),
    // Radar belongs to Android, and RF tests have their own group. Both are unknown here: FiRa UCI 2.0
    // §4.3.2.
    ([0x2C, 0x11, 0, 5, 1, 0, 0, 0, 0], [[0x4C, 0x11, 0, 1, 8]]),
    ([0x2C, 0x12, 0, 5, 1, 0, 0, 0, 0], [[0x4C, 0x12, 0, 1, 8]]),
    ([0x2D, 0, 0, 5, 0, 0, 0, 0, 0], [[0x4D, 0, 0, 1, 7]]), ([0x2D, 2, 0, 0], [[0x4D, 2, 0, 1, 7]]),
    ([0x2D, 7, 0, 0], [[0x4D, 7, 0, 1, 7]]),
    // An idle chip suspends; the next command wakes it.
    ([0x20, 6, 0, 0], [[0x40, 6, 0, 1, 0]]), ([0x20, 6, 0, 1, 0], [[0x40, 6, 0, 1, 6]]),
    // Sessions that do not exist.
    ([0x21, 1, 0, 4, 1, 0, 0, 0], [[0x41, 1, 0, 1, 0x11]]),
    ([0x21, 3, 0, 8, 1, 0, 0, 0, 1, 4, 1, 9], [[0x41, 3, 0, 2, 0x11, 0]]),
    ([0x21, 4, 0, 6, 1, 0, 0, 0, 1, 4], [[0x41, 4, 0, 2, 0x11, 0]]),
    ([0x21, 5, 0, 0], [[0x41, 5, 0, 2, 0, 0]]),
    ([0x21, 6, 0, 4, 1, 0, 0, 0], [[0x41, 6, 0, 2, 0x11, 1]]),
    ([0x21, 7, 0, 6, 1, 0, 0, 0, 0, 0], [[0x41, 7, 0, 1, 0x11]]),
    ([0x21, 0x0B, 0, 4, 1, 0, 0, 0], [[0x41, 0x0B, 0, 7, 1, 0, 0, 0, 0x11, 0, 0]]),
    ([0x21, 8, 0, 5, 1, 0, 0, 0, 0], [[0x41, 8, 0, 2, 0x11, 0]]),
    ([0x21, 0x0A, 0, 5, 1, 0, 0, 0, 0], [[0x41, 0x0A, 0, 2, 0x11, 0]]),
    ([0x21, 0x0C, 0, 5, 1, 0, 0, 0, 0], [[0x41, 0x0C, 0, 1, 0x11]]),
    ([0x21, 0x0D, 0, 5, 1, 0, 0, 0, 0], [[0x41, 0x0D, 0, 1, 0x11]]),
    ([0x21, 0x0E, 0, 7, 1, 0, 0, 0, 0, 0, 0], [[0x41, 0x0E, 0, 1, 0x11]]),
    ([0x22, 0, 0, 4, 1, 0, 0, 0], [[0x42, 0, 0, 1, 0x11]]),
    ([0x22, 1, 0, 4, 1, 0, 0, 0], [[0x42, 1, 0, 1, 0x11]]),
    ([0x22, 3, 0, 4, 1, 0, 0, 0], [[0x42, 3, 0, 5, 0x11, 0, 0, 0, 0]]),
    // A host must not send responses or notifications, so they get no answer.
    ([0x40, 0, 0, 1, 0], []), ([0x60, 1, 0, 1, 1], []),
  ]

  @Test("Capabilities use the dialect's numbering", arguments: [UCIDialect.v1, .v2])
  func capabilities(_ dialect: UCIDialect) throws {
    var bench = AirBench()
    bench.addChip(VirtualChipConfiguration(dialect: dialect, channels: [5, 9], maximumSessions: 3))
    guard case .response(.capabilities(.ok, let tlvs)) = bench.command(.getCapabilities).first else {
      Issue.record("no capabilities")
      return
    }
    let capabilities = UCICapabilities(tlvs: tlvs, dialect: dialect)
    #expect(UCICapabilities.numbering(of: tlvs) == dialect.capabilities)
    #expect(capabilities.channels == [.five, .nine])
    #expect(capabilities.maxRangingSessions == 3)
    #expect(capabilities.maxDataPayloadSize == 1040)
    #expect(capabilities.measuresAzimuth)
    #expect(capabilities.unknown.isEmpty)
  }

  /// AOSP's FiraDecoder rejects a chip whose capabilities lack one of these, or have it with another length.
  static let androidNeeds: [UCIDialect.Version: [UInt8: Int]] = [
    .v1: [
      0x00: 4, 0x01: 4, 0x02: 1, 0x03: 1, 0x04: 1, 0x05: 1, 0x06: 1, 0x07: 1, 0x08: 1, 0x09: 1, 0x0A: 1,
      0x0B: 1, 0x0C: 1, 0x0D: 1, 0x0E: 1, 0x0F: 5, 0x10: 1, 0x11: 1, 0x12: 2, 0x13: 2, 0xE3: 1,
    ],
    .v2: [
      0x00: 2, 0x01: 2, 0x02: 4, 0x03: 4, 0x04: 1, 0x05: 2, 0x06: 2, 0x07: 1, 0x08: 1, 0x09: 1, 0x0A: 1,
      0x0B: 1, 0x0C: 1, 0x0D: 1, 0x0E: 1, 0x0F: 1, 0x10: 1, 0x11: 1, 0x12: 5, 0x13: 1, 0x14: 1, 0x15: 1,
      0x16: 1, 0xE3: 1,
    ],
  ]

  @Test(
    "Capabilities include everything that Android's decoder needs, once each",
    arguments: [UCIDialect.v1, .v2, .pica])
  func androidCapabilities(_ dialect: UCIDialect) throws {
    var bench = AirBench()
    bench.addChip(VirtualChipConfiguration(dialect: dialect))
    guard case .response(.capabilities(.ok, let tlvs)) = bench.command(.getCapabilities).first else {
      Issue.record("no capabilities")
      return
    }
    #expect(Set(tlvs.map(\.id)).count == tlvs.count)
    for (id, length) in try #require(Self.androidNeeds[dialect.capabilities]) {
      #expect(tlvs.first { $0.id == id }?.value.count == length, "\(id)")
    }
    // Android's, in both versions: power statistics, RSSI, diagnostics; then the numbers of 4 octets.
    for id in [0xC0, 0xE3, 0xE6, 0xE7] as [UInt8] {
      #expect(tlvs.first { $0.id == id }?.value == [1], "\(id)")
    }
    for id in [0xE5, 0xE8, 0xE9] as [UInt8] { #expect(tlvs.first { $0.id == id }?.value.count == 4) }
    let versions: [UInt8] = dialect.capabilities == .v1 ? [1, 1, 1, 3] : [1, 1, 2, 0]
    let first: UInt8 = dialect.capabilities == .v1 ? 0 : 2
    for id in [first, first + 1] { #expect(tlvs.first { $0.id == id }?.value == versions) }
  }

  @Test("Each chip's clock starts when it is powered")
  func timestamp() {
    var bench = AirBench()
    bench.addChip()
    bench.advance(250)
    bench.addChip()
    bench.advance(3)
    #expect(bench.command(.queryTimestamp, 0) == [.response(.timestamp(.ok, microseconds: 253_000))])
    #expect(bench.command(.queryTimestamp, 1) == [.response(.timestamp(.ok, microseconds: 3_000))])
  }

  @Test("A reset is answered, deinitialises every session, then reports READY")
  func resetWithSessions() {
    var bench = AirBench.pair()
    bench.start()
    bench.advance(20)
    let answers = bench.send([0x20, 0, 0, 1, 0])
    #expect(answers == [[0x40, 0, 0, 1, 0], [0x61, 2, 0, 6, 7, 0, 0, 0, 1, 0], [0x60, 1, 0, 1, 1]])
    #expect(bench.advance(1000)[0] == nil)
  }

  @Test("A command in segments is executed as one command")
  func segments() {
    var bench = AirBench()
    bench.addChip()
    #expect(bench.send([0x31, 0, 0, 3, 9, 0, 0]) == [])
    #expect(bench.send([0x21, 0]) == [])
    #expect(
      bench.send([0, 2, 0, 0]) == [[0x41, 0, 0, 1, 0], [0x61, 2, 0, 6, 9, 0, 0, 0, 0, 0]])
  }

  @Test("A command interrupted by another is refused, and the other is answered")
  func interruptedSegments() {
    var bench = AirBench()
    bench.addChip()
    #expect(bench.send([0x31, 0, 0, 3, 9, 0, 0]) == [])
    #expect(bench.send([0x21, 5, 0, 0]) == [[0x41, 0, 0, 1, 3], [0x41, 5, 0, 2, 0, 0]])
  }

  @Test("A command over the maximum message size is refused and dropped")
  func tooLong() {
    var bench = AirBench()
    bench.addChip(VirtualChipConfiguration(dialect: .v1, maximumMessageSize: 600))
    var answers: [[UInt8]] = []
    for _ in 0..<100 {
      answers += bench.send([0x31, 3, 0, 255] + [UInt8](repeating: 0, count: 255))
    }
    answers += bench.send([0x21, 3, 0, 0])
    #expect(answers == [[0x41, 3, 0, 1, 6]])
    #expect(bench.send([0x21, 5, 0, 0]) == [[0x41, 5, 0, 2, 0, 0]])
  }

  @Test("Octets fed one by one or all at once give the same answers")
  func drip() {
    let stream: [UInt8] =
      [0x20, 0, 0, 1, 0, 0x21, 0, 0, 5, 1, 0, 0, 0, 0, 0xFF, 0xFE, 0x21, 5, 0, 0, 0x01, 0, 2, 0, 1, 2]
      + [0x20, 2, 0, 0]
    var whole = AirBench()
    whole.addChip()
    var dripped = AirBench()
    dripped.addChip()
    let expected = whole.send(stream)
    #expect(expected.count == 6)
    #expect(stream.flatMap { dripped.send([$0]) } == expected)
  }

  @Test("A removed chip neither answers nor is received")
  func removed() {
    var bench = AirBench.pair()
    bench.start()
    bench.advance(20)
    bench.air.removeChip(RadioID(index: 1), at: bench.now)
    #expect(bench.send([0x21, 5, 0, 0], from: RadioID(index: 1)) == [])
    #expect(bench.advance(100)[0]?.measurements.map(\.status) == [.rxTimeout])
  }
}
