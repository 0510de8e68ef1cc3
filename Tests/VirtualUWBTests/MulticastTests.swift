import NearbyExchange
import NearbyUCI
import NearbyVirtualUWB
import Testing

@Suite("One to many")
struct MulticastTests {
  /// Chip 0 is the controller with address 1; chips 1… are controlees with addresses 2….
  private func group(
    _ controlees: Int, listed: [UInt8], _ changes: [UInt8: [UInt8]] = [:], dialect: UCIDialect = .v1
  ) -> AirBench {
    var bench = AirBench()
    for index in 0...controlees {
      bench.addChip(VirtualChipConfiguration(dialect: dialect))
      bench.command(.sessionInit(sessionID: 7, type: .ranging), index)
      var own: [UInt8: [UInt8]] = [0x03: [1], 0x1B: [25]]
      if index == 0 {
        own[0x05] = [UInt8(listed.count)]
        own[0x07] = listed.flatMap { [$0, 0] }
        own.merge(changes) { $1 }
      } else {
        own[0x06] = [UInt8(index + 1), 0]
      }
      bench.command(
        .setAppConfiguration(bench.token(index), TestSession.pair(isController: index == 0, own)), index)
      bench.medium.positions[index] = Double(index)
    }
    for index in (0...controlees).reversed() { bench.command(.sessionStart(bench.token(index)), index) }
    return bench
  }

  @Test("One notification has an entry for each controlee, including absent ones")
  func entries() throws {
    var bench = group(3, listed: [2, 9, 4])
    let heard = bench.advance(40)
    let entries = try #require(heard[0]).measurements
    #expect(entries.map(\.address) == [.short(2), .short(9), .short(4)])
    #expect(entries.map(\.status) == [.ok, .rxTimeout, .ok])
    #expect(entries.map(\.distanceCentimetres) == [100, 0, 300])
    #expect(entries[1].slotIndex == 3)
    #expect(heard[1]?.measurements.map(\.distanceCentimetres) == [100])
    #expect(heard[2] == nil)
    #expect(heard[3]?.measurements.map(\.distanceCentimetres) == [300])
    #expect(bench.medium.plans.map(\.responseOffset) == [.milliseconds(4), .milliseconds(8)])
    #expect(bench.medium.plans.map(\.finalOffset) == [.milliseconds(10), .milliseconds(10)])
  }

  @Test("A notification with eight entries arrives in segments")
  func eight() {
    var bench = group(8, listed: Array(2...9))
    #expect(bench.advance(60)[0]?.measurements.map(\.status) == Array(repeating: .ok, count: 8))
  }

