/// Data transfer with one credit a packet (FiRa UCI 2.0, data transfer).
extension UCIHost {
  /// The packet that GENERIC_ERROR(0A) asks for once more.
  struct LastData: Sendable {
    var sessionID: UInt32
    var sequence: UInt16
    var packet: [UInt8]
    var sends: Int
  }

  /// Messages that were sent whole and have no status yet, as many as 8 bits of sequence number tell apart; a
  /// controller that reports none would make them grow without end.
  private static let maximumOutstanding = 256
  /// Octets that may wait in one session.
  static let maximumQueuedOctets = 1 << 20

  /// Sends application data to one peer, or queues it until the session ranges and has credit.
  ///
  /// Each message ends with one `dataSent`, unless its session ends first. The status is the controller's, or
  /// `error` when the session turned IDLE before the message was out or the controller asked for one packet
  /// more than three times, `rejected` without such a session, `noCredit` with too much
  /// waiting, `invalidFormat` with more than 65535 octets. In `DataTransfer.pica` the credit behind the last
  /// packet is all that a controller says, and counts as `ok`.
  /// - Parameter address: Short addresses are zero-extended.
  /// - Returns: The message's sequence number in its session, from 1; 8 bits wide in `DataTransfer.pica`.
  package mutating func send(
    _ data: [UInt8], to address: UInt64, session sessionID: UInt32
  ) -> (sequence: UInt16, actions: [Action]) {
    guard let index = index(of: sessionID), !sessions[index].isClosing else {
      return (0, [.report(.dataSent(sessionID, sequence: 0, .rejected))])
    }
    let sequence = sessions[index].nextSequence
    let next = sequence &+ 1
    sessions[index].nextSequence = dialect.dataTransfer == .pica ? next & 0xFF : next
    guard data.count <= Int(UInt16.max) else {
      return (sequence, [.report(.dataSent(sessionID, sequence: sequence, .invalidFormat))])
    }
    guard sessions[index].transfers.count < Self.maximumTransfers,
      sessions[index].queuedOctets + data.count <= Self.maximumQueuedOctets
    else {
      return (sequence, [.report(.dataSent(sessionID, sequence: sequence, .noCredit))])
    }
    sessions[index].transfers.append(
      UCIHostSession.Transfer(sequence: sequence, destination: address, data: data))
    sessions[index].queuedOctets += data.count
    var actions: [Action] = []
    sendData(index, &actions)
    return (sequence, actions)
  }

  /// Sends one packet if there is one and a credit for it.
  private mutating func sendData(_ index: Int, _ actions: inout [Action]) {
    guard sessions[index].ranging == .active(hasCredit: true), let token = sessions[index].token,
      var transfer = sessions[index].transfers.first
    else { return }
    var packets = transfer.packets ?? cut(transfer, token)
    guard let packet = packets.popLast() else { return }
    sessions[index].ranging = .active(hasCredit: false)
    if packets.isEmpty {
      sessions[index].transfers.removeFirst()
      sessions[index].queuedOctets -= transfer.data.count
      sessions[index].outstanding.append(transfer.sequence)
      if sessions[index].outstanding.count > Self.maximumOutstanding {
        sessions[index].outstanding.removeFirst()
      }
    } else {
      transfer.packets = packets
      sessions[index].transfers[0] = transfer
    }
    lastData = LastData(
      sessionID: sessions[index].id, sequence: transfer.sequence, packet: packet, sends: 1)
    actions.append(.send(packet))
  }

  /// The packets of a message, the first one last.
  private func cut(_ transfer: UCIHostSession.Transfer, _ token: UCISessionToken) -> [[UInt8]] {
    if dialect.dataTransfer == .pica { return cutForPica(transfer, token) }
    let message = UCIMessage.data(
      .send(token, destination: transfer.destination, sequence: transfer.sequence, transfer.data))
    guard case .ready(_, let maximum) = phase else { return [] }
    return UCISegmenter(maximumDataPayload: maximum).packets(message.raw(dialect: dialect)).reversed()
  }

  /// What google/pica takes in one packet, beside the message's header.
  static let picaDataSize = 1024

  /// The packets of a message for google/pica, the first one last: each is a message with a header.
  private func cutForPica(
    _ transfer: UCIHostSession.Transfer, _ token: UCISessionToken
  ) -> [[UInt8]] {
    var packets: [[UInt8]] = []
    var rest = transfer.data[...]
    repeat {
      let part = UCIDataMessage.send(
        token, destination: transfer.destination, sequence: transfer.sequence,
        Array(rest.prefix(Self.picaDataSize)))
      rest = rest.dropFirst(Self.picaDataSize)
      var payload: [UInt8] = []
      part.writePayload(to: &payload)
      var packet: [UInt8] = []
      UCIPacketHeader(
        type: .data, id: UCIMessageID(group: part.format, opcode: 0), payloadLength: payload.count,
        hasMoreSegments: !rest.isEmpty
      ).write(to: &packet)
      packets.append(packet + payload)
    } while !rest.isEmpty
    return packets.reversed()
  }

