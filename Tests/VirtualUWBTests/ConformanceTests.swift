import NearbyExchange
import NearbyUCI
import NearbyVirtualUWB
import Testing

/// google/pica's data transfer: what its own test sends and expects.
@Suite("Data in google/pica's dialect")
struct PicaDataTests {
  private static let token = UCISessionToken(7)

  private func pair(_ changes: [UInt8: [UInt8]] = [:]) -> AirBench {
    // Contention schedule and session usage 6, as in pica's test.
    let values: [UInt8: [UInt8]] = [0x01: [6], 0x22: [0]]
    return AirBench.pair(
      values.merging(changes) { $1 }, values, type: .rangingWithInBandData,
      configuration: VirtualChipConfiguration(dialect: .pica))
  }

  /// One packet of DataMessageSnd with its own header and its destination's octets swapped.
  private func packet(_ data: [UInt8], sequence: UInt8, isLast: Bool) -> [UInt8] {
    let size = data.count + 16
    return [isLast ? 0x01 : 0x11, 0, UInt8(size & 0xFF), UInt8(size >> 8), 7, 0, 0, 0]
      + [0, 2, 0, 0, 0, 0, 0, 0, sequence, 0, UInt8(data.count & 0xFF), UInt8(data.count >> 8)] + data
  }

  private static let credit: [UInt8] = [0x62, 4, 0, 5, 7, 0, 0, 0, 1]

  @Test("Segments sent while IDLE are answered with credits only and arrive as one message")
  func whileIdle() {
    var bench = pair()
    let segments = (0..<3).map { [UInt8](repeating: UInt8($0), count: $0 == 2 ? 100 : 1024) }
    for (index, data) in segments.enumerated() {
      #expect(bench.send(packet(data, sequence: UInt8(index), isLast: index == 2)) == [Self.credit])
    }
    bench.start()
    let heard = bench.advance(100)
    #expect(
      heard[1]?.last
        == .data(.received(Self.token, .ok, source: 1, sequence: 1, Array(segments.joined()))))
    #expect(heard[0]?.filter { if case .notification(.sessionInfo) = $0 { false } else { true } } == [])
    // Nothing remains for later rounds.
    #expect(bench.advance(300)[1]?.contains { if case .data = $0 { true } else { false } } == false)
  }

  @Test("Collected data survives STOP, and is given up after ten rounds without a peer")
  func waits() {
    var bench = pair()
    _ = bench.send(packet([1], sequence: 0, isLast: true))
    bench.command(.sessionStart(Self.token))
    bench.advance(320)
    bench.command(.sessionStop(Self.token))
    _ = bench.send(packet([2], sequence: 1, isLast: true))
    bench.start()
    #expect(
      bench.advance(100)[1]?.last == .data(.received(Self.token, .ok, source: 1, sequence: 1, [1, 2])))
    var alone = pair()
    _ = alone.send(packet([1], sequence: 0, isLast: true))
    alone.command(.sessionStart(Self.token))
    let statuses = (0..<20).flatMap { _ in alone.advance(100)[0] ?? [] }.filter {
      if case .notification(.dataTransferStatus) = $0 { true } else { false }
    }
    #expect(
      statuses == [.notification(.dataTransferStatus(Self.token, sequence: 1, .error, transmissions: 10))])
  }

  @Test("Refusals have the message's sequence number in 8 bits")
  func refusals() {
    var bench = pair()
    var stranger = packet([1], sequence: 3, isLast: true)
    stranger[4] = 9
    #expect(bench.send(stranger) == [[0x62, 5, 0, 7, 9, 0, 0, 0, 3, 4, 0]])
    var false_ = packet([1, 2], sequence: 4, isLast: true)
    false_[18] = 9
    #expect(bench.send(false_) == [[0x62, 5, 0, 7, 7, 0, 0, 0, 4, 7, 0]])
    #expect(
      bench.send(packet([UInt8](repeating: 0, count: 1025), sequence: 5, isLast: true))
        == [[0x62, 5, 0, 7, 7, 0, 0, 0, 5, 2, 0]])
    var plain = AirBench.pair(configuration: VirtualChipConfiguration(dialect: .pica))
    #expect(
      plain.send(packet([1], sequence: 6, isLast: true)) == [[0x62, 5, 0, 7, 7, 0, 0, 0, 6, 5, 0]])
  }

  @Test("A session collects at most 65535 octets")
  func bound() {
    var bench = pair()
    let full = [UInt8](repeating: 7, count: 1024)
    for _ in 0..<63 { #expect(bench.send(packet(full, sequence: 0, isLast: false)) == [Self.credit]) }
    #expect(
      bench.send(packet(full, sequence: 9, isLast: true)) == [[0x62, 5, 0, 7, 7, 0, 0, 0, 9, 3, 0]])
    #expect(bench.send(packet(Array(full.dropLast()), sequence: 9, isLast: true)) == [Self.credit])
    #expect(
      bench.send(packet([1], sequence: 9, isLast: true)) == [[0x62, 5, 0, 7, 7, 0, 0, 0, 9, 3, 0]])
    bench.start()
    guard case .data(.received(_, .ok, _, 1, let octets))? = bench.advance(100)[1]?.last else {
      Issue.record("nothing arrived")
      return
    }
    #expect(octets == [UInt8](repeating: 7, count: 65_535))
  }

  @Test("With SESSION_DATA_TRANSFER_STATUS_NTF_CONFIG a message's arrival is reported")
  func statusOnRequest() {
    var bench = pair([0x47: [1]])
    _ = bench.send(packet([1], sequence: 0, isLast: true))
    bench.start()
    #expect(
      bench.advance(100)[0]?.last
        == .notification(.dataTransferStatus(Self.token, sequence: 1, .ok, transmissions: 1)))
  }

  @Test("RANGING_ROUND_USAGE 6 is accepted in pica's dialect and refused in others")
  func usage() {
    var bench = pair()
    bench.start()
    #expect(bench.advance(100)[0]?.measurements.first?.status == .ok)
    var other = AirBench()
    other.addChip(VirtualChipConfiguration(dialect: .v2))
    other.command(.sessionInit(sessionID: 7, type: .ranging))
    #expect(
      other.command(.setAppConfiguration(other.token(0), [UCITLV(id: 1, value: [6])])) == [
        .response(
          .setAppConfiguration(.invalidRange, [UCIParameterStatus(id: 1, status: .invalidRange)]))
      ])
  }
}