  @Test("In 1.x a list update is answered with a status, and a notification with the remaining places")
  func firstDialect() {
    var bench = group(2, listed: [2])
    bench.advance(40)
    let add: [UInt8] = [0x21, 7, 0, 18, 7, 0, 0, 0, 0, 2, 3, 0, 0xAA, 0, 0, 0, 2, 0, 0xBB, 0, 0, 0]
    #expect(
      bench.send(add) == [
        [0x41, 7, 0, 1, 0x19],
        [0x61, 7, 0, 20, 7, 0, 0, 0, 2, 2, 3, 0, 0xAA, 0, 0, 0, 0, 2, 0, 0xBB, 0, 0, 0, 8],
      ])
    #expect(bench.advance(100)[0]?.measurements.map(\.status) == [.ok, .ok])
  }

  @Test("In 2.0 a list update is answered with statuses, in response and notification")
  func secondDialect() {
    var bench = group(2, listed: [2], dialect: .v2)
    let token = bench.token(0)
    let answers = bench.command(
      .updateMulticastList(
        token, .add,
        [UCIControlee(address: 3, subSessionID: 1), UCIControlee(address: 2, subSessionID: 1)]))
    let statuses = [
      UCIControleeStatus(address: 3, status: .ok),
      UCIControleeStatus(address: 2, status: .addressAlreadyPresent),
    ]
    #expect(
      answers == [
        .response(.updateMulticastList(.failed, statuses)),
        .notification(.multicastList(token, remaining: nil, statuses)),
      ])
  }

  @Test("A deleted controlee is stopped in band and no longer listed")
  func delete() {
    var bench = group(2, listed: [2, 3])
    bench.advance(40)
    let answers = bench.command(
      .updateMulticastList(bench.token(0), .delete, [UCIControlee(address: 3, subSessionID: 0)]))
    #expect(answers.first == .response(.updateMulticastList(.ok, [])))
    let heard = bench.advance(100)
    #expect(heard[0]?.measurements.map(\.address) == [.short(2)])
    #expect(heard[2]?.first == .notification(.sessionStatus(UCISessionToken(7), .idle, .stoppedInBand)))
    #expect(
      bench.command(.getAppConfiguration(bench.token(0), [0x05, 0x07])) == [
        .response(
          .appConfiguration(.ok, [UCITLV(id: 0x05, value: [1]), UCITLV(id: 0x07, value: [2, 0])]))
      ])
  }

  @Test("Deleting the last controlee ends the session: response, IDLE with reason 33, notification")
  func emptied() {
    var bench = group(1, listed: [2])
    bench.advance(40)
    let token = bench.token(0)
    let status = UCIControleeStatus(address: 2, subSessionID: 0, status: .ok)
    #expect(
      bench.command(.updateMulticastList(token, .delete, [UCIControlee(address: 2, subSessionID: 0)])) == [
        .response(.updateMulticastList(.ok, [])),
        .notification(.sessionStatus(token, .idle, .numberOfControlees)),
        .notification(.deviceStatus(.ready)),
        .notification(.multicastList(token, remaining: 0, [status])),
      ])
    #expect(
      bench.command(.sessionStart(token)).last
        == .notification(.sessionStatus(token, .idle, .numberOfControlees)))
  }

  @Test("Entries that cannot be added or deleted have their own statuses")
  func statuses() {
    var bench = group(1, listed: [2, 3, 4, 5, 6, 7, 8, 9], dialect: .v2)
    func status(_ action: UCIMulticastAction, _ address: UInt16, _ key: [UInt8] = []) -> [UCIMulticastStatus]
    {
      let entry = UCIControlee(address: address, subSessionID: 0, key: key)
      guard
        case .response(.updateMulticastList(_, let list)) =
          bench.command(.updateMulticastList(bench.token(0), action, [entry])).first
      else { return [] }
      return list.map(\.status)
    }
    #expect(status(.add, 10) == [.listFull])
    #expect(status(.add, 9) == [.addressAlreadyPresent])
    #expect(status(.delete, 10) == [.addressNotFound])
    #expect(status(.addWithShortKey, 10, [UInt8](repeating: 0, count: 16)) == [.keyNotApplicable])
    #expect(status(.unknown(9), 10) == [])
  }

  @Test("A controlee ranges only if its own key matches", arguments: [3, 4] as [UInt8])
  func keys(_ octet: UInt8) {
    let session = [UInt8](repeating: 1, count: 16)
    let own = [UInt8](repeating: 3, count: 16)
    var bench = group(1, listed: [9], [0x02: [4], 0x45: session])
    bench.command(.sessionStop(bench.token(1)), 1)
    bench.command(
      .setAppConfiguration(
        bench.token(1),
        [
          UCITLV(id: 0x02, value: [4]), UCITLV(id: 0x45, value: session),
          UCITLV(id: 0x46, value: [UInt8](repeating: octet, count: 16)),
        ]), 1)
    bench.command(.sessionStart(bench.token(1)), 1)
    bench.command(
      .updateMulticastList(
        bench.token(0), .addWithShortKey, [UCIControlee(address: 2, subSessionID: 0, key: own)]))
    bench.advance(40)
    #expect(
      bench.advance(100)[0]?.measurements.map(\.status) == [.rxTimeout, octet == 3 ? .ok : .rxTimeout])
  }

  @Test("Unicast sessions and controlees reject list updates")
  func refusals() {
    var bench = AirBench.pair()
    let entry = UCIControlee(address: 5, subSessionID: 0)
    for index in 0...1 {
      #expect(
        bench.command(.updateMulticastList(bench.token(index), .add, [entry]), index)
          == [.response(.updateMulticastList(.rejected, []))])
    }
  }
}
