import NearbyExchange
import NearbyUCI
import NearbyVirtualUWB
import Testing

@Suite("A session's life")
struct SessionTests {
  private let radio = RadioID(index: 0)

  @Test("A complete 1.x session has the expected octets")
  func firstDialect() {
    var bench = AirBench()
    bench.addChip()
    #expect(
      bench.send([0x21, 0, 0, 5, 7, 0, 0, 0, 0])
        == [[0x41, 0, 0, 1, 0], [0x61, 2, 0, 6, 7, 0, 0, 0, 0, 0]])
    let mandatory: [UInt8] = [
      7, 0, 0, 0, 7, 0, 1, 1, 0x11, 1, 1, 3, 1, 0, 0x22, 1, 1, 1, 1, 2, 6, 2, 1, 0, 7, 2, 2, 0,
    ]
    #expect(
      bench.send([0x21, 3, 0, UInt8(mandatory.count)] + mandatory)
        == [[0x41, 3, 0, 2, 0, 0], [0x61, 2, 0, 6, 7, 0, 0, 0, 3, 0]])
    #expect(bench.send([0x21, 6, 0, 4, 7, 0, 0, 0]) == [[0x41, 6, 0, 2, 0, 3]])
    #expect(
      bench.send([0x22, 0, 0, 4, 7, 0, 0, 0])
        == [[0x42, 0, 0, 1, 0], [0x61, 2, 0, 6, 7, 0, 0, 0, 2, 0], [0x60, 1, 0, 1, 2]])
    #expect(bench.send([0x21, 5, 0, 0]) == [[0x41, 5, 0, 2, 0, 1]])
    #expect(
      bench.send([0x22, 1, 0, 4, 7, 0, 0, 0])
        == [[0x42, 1, 0, 1, 0], [0x61, 2, 0, 6, 7, 0, 0, 0, 3, 0], [0x60, 1, 0, 1, 1]])
    #expect(
      bench.send([0x21, 1, 0, 4, 7, 0, 0, 0])
        == [[0x41, 1, 0, 1, 0], [0x61, 2, 0, 6, 7, 0, 0, 0, 1, 0]])
    #expect(bench.send([0x21, 5, 0, 0]) == [[0x41, 5, 0, 2, 0, 0]])
  }

  @Test("A 2.0 session is identified only by its handle")
  func handles() throws {
    var bench = AirBench()
    bench.addChip(VirtualChipConfiguration(dialect: .v2))
    let answers = bench.command(.sessionInit(sessionID: 7, type: .ranging))
    let token = bench.token(0)
    #expect(token.rawValue != 7)
    #expect(
      answers == [
        .response(.sessionInit(.ok, handle: token)),
        .notification(.sessionStatus(token, .initialised, .byCommand)),
      ])
    #expect(
      bench.command(.getSessionState(UCISessionToken(7)))
        == [.response(.sessionState(.sessionDoesNotExist, .deinitialised))])
    #expect(bench.command(.getSessionState(token)) == [.response(.sessionState(.ok, .initialised))])
  }

  @Test("SESSION_INIT refuses duplicates, too many sessions and unknown types")
  func initRefusals() {
    var bench = AirBench()
    bench.addChip(VirtualChipConfiguration(dialect: .v1, maximumSessions: 2))
    func status(_ id: UInt32, _ type: UCISessionType) -> UCIStatus? {
      guard
        case .response(.sessionInit(let status, _)) = bench.command(.sessionInit(sessionID: id, type: type))
          .first
      else { return nil }
      return status
    }
    #expect(status(1, .ranging) == .ok)
    #expect(status(1, .ranging) == .sessionDuplicate)
    #expect(status(2, .ccc) == .invalidParameter)
    #expect(status(2, .rangingWithInBandData) == .ok)
    #expect(status(3, .ranging) == .tooManySessions)
    bench.command(.sessionDeinit(UCISessionToken(1)))
    #expect(status(3, .ranging) == .ok)
  }

  @Test(
    "A session becomes IDLE only when every mandatory parameter is set",
    arguments: [0x11, 0x03, 0x01, 0x06, 0x22, 0x00] as [UInt8])
  func mandatory(_ missing: UInt8) {
    var bench = AirBench()
    bench.addChip()
    bench.command(.sessionInit(sessionID: 7, type: .ranging))
    let token = bench.token(0)
    let all = TestSession.pair(isController: true)
    #expect(
      bench.command(.setAppConfiguration(token, all.filter { $0.id != missing }))
        == [.response(.setAppConfiguration(.ok, []))])
    #expect(bench.command(.sessionStart(token)) == [.response(.sessionStart(.sessionNotConfigured))])
    #expect(
      bench.command(.setAppConfiguration(token, all.filter { $0.id == missing }))
        == [
          .response(.setAppConfiguration(.ok, [])),
          .notification(.sessionStatus(token, .idle, .byCommand)),
        ])
  }

  @Test("START and STOP in the wrong state are refused")
  func misplaced() {
    var bench = AirBench.pair()
    let token = bench.token(0)
    #expect(bench.command(.sessionStop(token)) == [.response(.sessionStop(.rejected))])
    bench.command(.sessionStart(token))
    #expect(bench.command(.sessionStart(token)) == [.response(.sessionStart(.sessionActive))])
    bench.command(.sessionStop(token))
    #expect(bench.command(.sessionStop(token)) == [.response(.sessionStop(.rejected))])
  }

  @Test("DEINIT of an ACTIVE session ends it")
  func deinitActive() {
    var bench = AirBench.pair([0x2F: [0]])
    bench.start()
    bench.advance(20)
    let token = bench.token(0)
    #expect(
      bench.command(.sessionDeinit(token)) == [
        .response(.sessionDeinit(.ok)),
        .notification(.sessionStatus(token, .deinitialised, .byCommand)),
        .notification(.deviceStatus(.ready)),
      ])
    #expect(bench.advance(500)[0] == nil)
  }

  @Test("DEVICE_STATUS is sent only for the first session to become ACTIVE and the last to stop")
  func severalSessions() {
    var bench = AirBench.pair()
    bench.command(.sessionInit(sessionID: 8, type: .ranging))
    let second = bench.token(0)
    bench.command(.setAppConfiguration(second, TestSession.pair(isController: true)))
    let first = UCISessionToken(7)
    #expect(bench.command(.sessionStart(first)).last == .notification(.deviceStatus(.active)))
    #expect(
      bench.command(.sessionStart(second)).last
        == .notification(.sessionStatus(second, .active, .byCommand)))
    #expect(
      bench.command(.sessionStop(first)).last == .notification(.sessionStatus(first, .idle, .byCommand)))
    #expect(bench.command(.sessionStop(second)).last == .notification(.deviceStatus(.ready)))
  }

  @Test("A configuration that cannot run is refused with its reason", arguments: Self.refusals)
  func refusal(_ row: (changes: [UInt8: [UInt8]], reason: UCIReason)) {
    var bench = AirBench.pair(row.changes)
    let token = bench.token(0)
    #expect(
      bench.command(.sessionStart(token)) == [
        .response(.sessionStart(.rejected)), .notification(.sessionStatus(token, .idle, row.reason)),
      ])
  }

  static let refusals: [(changes: [UInt8: [UInt8]], reason: UCIReason)] = [
    ([0x03: [1], 0x11: [0]], .multiNodeMode), ([0x08: [100, 0]], .slotLength), ([0x1B: [4]], .tooFewSlots),
    ([0x09: [11, 0, 0, 0]], .rangingDuration), ([0x26: [1]], .macAddressMode),
    ([0x02: [3]], .sessionKeyNotFound), ([0x14: [25]], .preambleCode),
    ([0x15: [3]], .sfd), ([0x16: [1]], .psduRate), ([0x17: [0]], .preambleDuration),
    ([0x35: [2]], .stsLength),
    ([0x29: [0]], .stsSegments), ([0x12: [0], 0x29: [1]], .stsSegments), ([0x07: [1, 0]], .destinationList),
    ([0x05: [2], 0x07: [2, 0, 3, 0]], .numberOfControlees),
    ([0x1F: [1]], .preambleCode), ([0x1F: [1], 0x14: [25], 0x31: [1]], .phrRate),
  ]

  @Test(
    "SESSION_INIT refuses unsupported types",
    arguments: [0x02, 0x03, 0x04, 0x06, 0x9F, 0xA0, 0xA1, 0xA2, 0xD0, 0xFF] as [UInt8])
  func typeRefusal(_ type: UInt8) {
    var bench = AirBench()
    bench.addChip()
    #expect(
      bench.command(.sessionInit(sessionID: 7, type: UCISessionType(rawValue: type))) == [
        .response(.sessionInit(.invalidParameter, handle: nil))
      ])
    #expect(bench.command(.getSessionCount) == [.response(.sessionCount(.ok, 0))])
  }
}
