import NearbyUCI
import Testing

/// A host after bring-up with a chip of either version.
func readyHost(
  _ major: UInt8 = 2, capabilities: [UCITLV] = [], fixed: UCIDialect? = nil
) -> UCIHost {
  var host = UCIHost(dialect: fixed)
  _ = host.start(at: .zero)
  _ = host.received(response(.deviceReset(.ok)), at: .zero)
  _ = host.received(notification(.deviceStatus(.ready)), at: .zero)
  _ = host.received(response(.deviceInfo(.ok, info(major))), at: .zero)
  _ = host.received(response(.capabilities(.ok, capabilities)), at: .zero)
  return host
}

func info(_ major: UInt8) -> UCIDeviceInfo {
  let version = UCIVersion(major: major, minor: 0)
  return UCIDeviceInfo(uci: version, mac: version, phy: version, test: version)
}

/// A host with one session that ranges. The token is 7 in 1.x and 100 in 2.0.
func rangingHost(
  _ major: UInt8 = 2, capabilities: [UCITLV] = [], fixed: UCIDialect? = nil
) -> UCIHost {
  var host = readyHost(major, capabilities: capabilities, fixed: fixed)
  let hasHandle = major == 2 && fixed != .pica
  let token = UCISessionToken(hasHandle ? 100 : 7)
  let handle = hasHandle ? token : nil
  _ = host.openSession(
    UCISessionRequest(sessionID: 7, parameters: [.deviceRole(.initiator)]), at: .zero)
  _ = host.received(response(.sessionInit(.ok, handle: handle)), at: .zero)
  _ = host.received(notification(.sessionStatus(token, .initialised, .byCommand)), at: .zero)
  _ = host.received(response(.setAppConfiguration(.ok, [])), at: .zero)
  _ = host.received(notification(.sessionStatus(token, .idle, .byCommand)), at: .zero)
  _ = host.received(response(.sessionStart(.ok)), at: .zero)
  _ = host.received(notification(.sessionStatus(token, .active, .byCommand)), at: .zero)
  return host
}

func seconds(_ count: Double) -> Duration { .seconds(count) }

