import NearbyUCI
import TestSupport
import Testing

@Suite("Host: sessions") struct HostSessionTests {
  static let token = UCISessionToken(100)
  static let request = UCISessionRequest(
    sessionID: 7,
    parameters: [
      .deviceRole(.initiator), .destinationAddresses([.short(2)]), .macAddressMode(.short),
      .numberOfControlees(1), .channel(.nine),
    ])

  func status(_ state: UCISessionState, _ token: UCISessionToken = Self.token) -> [UInt8] {
    notification(.sessionStatus(token, state, .byCommand))
  }

  @Test("Opening sends INIT, the configuration in the order that chips need, and START, using the handle")
  func opens() {
    var host = readyHost()
    #expect(
      host.openSession(Self.request, at: .zero) == [
        .send(command(.sessionInit(sessionID: 7, type: .ranging))), .wake(at: seconds(2)),
      ])
    #expect(
      host.received(response(.sessionInit(.ok, handle: Self.token)), at: seconds(1)) == [
        .wake(at: seconds(3))
      ])
    let tlvs = [
      UCITLV(id: 0x26, value: [0]), UCITLV(id: 0x05, value: [1]), UCITLV(id: 0x07, value: [2, 0]),
      UCITLV(id: 0x04, value: [9]), UCITLV(id: 0x11, value: [1]),
    ]
    #expect(
      host.received(status(.initialised), at: seconds(1)) == [
        .report(.sessionState(7, .initialised, .byCommand)),
        .send(command(.setAppConfiguration(Self.token, tlvs))),
      ])
    #expect(host.received(response(.setAppConfiguration(.ok, [])), at: seconds(1)) == [])
    #expect(
      host.received(status(.idle), at: seconds(1)) == [
        .report(.sessionState(7, .idle, .byCommand)), .report(.sessionOpened(7)),
        .send(command(.sessionStart(Self.token))),
      ])
    _ = host.received(response(.sessionStart(.ok)), at: seconds(1))
    #expect(
      host.received(status(.active), at: seconds(1)) == [.report(.sessionState(7, .active, .byCommand))])
    #expect(host.timePassed(at: seconds(50)) == [])
  }

  @Test("Notifications may arrive before the responses to which they belong")
  func swapped() {
    var host = readyHost()
    _ = host.openSession(Self.request, at: .zero)
    #expect(host.received(status(.initialised), at: .zero) == [])
    let actions = host.received(response(.sessionInit(.ok, handle: Self.token)), at: .zero)
    #expect(actions.first == .report(.sessionState(7, .initialised, .byCommand)))
    #expect(actions.count == 2)
    _ = host.received(status(.idle), at: .zero)
    #expect(
      host.received(response(.setAppConfiguration(.ok, [])), at: .zero) == [
        .report(.sessionOpened(7)), .send(command(.sessionStart(Self.token))),
      ])
  }

  @Test("If a chip returns no handle, the session id is used, whatever the version")
  func noHandle() {
    var host = readyHost()
    _ = host.openSession(Self.request, at: .zero)
    _ = host.received(response(.sessionInit(.ok, handle: nil)), at: .zero)
    let actions = host.received(status(.initialised, UCISessionToken(7)), at: .zero)
    #expect(actions.first == .report(.sessionState(7, .initialised, .byCommand)))
  }

  @Test("A long configuration is sent in parts, with DEVICE_ROLE in the last")
  func parts() throws {
    var host = readyHost()
    let request = UCISessionRequest(
      sessionID: 7,
      parameters: [.deviceRole(.initiator), .numberOfControlees(8)]
        + (0..<20).map { .unknown(id: 0xE3 + UInt8($0), [UInt8](repeating: 0, count: 30)) })
    _ = host.openSession(request, at: .zero)
    _ = host.received(response(.sessionInit(.ok, handle: Self.token)), at: .zero)
    var actions = host.received(status(.initialised), at: .zero)
    var seen: [UInt8] = []
    for _ in 0..<3 {
      guard case .send(let packet)? = actions.last,
        case .command(.setAppConfiguration(_, let tlvs)) = try UCIMessage(packet: packet, dialect: .v2)
      else { break }
      seen += tlvs.map(\.id)
      actions = host.received(response(.setAppConfiguration(.ok, [])), at: .zero)
    }
    #expect(seen == [0x05] + (0..<20).map { 0xE3 + $0 } + [0x11])
    #expect(host.received(status(.idle), at: .zero).contains(.report(.sessionOpened(7))))
  }

  @Test("A refused session is removed, and deinitialised if the chip has it")
  func refused() {
    var host = readyHost()
    _ = host.openSession(Self.request, at: .zero)
    #expect(
      host.received(response(.sessionInit(.tooManySessions, handle: nil)), at: .zero) == [
        .report(.sessionFailed(7, .refused(group: 1, opcode: 0, .tooManySessions, [])))
      ])
    _ = host.openSession(Self.request, at: .zero)
    _ = host.received(response(.sessionInit(.ok, handle: Self.token)), at: .zero)
    _ = host.received(status(.initialised), at: .zero)
    #expect(
      host.received(response(.setAppConfiguration(.rejected, [])), at: .zero) == [
        .report(.sessionFailed(7, .refused(group: 1, opcode: 3, .rejected, []))),
        .send(command(.sessionDeinit(Self.token))),
      ])
    #expect(host.received(response(.sessionDeinit(.ok)), at: .zero) == [])
    #expect(host.received(status(.deinitialised), at: .zero) == [])
    // The same id may be used again.
    #expect(host.openSession(Self.request, at: .zero).count == 2)
  }

  @Test("Opening fails if STATUS(INIT) or STATUS(IDLE) does not arrive within 2 s", arguments: [false, true])
  func waits(_ isConfigured: Bool) {
    var host = readyHost()
    _ = host.openSession(Self.request, at: .zero)
    _ = host.received(response(.sessionInit(.ok, handle: Self.token)), at: .zero)
    if isConfigured {
      _ = host.received(status(.initialised), at: .zero)
      _ = host.received(response(.setAppConfiguration(.ok, [])), at: .zero)
    }
    #expect(host.timePassed(at: seconds(1.9)) == [])
    #expect(
      host.timePassed(at: seconds(2)) == [
        .report(.sessionFailed(7, .timedOut(group: 1, opcode: isConfigured ? 3 : 0))),
        .send(command(.sessionDeinit(Self.token))), .wake(at: seconds(4)),
      ])
  }

  @Test("Duplicate and unknown session ids are refused")
  func misuse() {
    var host = rangingHost()
    #expect(
      host.openSession(Self.request, at: .zero) == [
        .report(.sessionFailed(7, .refused(group: 1, opcode: 0, .sessionDuplicate, [])))
      ])
    let missing: (UInt8, UInt8) -> [UCIHost.Action] = { group, opcode in
      [.report(.sessionFailed(8, .refused(group: group, opcode: opcode, .sessionDoesNotExist, [])))]
    }
    #expect(host.startSession(8, at: .zero) == missing(2, 0))
    #expect(host.stopSession(8, at: .zero) == missing(2, 1))
    #expect(host.updateParameters(8, [], at: .zero) == missing(1, 3))
    #expect(host.updateControlees(8, .add, [], at: .zero) == missing(1, 7))
    #expect(host.closeSession(8, at: .zero) == [.report(.sessionClosed(8))])
    #expect(host.send([1], to: 1, session: 8).actions == [.report(.dataSent(8, sequence: 0, .rejected))])
  }

  @Test("Closing a ranging session stops it, then deinitialises it")
  func closes() {
    var host = rangingHost()
    #expect(host.closeSession(7, at: .zero).first == .send(command(.sessionStop(Self.token))))
    #expect(
      host.received(response(.sessionStop(.ok)), at: .zero) == [
        .send(command(.sessionDeinit(Self.token)))
      ])
    #expect(
      host.received(status(.idle), at: .zero) == [.report(.sessionState(7, .idle, .byCommand))])
    #expect(host.received(response(.sessionDeinit(.ok)), at: .zero) == [.report(.sessionClosed(7))])
    #expect(host.received(status(.deinitialised), at: .zero) == [])
  }

  @Test("Closing succeeds despite a refused STOP or STATUS(DEINIT) before the response")
  func closesAnyway() {
    var host = rangingHost()
    _ = host.closeSession(7, at: .zero)
    #expect(
      host.received(response(.sessionStop(.sessionActive)), at: .zero) == [
        .send(command(.sessionDeinit(Self.token)))
      ])
    #expect(host.received(status(.deinitialised), at: .zero) == [.report(.sessionClosed(7))])
    #expect(host.received(response(.sessionDeinit(.ok)), at: .zero) == [])
  }

  @Test("A session closed while INIT is in flight is deinitialised once its handle is known")
  func closesEarly() {
    var host = readyHost()
    _ = host.openSession(Self.request, at: .zero)
    #expect(host.closeSession(7, at: .zero) == [])
    #expect(
      host.received(response(.sessionInit(.ok, handle: Self.token)), at: .zero) == [
        .send(command(.sessionDeinit(Self.token)))
      ])
    #expect(host.received(response(.sessionDeinit(.ok)), at: .zero) == [.report(.sessionClosed(7))])
    // A queued request that is cancelled is never sent.
    _ = host.openSession(UCISessionRequest(sessionID: 1, parameters: []), at: .zero)
    #expect(host.openSession(Self.request, at: .zero) == [])
    #expect(host.closeSession(7, at: .zero) == [.report(.sessionClosed(7))])
  }

  @Test("A session that the chip deinitialises is reported as closed")
  func takenDown() {
    var host = rangingHost()
    #expect(
      host.received(
        notification(.sessionStatus(Self.token, .deinitialised, .maxRoundRetries)), at: .zero) == [
          .report(.sessionState(7, .deinitialised, .maxRoundRetries)), .report(.sessionClosed(7)),
        ])
  }

  @Test("Measurements are reported with the session's id; those of unknown sessions are dropped")
  func measured() {
    var host = rangingHost()
    let info = UCISessionInfo(
      sequence: 1, token: Self.token, intervalMilliseconds: 200,
      measurements: .twoWay([GoldenTests.measurement], usesExtendedAddresses: false))
    #expect(
      host.received(notification(.sessionInfo(info)), at: .zero) == [.report(.measured(7, info))])
    var unknown = info
    unknown.token = UCISessionToken(7)
    #expect(host.received(notification(.sessionInfo(unknown)), at: .zero) == [])
    #expect(host.received(status(.idle, UCISessionToken(9)), at: .zero) == [])
  }

  @Test("A START requested while a session opens is cancelled by a later STOP")
  func startsLater() {
    var host = readyHost()
    var request = Self.request
    request.startsRanging = false
    _ = host.openSession(request, at: .zero)
    #expect(host.startSession(7, at: .zero) == [])
    _ = host.received(response(.sessionInit(.ok, handle: Self.token)), at: .zero)
    _ = host.received(status(.initialised), at: .zero)
    _ = host.received(response(.setAppConfiguration(.ok, [])), at: .zero)
    #expect(host.stopSession(7, at: .zero) == [])
    #expect(host.received(status(.idle), at: .zero).last == .report(.sessionOpened(7)))
    #expect(host.startSession(7, at: .zero).first == .send(command(.sessionStart(Self.token))))
  }

  @Test("In 2.0 controlees' statuses are taken from the response and reported once")
  func controlees() {
    var host = rangingHost()
    let controlee = UCIControlee(address: 2, subSessionID: 0)
    #expect(
      host.updateControlees(7, .add, [controlee], at: .zero).first
        == .send(command(.updateMulticastList(Self.token, .add, [controlee]))))
    let statuses = [UCIControleeStatus(address: 2, status: .listFull)]
    #expect(
      host.received(response(.updateMulticastList(.multicastListFull, statuses)), at: .zero) == [
        .report(.controleesUpdated(7, statuses))
      ])
    let told = notification(.multicastList(Self.token, remaining: nil, statuses))
    #expect(host.received(told, at: .zero) == [])
    #expect(host.received(told, at: .zero) == [.report(.controleesUpdated(7, statuses))])
    _ = host.updateControlees(7, .add, [controlee], at: .zero)
    #expect(
      host.received(response(.updateMulticastList(.ok, [])), at: .zero) == [
        .report(.controleesUpdated(7, [UCIControleeStatus(address: 2, status: .ok)]))
      ])
    _ = host.updateControlees(7, .add, [controlee], at: .zero)
    #expect(
      host.received(hex("41070001 01"), at: .zero) == [
        .report(.sessionFailed(7, .refused(group: 1, opcode: 7, .rejected, [])))
      ])
  }

  @Test("In 1.x controlees' statuses are taken from the notification")
  func controleesFirst() {
    var host = rangingHost(1)
    _ = host.updateControlees(7, .delete, [UCIControlee(address: 2, subSessionID: 5)], at: .zero)
    #expect(host.received(hex("41070001 00"), at: .zero) == [])
    let statuses = [UCIControleeStatus(address: 2, subSessionID: 5, status: .ok)]
    let told = notification(.multicastList(UCISessionToken(7), remaining: 0, statuses), .v1)
    #expect(host.received(told, at: .zero) == [.report(.controleesUpdated(7, statuses))])
  }
}

