import NearbyExchange
import NearbyUCI
import NearbyVirtualUWB
import Testing

@Suite("Application data")
struct DataTests {
  private func pair(
    _ changes: [UInt8: [UInt8]] = [:], dialect: UCIDialect = .v1
  ) -> AirBench {
    var bench = AirBench.pair(
      changes, changes, type: .rangingWithInBandData,
      configuration: VirtualChipConfiguration(dialect: dialect))
    bench.start()
    bench.advance(20)
    return bench
  }

  private func transfers(_ messages: [UCIMessage]?) -> [UCITransferStatus] {
    (messages ?? []).compactMap {
      if case .notification(.dataTransferStatus(_, _, let status, _)) = $0 { status } else { nil }
    }
  }

  private func received(_ messages: [UCIMessage]?) -> [[UInt8]] {
    (messages ?? []).compactMap {
      if case .data(.received(_, .ok, _, _, let octets)) = $0 { octets } else { nil }
    }
  }

  @Test(
    "A message is sent with the next round, in both directions", arguments: [UCIDialect.v1, .v2], [0, 1])
  func oneMessage(_ dialect: UCIDialect, _ sender: Int) {
    var bench = pair(dialect: dialect)
    let token = bench.token(sender)
    let destination: UInt64 = sender == 0 ? 2 : 1
    #expect(
      bench.data(.send(token, destination: destination, sequence: 5, [1, 2, 3]), sender)
        == [.notification(.dataCredit(token, isAvailable: true))])
    let heard = bench.advance(100)
    #expect(
      heard[sender]?.last
        == .notification(.dataTransferStatus(token, sequence: 5, .ok, transmissions: 1)))
    let arrived = heard[1 - sender]?.last
    #expect(
      arrived
        == .data(.received(bench.token(1 - sender), .ok, source: 3 - destination, sequence: 5, [1, 2, 3])))
    #expect(heard[sender]?.count == 2)
  }

  @Test("A 2.0 data message and its notifications have the expected octets")
  func golden() {
    var bench = AirBench.pair(
      type: .rangingWithInBandData,
      configuration: VirtualChipConfiguration(
        dialect: UCIDialect(
          capabilities: .v2, sessionHandles: .v1, multicastList: .v2, initiationTime: .v2)))
    bench.start()
    bench.advance(20)
    let message: [UInt8] = [1, 0, 18, 0, 7, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 5, 0, 2, 0, 0xAA, 0xBB]
    #expect(bench.send(message) == [[0x62, 4, 0, 5, 7, 0, 0, 0, 1]])
    bench.air.advance(to: .milliseconds(120), medium: &bench.medium)
    let octets = bench.air.takeActions()
    #expect(octets.count == 4)
    #expect(
      octets.suffix(2) == [
        .send(
          [2, 0, 19, 0, 7, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 5, 0, 2, 0, 0xAA, 0xBB],
          to: RadioID(index: 1)),
        .send([0x62, 5, 0, 8, 7, 0, 0, 0, 5, 0, 1, 1], to: RadioID(index: 0)),
      ])
  }

  @Test("One message is sent per round, a lost one again, and a full queue gives no credit")
  func queue() {
    var bench = pair()
    let token = bench.token(0)
    var answers: [UCIMessage] = []
    for sequence in 1...5 {
      answers += bench.data(.send(token, destination: 2, sequence: UInt16(sequence), [UInt8(sequence)]))
    }
    #expect(
      answers == [
        .notification(.dataCredit(token, isAvailable: true)),
        .notification(.dataCredit(token, isAvailable: true)),
        .notification(.dataCredit(token, isAvailable: true)),
        .notification(.dataCredit(token, isAvailable: false)),
        .notification(.dataTransferStatus(token, sequence: 5, .noCredit, transmissions: 0)),
      ])
    bench.medium.deliveries = [false]
    let first = bench.advance(200)
    #expect(received(first[1]) == [[1]])
    #expect(transfers(first[0]) == [.ok])
    #expect(first[0]?.last == .notification(.dataCredit(token, isAvailable: true)))
    let rest = bench.advance(1000)
    #expect(received(rest[1]) == [[2], [3], [4]])
    #expect(transfers(rest[0]) == [.ok, .ok, .ok])
  }

  @Test("A message that never arrives is given up after ten rounds")
  func givenUp() {
    var bench = pair()
    bench.medium.deliveries = [Bool](repeating: false, count: 100)
    bench.data(.send(bench.token(0), destination: 2, sequence: 1, [1]))
    #expect(transfers(bench.advance(900)[0]) == [])
    #expect(transfers(bench.advance(100)[0]) == [.error])
    #expect(bench.medium.delivered.count == 10)
  }

  @Test("DATA_REPETITION_COUNT repeats a message, delivers it once, and reports each time if requested")
  func repetition() {
    var bench = pair([0x19: [2], 0x47: [1]])
    bench.medium.deliveries = [false]
    bench.data(.send(bench.token(0), destination: 2, sequence: 1, [9]))
    let heard = bench.advance(500)
    #expect(transfers(heard[0]) == [.okRepetition, .okRepetition, .ok])
    #expect(received(heard[1]) == [[9]])
  }

  @Test("Data that cannot be sent is refused with its status")
  func refusals() {
    var bench = pair()
    let token = bench.token(0)
    func status(_ message: UCIDataMessage) -> [UCITransferStatus] { transfers(bench.data(message)) }
    #expect(status(.send(UCISessionToken(99), destination: 2, sequence: 1, [])) == [.rejected])
    #expect(status(.send(token, destination: 3, sequence: 1, [])) == [.rejected])
    #expect(
      status(.send(token, destination: 2, sequence: 1, [UInt8](repeating: 0, count: 1025))) == [.error])
    // The length says three octets, but there are only two.
    #expect(
      bench.send([1, 0, 18, 0, 7, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 5, 3, 0, 1, 2])
        == [[0x62, 5, 0, 8, 7, 0, 0, 0, 0, 5, 7, 0]])
    // Cut off before its sequence number.
    #expect(
      bench.send([1, 0, 13, 0, 7, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 9]) == [
        [0x62, 5, 0, 8, 7, 0, 0, 0, 0, 0, 7, 0]
      ])
    bench.command(.sessionStop(token))
    #expect(status(.send(token, destination: 2, sequence: 1, [])) == [.rejected])
    var plain = AirBench.pair()
    plain.start()
    #expect(
      transfers(plain.data(.send(plain.token(0), destination: 2, sequence: 1, []))) == [
        .sessionTypeNotSupported
      ])
  }

  @Test("Every packet of a segmented message returns its credit")
  func segments() {
    var bench = pair()
    let token = bench.token(0)
    let octets = [UInt8](repeating: 5, count: 600)
    var packets: [UInt8] = []
    UCIMessage.data(.send(token, destination: 2, sequence: 1, octets)).write(
      to: &packets, dialect: .v1, maximumDataPayload: 255)
    let credit: [UInt8] = [0x62, 4, 0, 5, 7, 0, 0, 0, 1]
    #expect(bench.send(packets) == [credit, credit, credit])
    #expect(received(bench.advance(100)[1]) == [octets])
  }

  @Test("QUERY_DATA_SIZE and DATA_TRANSFER_PHASE_CONFIG are answered according to the session's type")
  func sizes() {
    var bench = pair()
    let token = bench.token(0)
    #expect(
      bench.command(.queryDataSize(token)) == [.response(.dataSize(token, .ok, maximum: 1024))])
    #expect(
      bench.command(.configureDataTransferPhase(token, repetition: 0, control: 0, []))
        == [.response(.configureDataTransferPhase(.rejected))])
    var phase = AirBench.pair(type: .rangingWithDataPhase)
    #expect(
      phase.command(.configureDataTransferPhase(phase.token(0), repetition: 2, control: 0, [])) == [
        .response(.configureDataTransferPhase(.ok)),
        .notification(.dataTransferPhase(phase.token(0), .ok)),
      ])
  }
}
