import Testing

@testable import NearbyEventLoop
@testable import NearbyPeerNetwork

@Suite("State machines of the network")
struct MachineTests {
  @Test("A preamble is written and read back; a truncated one is refused and a changed one does not trap")
  func preamble() throws {
    let verdicts = [ChannelPreamble.Verdict.accepted] + NetworkError.Refusal.allCases.map { .refused($0) }
    for verdict in verdicts {
      let preamble = ChannelPreamble(verdict, datagramPort: 0xBEEF)
      var octets: [UInt8] = []
      preamble.write(to: &octets)
      #expect(try ChannelPreamble(parsing: octets.span) == preamble)
      for count in 0..<octets.count {
        let cut = Array(octets[..<count])
        #expect(throws: NetworkError.refused(.otherProtocol)) { try ChannelPreamble(parsing: cut.span) }
      }
      for index in octets.indices {
        var changed = octets
        changed[index] ^= 0xFF
        _ = try? ChannelPreamble(parsing: changed.span)
      }
    }
  }

  @Test("When full, the oldest silent connection of the address with the most is evicted")
  func admissionRoom() {
    var admission = Admission(Admission.Limits(pending: 3))
    let outcome1 = admission.arrived(1, from: [1])
    #expect(outcome1 == nil)
    let outcome2 = admission.arrived(2, from: [2])
    #expect(outcome2 == nil)
    let outcome3 = admission.arrived(3, from: [2])
    #expect(outcome3 == nil)
    let outcome4 = admission.spoke(2, at: .zero)
    #expect(outcome4)
    let outcome5 = admission.arrived(4, from: [3])
    #expect(outcome5 == 3)
    #expect(admission.pendingCount == 3)
    admission.opened(2)
    admission.ended(1)
    #expect(admission.pendingCount == 1)
    #expect(admission.openCount == 1)
  }

  @Test("A connection evicted during its handshake does not free a channel's place")
  func admissionAfterEviction() {
    var admission = Admission(Admission.Limits(pending: 1, channels: 1))
    _ = admission.arrived(1, from: [1])
    let isFirstAdmitted = admission.spoke(1, at: .zero)
    #expect(isFirstAdmitted)
    let victim = admission.arrived(2, from: [1])
    #expect(victim == 1)
    admission.ended(1)
    #expect(admission.openCount == 0)
    admission.opened(2)
    _ = admission.arrived(3, from: [1])
    let isThirdAdmitted = admission.spoke(3, at: .zero)
    #expect(!isThirdAdmitted)
    admission.ended(2)
    #expect(admission.openCount == 0)
  }

  @Test("Handshakes from one address are limited in rate; other addresses are not affected")
  func admissionRate() {
    var admission = Admission(Admission.Limits(pending: 100, burst: 3, perSecond: 2))
    var results: [Bool] = []
    for id in 1...5 {
      _ = admission.arrived(UInt64(id), from: [1])
      results.append(admission.spoke(UInt64(id), at: .zero))
    }
    #expect(results == [true, true, true, false, false])
    _ = admission.arrived(6, from: [2])
    let outcome6 = admission.spoke(6, at: .zero)
    #expect(outcome6)
    _ = admission.arrived(7, from: [1])
    let outcome7 = admission.spoke(7, at: .milliseconds(500))
    #expect(outcome7)
    _ = admission.arrived(8, from: [1])
    let isLate = !admission.spoke(8, at: .milliseconds(600))
    #expect(isLate)
  }

  @Test("Timers fire in order of time, then of scheduling; cancelled ones do not fire")
  func alarms() {
    var heap = TimerHeap()
    let start = ContinuousClock.now
    var rung: [Int] = []
    var ids: [UInt64] = []
    for index in 0..<200 {
      ids.append(heap.schedule(at: start + .milliseconds(index * 37 % 50)) { rung.append(index) })
    }
    for index in stride(from: 0, to: 200, by: 2) { heap.cancel(ids[index]) }
    while let work = heap.takeDue(by: start + .seconds(1)) { work() }
    let expected = stride(from: 1, to: 200, by: 2).sorted { ($0 * 37 % 50, $0) < ($1 * 37 % 50, $1) }
    #expect(rung == expected)
    let next = heap.nextDue()
    #expect(next == nil)
  }

  @Test("A service is reported found once, changed with new details, and lost when it is gone everywhere")
  func services() throws {
    var table = ServiceTable()
    let service = Service(name: "a", type: "_t._tcp")
    let (one, two) = (
      ServiceTable.Place(interface: 1, proto: 0), ServiceTable.Place(interface: 2, proto: 0)
    )
    func resolution(_ host: String) throws -> ServiceTable.Resolution {
      ServiceTable.Resolution(
        address: try SocketAddress(host: host, port: 7), text: ServiceText(), isOwn: false)
    }
    let outcome8 = table.resolved(service, at: one, try resolution("10.0.0.1"))
    #expect(outcome8 == [])
    table.sighted(service, at: one)
    table.sighted(service, at: two)
    var found = FoundService(
      service: service, text: ServiceText(), addresses: [try SocketAddress(host: "10.0.0.2", port: 7)],
      isOwn: false)
    let outcome9 = table.resolved(service, at: two, try resolution("10.0.0.2"))
    #expect(outcome9 == [.found(found)])
    let outcome10 = table.resolved(service, at: two, try resolution("10.0.0.2"))
    #expect(outcome10 == [])
    found.addresses.insert(try SocketAddress(host: "10.0.0.1", port: 7), at: 0)
    let outcome11 = table.resolved(service, at: one, try resolution("10.0.0.1"))
    #expect(outcome11 == [.changed(found)])
    found.addresses.removeLast()
    let outcome12 = table.vanished(service, from: two)
    #expect(outcome12 == [.changed(found)])
    let outcome13 = table.vanished(service, from: one)
    #expect(outcome13 == [.lost(service)])
    let outcome14 = table.vanished(service, from: one)
    #expect(outcome14 == [])
  }
}