@Suite("Host: data") struct HostDataTests {
  static let token = UCISessionToken(100)
  let credit = notification(.dataCredit(Self.token, isAvailable: true))

  func packet(_ sequence: UInt16, _ data: [UInt8]) -> UCIHost.Action {
    .send(octets(.data(.send(Self.token, destination: 2, sequence: sequence, data))))
  }

  @Test("A message uses one credit; the next waits for DATA_CREDIT(1), and DATA_CREDIT(0) sends nothing")
  func credits() {
    var host = rangingHost()
    #expect(host.send([1], to: 2, session: 7) == (1, [packet(1, [1])]))
    #expect(host.send([2], to: 2, session: 7) == (2, []))
    let none = notification(.dataCredit(Self.token, isAvailable: false))
    #expect(host.received(none, at: .zero) == [])
    let sent = notification(.dataTransferStatus(Self.token, sequence: 1, .ok, transmissions: 1))
    #expect(host.received(sent, at: .zero) == [.report(.dataSent(7, sequence: 1, .ok))])
    #expect(host.received(credit, at: .zero) == [packet(2, [2])])
    #expect(host.received(credit, at: .zero) == [])
    #expect(host.send([3], to: 2, session: 7) == (3, [packet(3, [3])]))
  }

  @Test("Each segment uses a credit")
  func segments() {
    var host = rangingHost()
    let data = [UInt8](repeating: 9, count: 600)
    let raw = UCIMessage.data(.send(Self.token, destination: 2, sequence: 1, data)).raw(dialect: .v2)
    let packets = UCISegmenter().packets(raw)
    #expect(packets.count == 3)
    #expect(host.send(data, to: 2, session: 7).actions == [.send(packets[0])])
    #expect(host.received(credit, at: .zero) == [.send(packets[1])])
    #expect(host.received(credit, at: .zero) == [.send(packets[2])])
    #expect(host.received(credit, at: .zero) == [])
  }