@Suite("Messages of Android, of hybrid sessions and of anchors")
struct ExtraMessageTests {
  @Test("Ranging sessions reject anchor rounds and hybrid phases")
  func refusals() {
    var bench = AirBench.pair()
    let token = bench.token(0)
    let responders = UCIAnchorResponders(addresses: [.short(2)])
    #expect(
      bench.command(.updateDTAnchorRounds(token, [.initiator(round: 0, responders)]))
        == [.response(.updateDTAnchorRounds(.rejected, failed: []))])
    #expect(
      bench.command(
        .setInitiatorAnchorRounds(token, [UCIAnchorRoundResponders(round: 0, responders: responders)]))
        == [.response(.setInitiatorAnchorRounds(.rejected, failed: []))])
    #expect(
      bench.command(.setHybridControllerPhases(token, UCIHybridSchedule(phases: [])))
        == [.response(.setHybridControllerPhases(.rejected))])
    #expect(
      bench.command(.setHybridControleePhases(token, [token]))
        == [.response(.setHybridControleePhases(.rejected))])
  }

  @Test("A chip with an ACTIVE session does not suspend")
  func suspend() {
    var bench = AirBench.pair()
    #expect(bench.command(.deviceSuspend) == [.response(.deviceSuspend(.ok))])
    bench.start()
    #expect(bench.command(.deviceSuspend) == [.response(.deviceSuspend(.activeSessionsOngoing))])
    bench.command(.sessionStop(bench.token(0)))
    #expect(bench.command(.deviceSuspend) == [.response(.deviceSuspend(.ok))])
  }

  @Test("A slot shared by two controlees is reported, and nothing changes")
  func duplicateSlots() {
    var bench = AirBench.pair([0x19: [1]], type: .rangingWithDataPhase)
    let token = bench.token(0)
    func entry(_ address: UInt16, _ bitmap: [UInt8]) -> UCITransferPhaseEntry {
      UCITransferPhaseEntry(address: .short(address), slotBitmap: bitmap)
    }
    #expect(
      bench.command(
        .configureDataTransferPhase(
          token, repetition: 5, control: 2, [entry(2, [0x01, 0x80]), entry(3, [0x02, 0x80])])) == [
          .response(.configureDataTransferPhase(.ok)),
          .notification(.dataTransferPhase(token, .duplicateSlots)),
        ])
    #expect(
      bench.command(.getAppConfiguration(token, [0x19]))
        == [.response(.appConfiguration(.ok, [UCITLV(id: 0x19, value: [1])]))])
    #expect(
      bench.command(
        .configureDataTransferPhase(
          token, repetition: 5, control: 2, [entry(2, [0x01, 0x80]), entry(3, [0x02, 0x40])])
      ).last
        == .notification(.dataTransferPhase(token, .ok)))
    #expect(
      bench.command(.getAppConfiguration(token, [0x19]))
        == [.response(.appConfiguration(.ok, [UCITLV(id: 0x19, value: [5])]))])
  }

  private func power(_ bench: inout AirBench, _ chip: Int) -> UCIPowerStatistics? {
    if case .response(.powerStatistics(.ok, let statistics))? = bench.command(.getPowerStatistics, chip).first
    {
      return statistics
    }
    return nil
  }

  @Test("Power statistics add up the frames of the rounds, during a session and after it")
  func powerStatistics() throws {
    var bench = AirBench.pair()
    bench.start()
    bench.advance(100_000)
    let initiator = try #require(power(&bench, 0))
    let responder = try #require(power(&bench, 1))
    #expect(initiator.wakes == 1000)
    #expect(responder.wakes == 1000)
    // Control, poll, final and report, versus one response.
    #expect(initiator.transmitMilliseconds > 3 * initiator.receiveMilliseconds)
    #expect(initiator.receiveMilliseconds == responder.transmitMilliseconds)
    #expect(initiator.transmitMilliseconds == responder.receiveMilliseconds)
    // 72 symbols of 1016 ns, and 66 units of STS of 1026 ns: 140.868 µs per response.
    #expect(responder.transmitMilliseconds == 140)
    let total =
      initiator.idleMilliseconds + initiator.transmitMilliseconds + initiator.receiveMilliseconds
    #expect((99_998...100_000).contains(total))
    bench.command(.sessionDeinit(bench.token(0)))
    bench.advance(1000)
    let after = try #require(power(&bench, 0))
    #expect(after.transmitMilliseconds == initiator.transmitMilliseconds)
    #expect(after.wakes == 1000)
    #expect(after.idleMilliseconds == initiator.idleMilliseconds + 1000)
  }

  @Test("Diagnostics follow each round's report and have RSSI even if RSSI_REPORTING is off")
  func diagnostics() throws {
    var bench = AirBench.pair([0xE8: [1], 0xE9: [3]])
    bench.start()
    let heard = try #require(bench.advance(100)[0])
    let info = try #require(heard.sessionInfos.first)
    let entry = try #require(heard.measurements.first)
    #expect(entry.status == .ok)
    #expect(entry.rssiHalfDecibels == 0)
    guard case .notification(.rangeDiagnostics(let diagnostics))? = heard.last else {
      Issue.record("no diagnostics: \(heard)")
      return
    }
    #expect(diagnostics.token == bench.token(0))
    #expect(diagnostics.sequence == info.sequence)
    let report = try #require(diagnostics.reports.first)
    #expect(diagnostics.reports.count == 1)
    #expect(report.messageID == .response)
    #expect(report.action == 0)
    guard case .rssi(let rssi)? = report.fields.first, case .angles(let angles)? = report.fields.last else {
      Issue.record("fields: \(report.fields)")
      return
    }
    #expect(rssi.count == 1 && rssi[0] > 0)
    #expect(angles.map(\.axis) == [0, 1])
    #expect(angles.map(\.angle) == [entry.azimuth, entry.elevation])
    #expect(
      bench.advance(100)[1]?.contains {
        if case .notification(.rangeDiagnostics) = $0 { true } else { false }
      } == false)
  }

  @Test("Diagnostics of a lost round are empty; the default is RSSI only; of 4 field octets the first counts")
  func diagnosticsFields() throws {
    var bench = AirBench.pair([0xE8: [1], 0x13: [1]])
    bench.command(.sessionStart(bench.token(0)))
    guard case .notification(.rangeDiagnostics(let lost))? = bench.advance(100)[0]?.last else {
      Issue.record("no diagnostics")
      return
    }
    #expect(lost.reports == [])
    bench.command(.sessionStart(bench.token(1)), 1)
    let heard = try #require(bench.advance(200)[0])
    guard case .notification(.rangeDiagnostics(let found))? = heard.last else {
      Issue.record("no diagnostics")
      return
    }
    let entry = try #require(heard.measurements.last)
    #expect(entry.rssiHalfDecibels > 0)
    #expect(found.reports.map(\.fields) == [[.rssi([entry.rssiHalfDecibels])]])
    var none = AirBench.pair([0xE8: [1], 0xE9: [4, 0, 0, 0]])
    none.start()
    guard case .notification(.rangeDiagnostics(let empty))? = none.advance(100)[0]?.last else {
      Issue.record("no diagnostics")
      return
    }
    #expect(empty.reports.map(\.fields) == [[]])
  }
}