@Suite("Host: bring-up") struct HostBringUpTests {
  @Test("Bring-up resets the chip, waits for READY, and reads information and capabilities")
  func bringUp() {
    var host = UCIHost()
    #expect(
      host.start(at: seconds(1)) == [
        .send(hex("20000001 00")), .wake(at: seconds(3)),
      ])
    #expect(host.received(hex("40000001 00"), at: seconds(1.5)) == [.wake(at: seconds(3.5))])
    #expect(
      host.received(hex("60010001 01"), at: seconds(2)) == [
        .report(.deviceState(.ready)), .send(hex("20020000")), .wake(at: seconds(4)),
      ])
    #expect(
      host.received(response(.deviceInfo(.ok, info(2))), at: seconds(2)) == [.send(hex("20030000"))])
    #expect(!host.isReady)
    let tlvs = [UCITLV(id: 0xE9, value: [3, 0, 0, 0])]
    #expect(
      host.received(response(.capabilities(.ok, tlvs)), at: seconds(2)) == [.report(.ready(info(2), tlvs))])
    #expect(host.isReady)
    #expect(host.dialect == .v2)
    #expect(host.capabilities?.maxRangingSessions == 3)
    #expect(host.timePassed(at: seconds(100)) == [])
  }

  @Test("READY may arrive before the response to RESET")
  func readyFirst() {
    var host = UCIHost()
    _ = host.start(at: .zero)
    #expect(host.received(hex("60010001 01"), at: .zero) == [.report(.deviceState(.ready))])
    #expect(host.received(hex("40000001 00"), at: .zero) == [.send(hex("20020000"))])
  }

  @Test("If RESET is not answered, is refused or READY is missing, bring-up continues with GET_DEVICE_INFO")
  func resetSurvived() {
    var silent = UCIHost()
    _ = silent.start(at: .zero)
    #expect(silent.timePassed(at: seconds(1.9)) == [])
    #expect(silent.timePassed(at: seconds(2)) == [.send(hex("20020000")), .wake(at: seconds(4))])
    var refusing = UCIHost()
    _ = refusing.start(at: .zero)
    #expect(refusing.received(hex("40000001 08"), at: .zero) == [.send(hex("20020000"))])
    var notReady = UCIHost()
    _ = notReady.start(at: .zero)
    _ = notReady.received(hex("40000001 00"), at: .zero)
    #expect(notReady.timePassed(at: seconds(2)) == [.send(hex("20020000")), .wake(at: seconds(4))])
  }

  @Test("A failed bring-up reports the command that timed out or was refused, and can be started again")
  func failures() {
    var host = UCIHost()
    _ = host.start(at: .zero)
    _ = host.timePassed(at: seconds(2))
    #expect(
      host.timePassed(at: seconds(4)) == [
        .report(.bringUpFailed(.timedOut(group: 0, opcode: 2)))
      ])
    #expect(host.start(at: seconds(5)).first == .send(hex("20000001 00")))
    _ = host.received(hex("40000001 00 60010001 01"), at: seconds(5))
    #expect(
      host.received(hex("40020001 02"), at: seconds(5)) == [
        .report(.bringUpFailed(.refused(group: 0, opcode: 2, .failed, [])))
      ])
    #expect(!host.isReady)
  }

  @Test("A malformed refusal of two octets, as pica sends, is understood")
  func malformedRefusal() {
    var host = UCIHost()
    _ = host.start(at: .zero)
    _ = host.received(hex("40000001 00 60010001 01"), at: .zero)
    _ = host.received(response(.deviceInfo(.ok, info(2))), at: .zero)
    #expect(
      host.received(hex("40030002 01 03"), at: .zero) == [
        .report(.bringUpFailed(.refused(group: 0, opcode: 3, .rejected, [])))
      ])
  }

  @Test("The chip's version determines the dialect")
  func versions() {
    #expect(readyHost(1).dialect == .v1)
    #expect(readyHost(2).dialect == .v2)
    #expect(readyHost(3).dialect == .v2)
  }

  @Test("A 2.0 chip with 1.x capability numbers is understood, but its data size is ignored")
  func mixedNumbering() {
    let tlvs = [
      UCITLV(id: 0x00, value: [1, 1, 1, 3]), UCITLV(id: 0x01, value: [1, 1, 1, 3]),
      UCITLV(id: 0x02, value: [3]), UCITLV(id: 0x0B, value: [0x09]), UCITLV(id: 0x13, value: [0, 4]),
    ]
    let host = readyHost(2, capabilities: tlvs)
    #expect(host.capabilities?.channels == [.five, .nine])
    #expect(host.dialect.capabilities == .v1)
    var ranging = rangingHost(2, capabilities: tlvs)
    let actions = ranging.send([UInt8](repeating: 0, count: 300), to: 1, session: 7).actions
    guard case .send(let packet)? = actions.first else {
      Issue.record("no packet")
      return
    }
    #expect(packet.count == 4 + 255)
  }

  @Test("The device's ERROR drops sessions and restarts bring-up, at most three times")
  func recovery() {
    var host = rangingHost()
    let error = hex("60010001 ff")
    #expect(
      host.received(error, at: seconds(1)) == [
        .report(.recovering), .send(hex("20000001 00")), .wake(at: seconds(3)),
      ])
    // A RESET is already in flight, so the error needs no other.
    #expect(host.received(error, at: seconds(1)) == [.report(.deviceState(.error))])
    let reset = hex("40000001 00")
    _ = host.received(reset, at: seconds(1))
    #expect(host.received(error, at: seconds(1)).first == .report(.recovering))
    _ = host.received(reset, at: seconds(1))
    #expect(host.received(error, at: seconds(1)).first == .report(.recovering))
    _ = host.received(reset, at: seconds(1))
    #expect(host.received(error, at: seconds(1)) == [.report(.bringUpFailed(.lost))])
    #expect(
      host.startSession(7, at: seconds(1)) == [
        .report(.sessionFailed(7, .refused(group: 2, opcode: 0, .sessionDoesNotExist, [])))
      ])
  }

  @Test("ERROR in the middle of a segmented message starts recovery")
  func recoveryInSegments() {
    var host = rangingHost()
    var packet: [UInt8] = [0x71, 0x07, 0, 255]
    packet += [UInt8](repeating: 0, count: 255)
    #expect(host.received(packet, at: .zero) == [])
    #expect(host.received(hex("60010001 ff"), at: .zero).first == .report(.recovering))
  }

  @Test("When the link closes, sessions and bring-up fail as lost")
  func linkClosed() {
    var host = rangingHost()
    _ = host.openSession(UCISessionRequest(sessionID: 3, parameters: []), at: .zero)
    #expect(
      host.linkClosed() == [.report(.sessionFailed(3, .lost)), .report(.sessionFailed(7, .lost))])
    #expect(host.timePassed(at: seconds(9)) == [])
    #expect(host.linkClosed() == [])
    _ = host.start(at: seconds(10))
    #expect(host.linkClosed() == [.report(.bringUpFailed(.lost))])
    #expect(
      host.openSession(UCISessionRequest(sessionID: 3, parameters: []), at: .zero) == [
        .report(.sessionFailed(3, .lost))
      ])
  }
}