  @Test("IDLE drops waiting messages and reports them; ACTIVE gives a credit again")
  func idle() {
    var host = rangingHost()
    for _ in 0..<3 { _ = host.send([1], to: 2, session: 7) }
    let idle = notification(.sessionStatus(Self.token, .idle, .byCommand))
    #expect(
      host.received(idle, at: .zero) == [
        .report(.sessionState(7, .idle, .byCommand)), .report(.dataSent(7, sequence: 2, .error)),
        .report(.dataSent(7, sequence: 3, .error)),
      ])
    #expect(host.send([4], to: 2, session: 7) == (4, []))
    let active = notification(.sessionStatus(Self.token, .active, .byCommand))
    #expect(
      host.received(active, at: .zero) == [
        .report(.sessionState(7, .active, .byCommand)), packet(4, [4]),
      ])
  }

  @Test("Closing drops waiting messages and reports them")
  func closing() {
    var host = rangingHost()
    for _ in 0..<2 { _ = host.send([1], to: 2, session: 7) }
    _ = host.closeSession(7, at: .zero)
    _ = host.received(response(.sessionStop(.ok)), at: .zero)
    #expect(
      host.received(response(.sessionDeinit(.ok)), at: .zero) == [
        .report(.dataSent(7, sequence: 2, .error)), .report(.sessionClosed(7)),
      ])
    #expect(host.send([1], to: 2, session: 7).actions == [.report(.dataSent(7, sequence: 0, .rejected))])
  }

  @Test("GENERIC_ERROR(0A) resends the last packet, at most twice and not after a credit")
  func resends() {
    var host = rangingHost()
    let retry = hex("60070001 0a")
    #expect(host.received(retry, at: .zero) == [])
    _ = host.send([1], to: 2, session: 7)
    #expect(host.received(retry, at: .zero) == [packet(1, [1])])
    #expect(host.received(retry, at: .zero) == [packet(1, [1])])
    #expect(host.received(retry, at: .zero) == [.report(.dataSent(7, sequence: 1, .error))])
    #expect(host.received(retry, at: .zero) == [])
    _ = host.received(credit, at: .zero)
    _ = host.send([2], to: 2, session: 7)
    _ = host.received(credit, at: .zero)
    #expect(host.received(retry, at: .zero) == [])
  }

  @Test("Messages that are too long or too many are refused immediately")
  func bounds() {
    var host = rangingHost()
    let long = [UInt8](repeating: 0, count: 65536)
    #expect(
      host.send(long, to: 2, session: 7) == (1, [.report(.dataSent(7, sequence: 1, .invalidFormat))]))
    for _ in 0...UCIHost.maximumTransfers { _ = host.send([1], to: 2, session: 7) }
    let last = host.send([1], to: 2, session: 7)
    #expect(last.actions == [.report(.dataSent(7, sequence: last.sequence, .noCredit))])
  }

  @Test("Received data is reported; empty messages and those of unknown sessions are not")
  func received() {
    var host = rangingHost()
    let data = UCIMessage.data(.received(Self.token, .ok, source: 2, sequence: 1, [1, 2]))
    #expect(
      host.received(octets(data), at: .zero) == [.report(.dataReceived(7, source: 2, [1, 2]))])
    let empty = UCIMessage.data(.received(Self.token, .ok, source: 2, sequence: 1, []))
    #expect(host.received(octets(empty), at: .zero) == [])
    let unknown = UCIMessage.data(.received(UCISessionToken(1), .ok, source: 2, sequence: 1, [1]))
    #expect(host.received(octets(unknown), at: .zero) == [])
    let bad = UCIMessage.data(.received(Self.token, .dataCRCFailed, source: 2, sequence: 1, [1]))
    #expect(host.received(octets(bad), at: .zero) == [.report(.other(bad))])
  }

  @Test("A transfer status with an 8-bit sequence number is matched to its message")
  func shortSequences() {
    var second = rangingHost(2)
    for _ in 0..<0x102 {
      _ = second.send([1], to: 2, session: 7)
      _ = second.received(credit, at: .zero)
      if second.send([1], to: 2, session: 7).sequence == 0x102 { break }
      _ = second.received(credit, at: .zero)
    }
    #expect(
      second.received(hex("62050007 64000000 ff 01 01"), at: .zero) == [
        .report(.dataSent(7, sequence: 0xFF, .ok))
      ])
  }
}