  /// A session that turns ACTIVE has one credit.
  mutating func activate(_ index: Int, _ actions: inout [Action]) {
    guard !sessions[index].ranging.isActive else { return }
    sessions[index].ranging = .active(hasCredit: true)
    sendData(index, &actions)
  }

  /// Takes DATA_CREDIT_NTF. No credit is only noted: it takes none away that a later one gave.
  mutating func received(_ isAvailable: Bool, _ token: UCISessionToken, _ actions: inout [Action]) {
    guard let index = index(of: token) else { return }
    if lastData?.sessionID == sessions[index].id { lastData = nil }
    guard isAvailable else { return }
    if dialect.dataTransfer == .pica {
      let id = sessions[index].id
      actions += sessions[index].outstanding.map { .report(.dataSent(id, sequence: $0, .ok)) }
      sessions[index].outstanding = []
    }
    giveCredit(index)
    sendData(index, &actions)
  }

  /// A session that does not range has no use for a credit: it gets one when it turns ACTIVE.
  private mutating func giveCredit(_ index: Int) {
    if sessions[index].ranging.isActive { sessions[index].ranging = .active(hasCredit: true) }
  }

  /// Takes DATA_TRANSFER_STATUS_NTF.
  mutating func received(
    _ status: UCITransferStatus, _ sequence: UInt16, _ token: UCISessionToken, _ actions: inout [Action]
  ) {
    guard let index = index(of: token) else { return }
    if dialect.dataTransfer == .pica { answeredByPica(index, sequence) }
    defer { sendData(index, &actions) }
    let outstanding = sessions[index].outstanding
    // Some controllers report only 8 bits of the number.
    let position =
      outstanding.firstIndex(of: sequence) ?? outstanding.firstIndex { $0 & 0xFF == sequence }
    let sessionID = sessions[index].id
    if lastData?.sessionID == sessionID { lastData = nil }
    guard let position else {
      actions.append(.report(.dataSent(sessionID, sequence: sequence, status)))
      return
    }
    let known = outstanding[position]
    // One repetition of several is not the end of it.
    if status != .okRepetition { sessions[index].outstanding.remove(at: position) }
    actions.append(.report(.dataSent(sessionID, sequence: known, status)))
  }

  /// In `DataTransfer.pica` a status is the credit, and ends a message whose packets are not all out.
  private mutating func answeredByPica(_ index: Int, _ sequence: UInt16) {
    giveCredit(index)
    guard let transfer = sessions[index].transfers.first, transfer.packets != nil,
      transfer.sequence & 0xFF == sequence
    else { return }
    sessions[index].transfers.removeFirst()
    sessions[index].queuedOctets -= transfer.data.count
    sessions[index].outstanding.append(transfer.sequence)
  }

  /// Sends the last data packet once more, if nothing shows that it arrived.
  mutating func resendData(_ actions: inout [Action]) {
    guard var last = lastData else { return }
    guard last.sends < Self.maximumSends else {
      lastData = nil
      giveUp(last, &actions)
      return
    }
    last.sends += 1
    lastData = last
    actions.append(.send(last.packet))
  }

  /// Drops a message whose packet was asked for too often, with what is left of it.
  private mutating func giveUp(_ last: LastData, _ actions: inout [Action]) {
    guard let index = index(of: last.sessionID) else { return }
    if let transfer = sessions[index].transfers.first, transfer.sequence == last.sequence {
      sessions[index].queuedOctets -= transfer.data.count
      sessions[index].transfers.removeFirst()
    }
    sessions[index].outstanding.removeAll { $0 == last.sequence }
    actions.append(.report(.dataSent(last.sessionID, sequence: last.sequence, .error)))
  }

  /// Takes a data message; empty ones, which some controllers send every round, are dropped.
  mutating func received(_ data: UCIDataMessage, _ actions: inout [Action]) {
    switch data {
    case .received(let token, .ok, let source, _, let octets):
      guard let index = index(of: token), !octets.isEmpty else { return }
      actions.append(.report(.dataReceived(sessions[index].id, source: source, octets)))
    case .received(let token, _, _, _, _):
      if index(of: token) != nil { actions.append(.report(.other(.data(data)))) }
    case .send, .unknown: actions.append(.report(.other(.data(data))))
    }
  }

  /// Drops what waits in a session that turned IDLE.
  mutating func dropTransfers(_ index: Int) -> [Action] {
    let actions = dropped(sessions[index])
    if lastData?.sessionID == sessions[index].id { lastData = nil }
    sessions[index].transfers = []
    sessions[index].queuedOctets = 0
    return actions
  }

  /// One failure for each message that was not out.
  func dropped(_ session: UCIHostSession) -> [Action] {
    session.transfers.map { .report(.dataSent(session.id, sequence: $0.sequence, .error)) }
  }
}