@Suite("Host: commands") struct HostCommandTests {
  @Test("COMMAND_RETRY resends a command up to twice; then it has timed out")
  func retries() {
    var host = rangingHost()
    let stop = command(.sessionStop(UCISessionToken(100)))
    #expect(host.stopSession(7, at: .zero) == [.send(stop), .wake(at: seconds(2))])
    #expect(
      host.received(hex("42010001 0a"), at: seconds(1)) == [.send(stop), .wake(at: seconds(3))])
    #expect(
      host.received(hex("60070001 0a"), at: seconds(1.5)) == [.send(stop), .wake(at: seconds(3.5))])
    #expect(
      host.received(hex("42010001 0a"), at: seconds(2)) == [
        .report(.sessionFailed(7, .timedOut(group: 2, opcode: 1)))
      ])
  }

  @Test("A command without an answer is not sent again")
  func timeout() {
    var host = rangingHost()
    _ = host.stopSession(7, at: .zero)
    #expect(host.timePassed(at: seconds(1.999)) == [])
    #expect(
      host.timePassed(at: seconds(2)) == [.report(.sessionFailed(7, .timedOut(group: 2, opcode: 1)))])
    // The answer that arrives too late has no command and is reported.
    #expect(
      host.received(hex("42010001 00"), at: seconds(3)) == [.report(.other(.response(.sessionStop(.ok))))])
  }

  @Test("Only one command is in flight; responses are matched by id, whatever arrives in between")
  func oneInFlight() {
    var host = rangingHost()
    let first = UCIAppParameter.rangingDuration(milliseconds: 100)
    let token = UCISessionToken(100)
    #expect(
      host.updateParameters(7, [first], at: .zero).first
        == .send(command(.setAppConfiguration(token, [first.tlv]))))
    #expect(host.stopSession(7, at: .zero) == [])
    // Not the answer to the command in flight.
    #expect(
      host.received(response(.sessionStop(.ok)), at: .zero) == [
        .report(.other(.response(.sessionStop(.ok))))
      ])
    #expect(
      host.received(notification(.deviceStatus(.active)), at: .zero) == [.report(.deviceState(.active))])
    #expect(
      host.received(response(.setAppConfiguration(.ok, [])), at: .zero) == [
        .send(command(.sessionStop(token)))
      ])
  }

  @Test("A refused command is reported with its status and parameters")
  func refusal() {
    var host = rangingHost()
    _ = host.updateParameters(7, [.slotDuration(rstu: 1)], at: .zero)
    let statuses = [UCIParameterStatus(id: 8, status: .invalidRange)]
    #expect(
      host.received(response(.setAppConfiguration(.invalidParameter, statuses)), at: .zero) == [
        .report(.sessionFailed(7, .refused(group: 1, opcode: 3, .invalidParameter, statuses)))
      ])
  }

  @Test("Vendor messages, other generic errors and undecodable packets are reported")
  func other() {
    var host = rangingHost()
    #expect(
      host.received(hex("6e010002 0102"), at: .zero) == [
        .report(.other(.notification(.unknown(group: 0x0E, opcode: 1, payload: [1, 2]))))
      ])
    #expect(
      host.received(hex("60070001 02"), at: .zero) == [
        .report(.other(.notification(.genericError(.failed))))
      ])
    #expect(
      host.received(hex("61020001 02"), at: .zero) == [
        .report(.undecodable(.truncated(.token, needed: 4, left: 1)))
      ])
  }
}
