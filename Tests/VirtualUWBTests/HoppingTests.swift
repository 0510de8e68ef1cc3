import NearbyExchange
import NearbyUCI
import NearbyVirtualUWB
import Testing

@Suite("Sessions that hop when rounds are lost")
struct HoppingTests {
  private static let whenLost: [UInt8: [UInt8]] = [0x2C: [2]]
  private static let all: ExchangeFrames = [.control, .poll, .response, .final, .report]

  /// Pairs of chips without knowledge of each other, all started at the same time: sessions 7, 8, …
  private func crowd(_ count: Int, _ changes: [UInt8: [UInt8]], at distances: Double = 0.1, seed: UInt64 = 1)
    -> AirBench
  {
    var bench = AirBench(seed: seed)
    for index in 0..<2 * count {
      bench.addChip()
      bench.command(.sessionInit(sessionID: UInt32(7 + index / 2), type: .ranging), index)
      let own = index % 2 == 0 ? changes : [:]
      bench.command(
        .setAppConfiguration(bench.token(index), TestSession.pair(isController: index % 2 == 0, own)), index)
      bench.medium.positions[index] = Double(index) * distances
    }
    for index in 0..<2 * count where index % 2 == 1 {
      bench.command(.sessionStart(bench.token(index)), index)
    }
    for index in 0..<2 * count where index % 2 == 0 {
      bench.command(.sessionStart(bench.token(index)), index)
    }
    return bench
  }

  private func statuses(_ heard: [Int: [UCIMessage]], _ chip: Int) -> [UCIStatus] {
    heard[chip]?.measurements.map(\.status) ?? []
  }

  @Test("Colliding rounds move apart and stay apart", arguments: [2, 4, 6])
  func sideBySide(_ count: Int) {
    var bench = crowd(count, Self.whenLost)
    let first = bench.advance(3000)
    #expect(statuses(first, 0).prefix(2) == [.rxTimeout, .rxTimeout])
    let later = bench.advance(3000)
    for pair in 0..<count {
      #expect(statuses(later, 2 * pair) == Array(repeating: .ok, count: 30), "pair \(pair)")
    }
  }

  @Test("Without hopping the same rounds keep colliding")
  func fixed() {
    var bench = crowd(2, [:])
    #expect(statuses(bench.advance(6000), 0) == Array(repeating: .rxTimeout, count: 60))
  }

  @Test("A session keeps its round if only some exchanges are lost")
  func kept() {
    var bench = AirBench.pair(Self.whenLost)
    bench.start()
    bench.advance(20)
    for _ in 0..<20 {
      // Every fourth round.
      bench.advance(360)
      bench.medium.lost = Self.all
      bench.advance(40)
      bench.medium.lost = []
    }
    let offsets = bench.medium.plans.enumerated().map { $1.start - .milliseconds(100 * $0) }
    #expect(Set(offsets).count == 1)
  }

  @Test(
    "After losses both sides meet in the same next round, which depends only on the session and its block")
  func nextRound() throws {
    /// The rounds' starts, relative to the first one, in milliseconds.
    func rounds(seed: UInt64) throws -> [Double] {
      var bench = crowd(1, Self.whenLost, seed: seed)
      bench.medium.lost = Self.all
      bench.advance(1000)
      bench.medium.lost = []
      let heard = bench.advance(1000)
      #expect(statuses(heard, 0) == Array(repeating: .ok, count: 10))
      #expect(statuses(heard, 1) == statuses(heard, 0))
      let starts = bench.medium.plans.map(\.start)
      let first = try #require(starts.first)
      return starts.map { ($0 - first) / .milliseconds(1) }
    }
    let starts = try rounds(seed: 1)
    let places = starts.map { $0.truncatingRemainder(dividingBy: 100) }
    #expect(Set(places.prefix(10)).count > 2, "the session never changed its round")
    #expect(Set(places.suffix(10)).count == 1)
    #expect(try rounds(seed: 2) == starts)
  }

  @Test("A chip's own sessions never hop onto each other")
  func ownSessions() {
    var bench = AirBench()
    bench.addChip()
    for peer in 1...4 {
      bench.addChip()
      bench.medium.positions[peer] = Double(peer)
      let session = UInt32(20 + peer)
      let sides: [(Int, [UInt8: [UInt8]])] = [
        (peer, [0x06: [UInt8(peer + 1), 0]]), (0, [0x2C: [2], 0x07: [UInt8(peer + 1), 0]]),
      ]
      for (chip, changes) in sides {
        bench.command(.sessionInit(sessionID: session, type: .ranging), chip)
        bench.command(
          .setAppConfiguration(
            UCISessionToken(session), TestSession.pair(isController: chip == 0, changes)), chip)
        bench.command(.sessionStart(UCISessionToken(session)), chip)
      }
    }
    // At first nothing arrives: every session hops, and still none collides with another.
    bench.medium.lost = Self.all
    bench.advance(3000)
    let starts = bench.medium.plans.map(\.start).sorted()
    #expect(starts.count > 100)
    #expect(zip(starts, starts.dropFirst()).allSatisfy { $1 - $0 >= .milliseconds(10) })
    #expect(Set(starts.map { Int64($0 / .milliseconds(1)) % 100 }).count > 6)
    bench.medium.lost = []
    let heard = statuses(bench.advance(2000), 0)
    #expect(heard.count >= 76)
    #expect(heard.allSatisfy { $0 == .ok })
  }
}
