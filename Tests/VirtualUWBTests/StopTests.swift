import NearbyExchange
import NearbyUCI
import NearbyVirtualUWB
import Testing

@Suite("What ends or suspends a session")
struct StopTests {
  private let seven = UCISessionToken(7)

  @Test("After MAX_NUMBER_OF_MEASUREMENTS the session becomes IDLE and the device READY")
  func measurements() {
    var bench = AirBench.pair([0x32: [2, 0], 0x2F: [0]])
    bench.start()
    let heard = bench.advance(1000)[0] ?? []
    #expect(heard.sessionInfos.count == 2)
    #expect(
      heard.suffix(2) == [
        .notification(.sessionStatus(seven, .idle, .maxMeasurements)),
        .notification(.deviceStatus(.ready)),
      ])
    #expect(bench.command(.sessionStart(seven)).first == .response(.sessionStart(.ok)))
    #expect((bench.advance(20)[0] ?? []).sessionInfos.map(\.sequence) == [0])
  }

  @Test("MAX_RR_RETRY counts lost rounds in a row, on either side")
  func retries() {
    var bench = AirBench.pair([0x2A: [3, 0], 0x2F: [0]], [0x2A: [2, 0]])
    bench.start()
    bench.advance(120)
    bench.medium.lost = [.poll]
    bench.advance(100)
    bench.medium.lost = []
    bench.advance(100)
    bench.medium.lost = [.poll]
    let heard = bench.advance(1000)
    #expect(heard[0]?.sessionInfos.count == 3)
    #expect(
      heard[0]?.suffix(2) == [
        .notification(.sessionStatus(seven, .idle, .maxRoundRetries)),
        .notification(.deviceStatus(.ready)),
      ])
    #expect(heard[1]?.sessionInfos.count == 2)
    #expect(heard[1]?.suffix(2) == heard[0]?.suffix(2))
  }

  @Test(
    "A controller's STOP is announced to its controlee in a limited number of attempts",
    arguments: [
      (0, [], false), (1, [], true), (1, [false], false), (3, [false, false], true),
      (3, [false, false, false], false),
    ] as [(UInt8, [Bool], Bool)])
  func inBandStop(_ row: (attempts: UInt8, deliveries: [Bool], isTold: Bool)) {
    var bench = AirBench.pair([0x2F: [row.attempts]])
    bench.start()
    bench.advance(20)
    bench.medium.deliveries = row.deliveries
    #expect(
      bench.command(.sessionStop(seven), 0) == [
        .response(.sessionStop(.ok)), .notification(.sessionStatus(seven, .idle, .byCommand)),
        .notification(.deviceStatus(.ready)),
      ])
    let heard = bench.advance(1000)[1] ?? []
    let isTold = heard.contains(.notification(.sessionStatus(seven, .idle, .stoppedInBand)))
    #expect(isTold == row.isTold)
    if isTold { #expect(heard.last == .notification(.deviceStatus(.ready))) }
    let attempts = min(Int(row.attempts), row.deliveries.count + (row.isTold ? 1 : 0))
    #expect(bench.medium.delivered.count == attempts)
  }

  @Test("A controlee's STOP is not announced")
  func controleeStops() {
    var bench = AirBench.pair([:], [0x2F: [3]])
    bench.start()
    bench.advance(20)
    bench.command(.sessionStop(seven), 1)
    #expect(bench.advance(100)[0]?.measurements.map(\.status) == [.rxTimeout])
    #expect(bench.medium.delivered.isEmpty)
  }

  @Test("A controller in the responder role also stops its initiator in band")
  func respondingController() {
    var bench = AirBench.pair([0x00: [0]], [0x00: [1], 0x2F: [2]])
    bench.start()
    #expect(bench.advance(20)[0]?.measurements.map(\.status) == [.ok])
    bench.command(.sessionStop(seven), 1)
    let heard = bench.advance(300)[0] ?? []
    #expect(heard.contains(.notification(.sessionStatus(seven, .idle, .stoppedInBand))))
  }

  @Test("A session that is started again is not stopped by the announcement of its earlier end")
  func restart() {
    var bench = AirBench.pair([0x2F: [3]])
    bench.start()
    bench.advance(20)
    bench.command(.sessionStop(seven), 0)
    bench.command(.sessionStart(seven), 0)
    bench.advance(20)
    let heard = bench.advance(500)
    #expect(heard[1]?.contains(.notification(.sessionStatus(seven, .idle, .stoppedInBand))) == false)
    #expect(heard[0]?.measurements.allSatisfy { $0.status == .ok } == true)
  }

  @Test("SUSPEND_RANGING_ROUNDS: the controlee is notified, stays silent, and is notified on resumption")
  func suspension() {
    var bench = AirBench.pair()
    bench.start()
    bench.advance(20)
    bench.command(.setAppConfiguration(seven, [UCITLV(id: 0x36, value: [1])]), 0)
    let suspended = bench.advance(500)
    #expect(suspended[0] == nil)
    #expect(
      suspended[1] == [
        .notification(.sessionStatus(seven, .idle, .suspendedInBand)),
        .notification(.deviceStatus(.ready)),
      ])
    bench.command(.setAppConfiguration(seven, [UCITLV(id: 0x36, value: [0])]), 0)
    let resumed = bench.advance(100)
    #expect(resumed[0]?.measurements.map(\.status) == [.ok])
    #expect(
      resumed[1]?.prefix(2) == [
        .notification(.sessionStatus(seven, .active, .resumedInBand)),
        .notification(.deviceStatus(.active)),
      ])
    #expect(resumed[1]?.measurements.map(\.status) == [.ok])
  }

  @Test("A host may resume a suspended session")
  func suspendedCommands() {
    var bench = AirBench.pair()
    bench.start()
    bench.advance(20)
    bench.command(.setAppConfiguration(seven, [UCITLV(id: 0x36, value: [1])]), 0)
    bench.advance(100)
    #expect(
      bench.command(.sessionStop(seven), 1) == [
        .response(.sessionStop(.ok)), .notification(.sessionStatus(seven, .idle, .byCommand)),
      ])
    bench.command(.setAppConfiguration(seven, [UCITLV(id: 0x36, value: [0])]), 0)
    #expect(bench.advance(100)[1] == nil)
    #expect(bench.command(.sessionStart(seven), 1).first == .response(.sessionStart(.ok)))
    #expect(bench.advance(100)[1]?.measurements.map(\.status) == [.ok])
  }
}