@Suite("Host: google/pica") struct PicaHostTests {
  static let token = UCISessionToken(7)
  static let pieces: [[UInt8]] = [
    [UInt8](repeating: 1, count: 1024), [UInt8](repeating: 2, count: 1024), [3],
  ]

  private func credit(_ isAvailable: Bool = true) -> [UInt8] {
    notification(.dataCredit(Self.token, isAvailable: isAvailable), .pica)
  }

  /// One packet of pica's DataMessageSnd: header with the boundary bit, token, destination, number, length.
  private func packet(_ data: [UInt8], isLast: Bool, sequence: UInt8 = 1) -> UCIHost.Action {
    let size = data.count + 16
    return .send(
      [isLast ? 0x01 : 0x11, 0, UInt8(size & 0xFF), UInt8(size >> 8), 7, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0]
        + [sequence, 0, UInt8(data.count & 0xFF), UInt8(data.count >> 8)] + data)
  }

  @Test("Every packet has its own header, and the last credit reports the message as sent")
  func segments() {
    var host = rangingHost(2, fixed: .pica)
    let data = Array(Self.pieces.joined())
    #expect(host.send(data, to: 2, session: 7).actions == [packet(Self.pieces[0], isLast: false)])
    #expect(host.received(credit(false), at: .zero) == [])
    #expect(host.received(credit(), at: .zero) == [packet(Self.pieces[1], isLast: false)])
    #expect(host.received(credit(), at: .zero) == [packet(Self.pieces[2], isLast: true)])
    #expect(host.send([9], to: 2, session: 7).actions == [])
    #expect(
      host.received(credit(), at: .zero) == [
        .report(.dataSent(7, sequence: 1, .ok)), packet([9], isLast: true, sequence: 2),
      ])
  }

  @Test("A refusal in pica's form ends its message once")
  func refusal() {
    for data in [[9], Array(Self.pieces.joined())] {
      var host = rangingHost(2, fixed: .pica)
      _ = host.send(data, to: 2, session: 7)
      _ = host.send([8], to: 2, session: 7)
      #expect(
        host.received(hex("62050007 07000000 01 05 01"), at: .zero) == [
          .report(.dataSent(7, sequence: 1, .sessionTypeNotSupported)),
          packet([8], isLast: true, sequence: 2),
        ])
      #expect(host.received(credit(), at: .zero) == [.report(.dataSent(7, sequence: 2, .ok))])
      #expect(host.received(credit(), at: .zero) == [])
    }
  }
}

@Suite("Host: hostile chip") struct HostileChipTests {
  @Test("After random octets and a closed link the host can be started again", arguments: 0..<8)
  func hostile(_ part: Int) {
    for seed in (part * 1250)..<((part + 1) * 1250) {
      var random = SeededGenerator(seed: UInt64(seed))
      var host = seed % 2 == 0 ? rangingHost() : readyHost(1)
      _ = host.openSession(UCISessionRequest(sessionID: 9, parameters: []), at: .zero)
      _ = host.send([1, 2, 3], to: 1, session: 7)
      for step in 0..<6 {
        var octets = random.octets(0...40)
        if octets.count > 4 {
          // Headers that are usually meaningful.
          octets[0] = [0x40, 0x41, 0x42, 0x60, 0x61, 0x62, 0x02, 0x70][Int(octets[0] & 7)]
          octets[1] &= 7
          octets[3] = octets[0] == 0x02 ? 0 : UInt8(octets.count - 4)
        }
        _ = host.received(octets, at: .seconds(step))
        _ = host.timePassed(at: .seconds(step))
      }
      _ = host.linkClosed()
      let actions = host.start(at: .seconds(9))
      #expect(actions.first == .send(hex("20000001 00")), "seed \(seed)")
    }
  }
}
