import NearbyExchange
import NearbyUCI
import NearbyVirtualUWB
import Testing

@Suite("A unicast round")
struct UnicastRoundTests {
  @Test("Both hosts receive the expected measurement, octet by octet")
  func goldenRound() {
    var bench = AirBench.pair([0x13: [1], 0x2E: [0x0F]], [0x13: [1]])
    bench.start()
    bench.air.advance(to: .milliseconds(10), medium: &bench.medium)
    // 28.648° = 3667/128 = 0x0E53, −14.324° = −1833/128 = 0xF8D7; 100 % and 50 %; −60.5 dBm = 0x79.
    let head: [UInt8] = [
      0x62, 0x00, 0x00, 0x38, 0, 0, 0, 0, 7, 0, 0, 0, 0, 100, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1,
    ]
    let tail = [UInt8](repeating: 0, count: 11)
    let initiator: [UInt8] =
      head + [2, 0, 0, 0, 150, 0, 0x53, 0x0E, 100, 0xD7, 0xF8, 50, 0xAD, 0xF1, 50, 0x29, 0x07, 100, 0, 0x79]
      + tail
    let responder: [UInt8] =
      head + [1, 0, 0, 0, 150, 0, 0xAD, 0xF1, 50, 0x29, 0x07, 100, 0x53, 0x0E, 100, 0xD7, 0xF8, 50, 0, 0x79]
      + tail
    #expect(
      bench.air.takeActions() == [
        .send(initiator, to: RadioID(index: 0)), .send(responder, to: RadioID(index: 1)),
      ])
  }

  @Test("Frames are sent in successive slots")
  func slots() throws {
    var bench = AirBench.pair()
    bench.start()
    bench.advance(20)
    let plan = try #require(bench.medium.plans.first)
    #expect(plan.start == .zero)
    #expect(plan.pollOffset == .milliseconds(2))
    #expect(plan.responseOffset == .milliseconds(4))
    #expect(plan.finalOffset == .milliseconds(6))
    #expect(plan.reportOffset == .milliseconds(8))
    #expect(plan.method == .doubleSided)
  }

  @Test("Rounds take place every RANGING_DURATION and are numbered from 0")
  func blocks() {
    var bench = AirBench.pair()
    bench.start()
    let infos = (bench.advance(450)[0] ?? []).sessionInfos
    #expect(infos.map(\.sequence) == [0, 1, 2, 3, 4])
    #expect(bench.medium.plans.map(\.start) == [0, 100, 200, 300, 400].map { .milliseconds($0) })
  }
}
