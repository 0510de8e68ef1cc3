import NearbyExchange
import NearbyUCI
import NearbyVirtualUWB
import Testing

@Suite("Which sessions receive each other")
struct MatchingTests {
  private static let key = [UInt8](repeating: 3, count: 16)

  @Test("A responder that differs in one parameter receives nothing", arguments: Self.mismatches)
  func mismatch(_ changes: [UInt8: [UInt8]]) {
    var bench = AirBench.pair([:], changes)
    bench.start()
    let heard = bench.advance(20)
    #expect(heard[1] == nil)
    #expect(
      heard[0]?.measurements == [UCITwoWayMeasurement(address: .short(2), status: .rxTimeout, slotIndex: 2)])
    #expect(bench.medium.plans.isEmpty)
  }

  static let mismatches: [[UInt8: [UInt8]]] = [
    [0x04: [5]], [0x14: [9]], [0x15: [0]], [0x12: [1]], [0x27: [7, 8]], [0x28: [1, 2, 3, 4, 5, 7]],
    [0x06: [3, 0]], [0x07: [3, 0]], [0x02: [3], 0x45: key], [0x01: [1]], [0x08: [0xB0, 0x04]],
    [0x31: [1]], [0x00: [1]], [0x1F: [1], 0x14: [25], 0x15: [2]],
  ]

  @Test("A responder with another session id receives nothing")
  func sessionID() {
    var bench = AirBench.pair()
    bench.command(.sessionDeinit(bench.token(1)), 1)
    bench.command(.sessionInit(sessionID: 8, type: .ranging), 1)
    bench.command(.setAppConfiguration(bench.token(1), TestSession.pair(isController: false)), 1)
    bench.start()
    #expect(bench.advance(20)[1] == nil)
  }

  @Test("Sessions receive each other only if their provisioned keys are equal", arguments: [true, false])
  func keys(_ isSame: Bool) {
    var other = Self.key
    if !isSame { other[15] = 4 }
    var bench = AirBench.pair([0x02: [3], 0x45: Self.key], [0x02: [3], 0x45: other])
    bench.start()
    #expect((bench.advance(20)[1] != nil) == isSame)
  }

  @Test("Handles may differ if the session id is the same")
  func handles() {
    var bench = AirBench.pair(configuration: VirtualChipConfiguration(dialect: .v2))
    #expect(bench.token(0) != bench.token(1))
    bench.start()
    let heard = bench.advance(20)
    #expect(heard[0]?.sessionInfos.map(\.token) == [bench.token(0)])
    #expect(heard[1]?.measurements.map(\.status) == [.ok])
  }

  @Test("Sessions with extended addresses range")
  func extendedAddresses() {
    let mine: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8]
    let other: [UInt8] = [8, 7, 6, 5, 4, 3, 2, 1]
    var bench = AirBench.pair([0x26: [2], 0x06: mine, 0x07: other], [0x26: [2], 0x06: other, 0x07: mine])
    bench.start()
    let heard = bench.advance(20)
    #expect(heard[0]?.measurements.map(\.address) == [.extended(0x0102_0304_0506_0708)])
    #expect(heard[1]?.measurements.map(\.address) == [.extended(0x0807_0605_0403_0201)])
  }

  @Test("A responder that starts later is received from then on")
  func lateResponder() {
    var bench = AirBench.pair()
    bench.command(.sessionStart(bench.token(0)), 0)
    #expect(bench.advance(150)[0]?.measurements.map(\.status) == [.rxTimeout, .rxTimeout])
    bench.command(.sessionStart(bench.token(1)), 1)
    #expect(bench.advance(100)[0]?.measurements.map(\.status) == [.ok])
  }

  @Test("A responder whose initiator vanishes reports every expected round as timed out")
  func vanishedInitiator() {
    var bench = AirBench.pair([0x2F: [0]])
    bench.start()
    bench.advance(20)
    bench.command(.sessionStop(bench.token(0)), 0)
    let missed = bench.advance(300)[1]?.measurements
    #expect(
      missed == Array(repeating: UCITwoWayMeasurement(address: .short(1), status: .rxTimeout), count: 3))
    bench.command(.sessionStart(bench.token(0)), 0)
    #expect(bench.advance(250)[1]?.measurements.map(\.status) == [.ok, .ok, .ok])
  }

  @Test("Of two sessions with the same id the stronger one answers")
  func sameName() {
    var bench = AirBench.pair()
    bench.addChip()
    bench.command(.sessionInit(sessionID: 7, type: .ranging), 2)
    bench.command(.setAppConfiguration(bench.token(2), TestSession.pair(isController: false)), 2)
    bench.medium.positions[2] = 0.5
    bench.command(.sessionStart(bench.token(2)), 2)
    bench.start()
    let heard = bench.advance(20)
    #expect(heard[0]?.measurements.map(\.distanceCentimetres) == [50])
    #expect(heard[1] == nil)
    #expect(heard[2]?.measurements.map(\.status) == [.ok])
  }

  @Test("UWB_INITIATION_TIME counts milliseconds from START in 4 octets, and the chip's clock in 8")
  func initiationTime() {
    var first = AirBench.pair([0x2B: [30, 0, 0, 0]])
    first.advance(5)
    first.start()
    first.advance(100)
    #expect(first.medium.plans.map(\.start) == [.milliseconds(35)])
    // 50 000 µs.
    let absolute: [UInt8] = [0x50, 0xC3, 0, 0, 0, 0, 0, 0]
    var second = AirBench.pair([0x2B: absolute], configuration: VirtualChipConfiguration(dialect: .v2))
    second.start()
    second.advance(100)
    #expect(second.medium.plans.map(\.start) == [.milliseconds(50)])
    second.command(.sessionStop(second.token(0)))
    #expect(
      second.command(.sessionStart(second.token(0))) == [
        .response(.sessionStart(.initiationTimeTooOld)),
        .notification(.sessionStatus(second.token(0), .idle, .initiationTimeExpired)),
      ])
  }

  @Test("A hopping session uses other rounds of the block, always the same ones")
  func hopping() {
    func starts() -> [Duration] {
      var bench = AirBench.pair([0x2C: [1]], [0x2C: [1]])
      bench.start()
      bench.advance(2000)
      return bench.medium.plans.map(\.start)
    }
    let first = starts()
    #expect(first.count >= 20)
    #expect(first == starts())
    let offsets = first.enumerated().map { index, start in start - .milliseconds(100 * index) }
    #expect(Set(offsets).count > 4)
    #expect(offsets.allSatisfy { $0 >= .zero && $0 <= .milliseconds(84) })
  }

  @Test("A chip's second session uses other slots than its first")
  func ownSessions() {
    var bench = AirBench.pair()
    bench.addChip()
    bench.command(.sessionInit(sessionID: 9, type: .ranging), 0)
    bench.command(.setAppConfiguration(bench.token(0), TestSession.pair(isController: true)), 0)
    bench.command(.sessionInit(sessionID: 9, type: .ranging), 2)
    bench.command(.setAppConfiguration(bench.token(2), TestSession.pair(isController: false)), 2)
    bench.command(.sessionStart(UCISessionToken(7)), 1)
    bench.command(.sessionStart(UCISessionToken(7)), 0)
    bench.command(.sessionStart(UCISessionToken(9)), 2)
    bench.command(.sessionStart(UCISessionToken(9)), 0)
    let statuses = bench.advance(250)[0]?.measurements.map(\.status)
    #expect(statuses == Array(repeating: .ok, count: 6))
    #expect(bench.medium.plans.prefix(2).map(\.start) == [.zero, .milliseconds(10)])
  }
}
