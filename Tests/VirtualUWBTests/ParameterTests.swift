import NearbyExchange
import NearbyUCI
import NearbyVirtualUWB
import Testing

@Suite("Application parameters")
struct ParameterTests {
  private func makeBench() -> AirBench {
    var bench = AirBench()
    bench.addChip(VirtualChipConfiguration(dialect: .v1, channels: [5, 9], measuresAngles: false))
    bench.command(.sessionInit(sessionID: 7, type: .ranging))
    return bench
  }

  @Test("Each refused parameter has its own status", arguments: Self.refusals)
  func refused(_ row: (id: UInt8, value: [UInt8], status: UCIStatus)) {
    var bench = makeBench()
    let answer = bench.command(
      .setAppConfiguration(bench.token(0), [UCITLV(id: row.id, value: row.value)]))
    #expect(
      answer == [
        .response(.setAppConfiguration(row.status, [UCIParameterStatus(id: row.id, status: row.status)]))
      ])
  }

  static let refusals: [(id: UInt8, value: [UInt8], status: UCIStatus)] = [
    (0x00, [2], .invalidRange), (0x00, [], .invalidParameter), (0x00, [0, 0], .invalidParameter),
    (0x01, [10], .invalidRange), (0x02, [5], .invalidRange), (0x03, [3], .invalidRange),
    (0x04, [8], .invalidRange), (0x04, [7], .invalidRange), (0x05, [0], .invalidRange),
    (0x05, [9], .invalidRange), (0x06, [1], .invalidParameter), (0x06, [1, 2, 3], .invalidParameter),
    (0x06, [1, 2, 3, 4, 5, 6, 7, 8], .invalidParameter), (0x07, [1, 2, 3, 4], .invalidParameter),
    (0x08, [0, 0], .invalidRange), (0x09, [0, 0, 0, 0], .invalidRange), (0x09, [1, 0], .invalidParameter),
    (0x0D, [1], .notApplicable), (0x0D, [4], .invalidRange), (0x0E, [8], .invalidRange),
    (0x11, [9], .invalidRange), (0x12, [2], .invalidRange), (0x14, [13], .invalidRange),
    (0x15, [5], .invalidRange), (0x1B, [0], .invalidRange), (0x1F, [3], .invalidRange),
    (0x22, [2], .invalidRange), (0x26, [3], .invalidRange), (0x28, [1, 2, 3, 4, 5], .invalidParameter),
    (0x2B, [1, 2, 3, 4, 5], .invalidParameter), (0x2C, [3], .invalidRange),
    (0x1D, [1, 0, 0, 0, 0, 0, 0, 0], .invalidRange), (0x45, [1], .invalidParameter),
    // Values that the specification defines but the capabilities exclude.
    (0x01, [0], .invalidRange), (0x01, [5], .invalidRange), (0x01, [6], .invalidRange),
    (0x01, [9], .invalidRange), (0x02, [1], .invalidRange), (0x02, [2], .invalidRange),
    (0x03, [2], .invalidRange), (0x11, [2], .invalidRange), (0x11, [5], .invalidRange),
    (0x11, [8], .invalidRange), (0x1A, [0], .invalidRange), (0x1A, [2], .invalidRange),
    (0x12, [64], .invalidRange), (0x12, [255], .invalidRange),
    (0xE8, [2], .invalidRange), (0xE9, [1, 0], .invalidParameter),
    (0x6F, [1], .invalidParameter), (0xD0, [1], .invalidParameter),
  ]

  @Test("Valid parameters are accepted even if others in the command are invalid")
  func mixed() {
    var bench = makeBench()
    let token = bench.token(0)
    let answer = bench.command(
      .setAppConfiguration(
        token,
        [
          UCITLV(id: 0x04, value: [5]), UCITLV(id: 0x6F, value: [1]), UCITLV(id: 0x1B, value: [0]),
        ]))
    #expect(
      answer == [
        .response(
          .setAppConfiguration(
            .invalidParameter,
            [
              UCIParameterStatus(id: 0x6F, status: .invalidParameter),
              UCIParameterStatus(id: 0x1B, status: .invalidRange),
            ]))
      ])
    #expect(
      bench.command(.getAppConfiguration(token, [0x04, 0x1B])) == [
        .response(
          .appConfiguration(.ok, [UCITLV(id: 0x04, value: [5]), UCITLV(id: 0x1B, value: [25])]))
      ])
  }

  @Test("The address mode may come after the addresses")
  func order() {
    var bench = makeBench()
    let answer = bench.command(
      .setAppConfiguration(
        bench.token(0),
        [
          UCITLV(id: 0x07, value: Array(1...16)), UCITLV(id: 0x06, value: Array(1...8)),
          UCITLV(id: 0x05, value: [2]), UCITLV(id: 0x26, value: [2]),
        ]))
    #expect(answer == [.response(.setAppConfiguration(.ok, []))])
  }

  @Test("Unknown and unset parameters are listed without the others, and keys are never returned")
  func reads() {
    var bench = makeBench()
    let token = bench.token(0)
    bench.command(
      .setAppConfiguration(token, [UCITLV(id: 0x45, value: [UInt8](repeating: 7, count: 16))]))
    #expect(
      bench.command(.getAppConfiguration(token, [0x04, 0x45, 0x06, 0x6F])) == [
        .response(
          .appConfiguration(
            .invalidParameter,
            [
              UCITLV(id: 0x45, value: []), UCITLV(id: 0x06, value: []), UCITLV(id: 0x6F, value: []),
            ]))
      ])
    guard
      case .response(.appConfiguration(.ok, let all)) = bench.command(.getAppConfiguration(token, [])).first
    else {
      Issue.record("no parameters")
      return
    }
    #expect(all.contains(UCITLV(id: 0x08, value: [0x60, 0x09])))
    #expect(!all.contains { $0.id == 0x45 })
    #expect(all.map(\.id) == all.map(\.id).sorted())
  }

  @Test("Few parameters may change while ACTIVE, all while IDLE")
  func whileActive() {
    var bench = AirBench.pair()
    let token = bench.token(0)
    bench.start()
    for parameter in [
      UCITLV(id: 0x09, value: [50, 0, 0, 0]), UCITLV(id: 0x0E, value: [2]), UCITLV(id: 0x0F, value: [1, 0]),
      UCITLV(id: 0x10, value: [2, 0]), UCITLV(id: 0x2D, value: [1]), UCITLV(id: 0x36, value: [1]),
      UCITLV(id: 0x1D, value: [0, 0, 1, 0, 0, 0, 1, 0]),
    ] {
      #expect(
        bench.command(.setAppConfiguration(token, [parameter]))
          == [.response(.setAppConfiguration(.ok, []))])
    }
    #expect(
      bench.command(.setAppConfiguration(token, [UCITLV(id: 0x04, value: [5])])) == [
        .response(
          .setAppConfiguration(
            .sessionActive, [UCIParameterStatus(id: 0x04, status: .sessionActive)]))
      ])
    bench.command(.sessionStop(token))
    #expect(
      bench.command(.setAppConfiguration(token, [UCITLV(id: 0x04, value: [5])]))
        == [.response(.setAppConfiguration(.ok, []))])
  }

  @Test("A changed RANGING_DURATION or stride takes effect with the next block")
  func changedInterval() {
    var bench = AirBench.pair()
    bench.start()
    bench.advance(20)
    bench.command(
      .setAppConfiguration(
        bench.token(0), [UCITLV(id: 0x09, value: [50, 0, 0, 0]), UCITLV(id: 0x2D, value: [1])]))
    let infos = (bench.advance(300)[0] ?? []).sessionInfos
    #expect(infos.map(\.intervalMilliseconds) == [50, 50, 50])
    #expect(bench.medium.plans.map(\.start) == [0, 100, 200, 300].map { .milliseconds($0) })
  }

  @Test("A command recorded from a shipped tool is accepted completely")
  func fieldCommand() {
    // 27 parameters as a shipped tool sends them, with its session 1 replaced by ours.
    let hex =
      "2103006a010000001b000101110101030100010102060200000401092201010201001201032e010b270208072806010203"
      + "0405060d01012b08000000000000000014010a150102080260090904c80000001b0119320200002c01001301002d010005"
      + "010107020100240100350101"
    let digits = Array(hex.utf8)
    let octets = stride(from: 0, to: digits.count, by: 2).map { index in
      UInt8(String(decoding: digits[index...(index + 1)], as: UTF8.self), radix: 16) ?? 0
    }
    var bench = AirBench()
    bench.addChip()
    _ = bench.send([0x21, 0, 0, 5, 1, 0, 0, 0, 0])
    #expect(bench.send(octets) == [[0x41, 3, 0, 2, 0, 0], [0x61, 2, 0, 6, 1, 0, 0, 0, 3, 0]])
    #expect(bench.send([0x22, 0, 0, 4, 1, 0, 0, 0]).first == [0x42, 0, 0, 1, 0])
  }
}
