import NearbyExchange
import NearbyUCI
import NearbyVirtualUWB
import Testing

@Suite("Rounds that collide")
struct CollisionTests {
  /// Two pairs: chips 0 and 1 in session 7, chips 2 and 3 in session 8.
  private func pairs(
    _ changes: [UInt8: [UInt8]] = [:], at positions: [Double] = [0, 1, 2, 3]
  ) -> AirBench {
    var bench = AirBench()
    for index in 0..<4 {
      bench.addChip()
      bench.command(.sessionInit(sessionID: UInt32(7 + index / 2), type: .ranging), index)
      let own = index / 2 == 0 ? [:] : changes
      bench.command(
        .setAppConfiguration(
          bench.token(index), TestSession.pair(isController: index % 2 == 0, own)), index)
      bench.medium.positions[index] = positions[index]
    }
    for index in [1, 3, 0] { bench.command(.sessionStart(bench.token(index)), index) }
    return bench
  }

  private func statuses(_ heard: [Int: [UCIMessage]]) -> [UCIStatus] {
    [0, 2].flatMap { heard[$0]?.measurements.map(\.status) ?? [] }
  }

  @Test("Two simultaneous rounds collide and both are lost")
  func both() {
    var bench = pairs()
    bench.command(.sessionStart(bench.token(2)), 2)
    #expect(statuses(bench.advance(20)) == [.rxTimeout, .rxTimeout])
    #expect(bench.medium.plans.allSatisfy { $0.collided == [.control, .poll, .response, .final, .report] })
  }

  @Test(
    "Frames collide only if they overlap in time",
    arguments: [
      (100, ExchangeFrames([.control, .poll, .response, .final, .report])), (400, []),
      // One slot later, so that every frame except the first control message meets a frame of another kind.
      (2000, [.poll, .response, .final, .report]),
    ] as [(Int, ExchangeFrames)])
  func overlap(_ row: (microseconds: Int, collided: ExchangeFrames)) {
    var bench = pairs([0x2B: [UInt8(0), 0, 0, 0]])
    bench.air.received(
      [0x22, 0, 0, 4, 8, 0, 0, 0], from: RadioID(index: 2), at: .microseconds(row.microseconds))
    bench.advance(40)
    #expect(bench.medium.plans.first?.collided == row.collided)
  }

  @Test("Other channels do not interfere")
  func channels() {
    var bench = pairs([0x04: [5]])
    bench.command(.sessionStart(bench.token(2)), 2)
    #expect(statuses(bench.advance(20)) == [.ok, .ok])
  }

  @Test("A frame 10 dB stronger than the other is received")
  func capture() {
    // The loss is 1 dB per metre: 1 m to the peer, 12 m and more to the others.
    var far = pairs(at: [0, 1, 13, 14])
    far.command(.sessionStart(far.token(2)), 2)
    #expect(statuses(far.advance(20)) == [.ok, .ok])
    // 9 m from chip 1 to chip 2: too close for their frames.
    var near = pairs(at: [0, 1, 10, 11])
    near.command(.sessionStart(near.token(2)), 2)
    // Chip 3 receives chip 2 despite chip 0, but chip 2 does not receive chip 3 because of chip 1.
    #expect(statuses(near.advance(20)) == [.rxTimeout, .rxPhyDecodeFailed])
    #expect(far.medium.powerCalls > 0)
  }

  @Test("Rounds two cells apart do not collide and are not compared")
  func cells() {
    var bench = pairs(at: [0, 1, 250, 251])
    bench.command(.sessionStart(bench.token(2)), 2)
    #expect(statuses(bench.advance(20)) == [.ok, .ok])
    #expect(bench.medium.powerCalls == 0)
    // Rounds in neighbouring cells are compared, and these collide.
    var near = pairs(at: [98, 99, 101, 102])
    near.command(.sessionStart(near.token(2)), 2)
    #expect(statuses(near.advance(20)) == [.rxTimeout, .rxTimeout])
  }

  @Test("The receiver of a collided frame reports that it could not be decoded")
  func undecodable() {
    var bench = pairs()
    bench.advance(50)
    // Session 8 begins with session 7's second round. After it, both responders know their initiators.
    bench.command(.sessionStart(bench.token(2)), 2)
    bench.advance(40)
    bench.command(.sessionStop(bench.token(2)), 2)
    bench.air.received([0x22, 0, 0, 4, 8, 0, 0, 0], from: RadioID(index: 2), at: .milliseconds(100))
    #expect(bench.advance(40)[1]?.measurements.map(\.status) == [.rxPhyDecodeFailed])
  }

  @Test(
    "If a chip's sessions need the same slots, it sends for the one of higher priority",
    arguments: [(60, UCIStatus.txFailed), (40, .ok)] as [(UInt8, UCIStatus)])
  func priority(_ row: (other: UInt8, status: UCIStatus)) {
    var bench = AirBench.pair()
    bench.addChip()
    // Another session of chip 0, which its initiation time places on the same slots.
    let changes: [UInt8: [UInt8]] = [0x2B: [50, 0, 0, 0], 0x25: [row.other], 0x06: [9, 0]]
    bench.command(.sessionInit(sessionID: 9, type: .ranging), 0)
    bench.command(
      .setAppConfiguration(UCISessionToken(9), TestSession.pair(isController: true, changes)), 0)
    bench.command(.sessionInit(sessionID: 9, type: .ranging), 2)
    bench.command(
      .setAppConfiguration(UCISessionToken(9), TestSession.pair(isController: false, [0x07: [9, 0]])), 2)
    bench.command(.sessionStart(UCISessionToken(9)), 2)
    bench.command(.sessionStart(UCISessionToken(7)), 1)
    bench.command(.sessionStart(UCISessionToken(7)), 0)
    bench.advance(50)
    bench.command(.sessionStart(UCISessionToken(9)), 0)
    let infos = (bench.advance(70)[0] ?? []).sessionInfos
    #expect(infos.map(\.token) == [UCISessionToken(7), UCISessionToken(9)])
    let first = infos.prefix(1).map { UCIMessage.notification(.sessionInfo($0)) }
    #expect(Array(first).measurements.map(\.status) == [row.status])
  }
}
