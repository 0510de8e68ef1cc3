/// Data transfer with flow control: each packet needs one credit (FiRa UCI Generic Specification 2.0, data
/// transfer).
///
/// A session receives its first credit when it becomes ACTIVE and the others by DATA_CREDIT_NTF. Messages
/// wait in `UCIHostSession.transfers` until all of their packets are sent, then in `outstanding` until the
/// controller reports their status.
extension UCIHost {
  /// The packet to repeat if the controller answers with GENERIC_ERROR_NTF(COMMAND_RETRY).
  struct LastData: Sendable {
    var sessionID: UInt32
    var sequence: UInt16
    var packet: [UInt8]
    var sends: Int
  }

  /// The limit on completely sent messages without a status: as many as an 8-bit sequence number can
  /// distinguish. The limit keeps a controller that never reports a status from growing the list forever.
  private static let maximumOutstanding = 256
  /// The limit on queued data in one session, in octets.
  static let maximumQueuedOctets = 1 << 20

  /// Sends application data to one peer, or queues it until the session ranges and has credit.
  ///
  /// Each message results in one `dataSent` event, unless its session ends first. Its status is the
  /// controller's, or one of these:
  /// - `error`: the session became IDLE before the whole message was sent, or the controller asked again
  ///   for a packet that had already been sent three times.
  /// - `rejected`: there is no such session, or it is closing.
  /// - `noCredit`: too many messages or octets are queued.
  /// - `invalidFormat`: the message is longer than 65535 octets.
  ///
  /// With `DataTransfer.pica` the credit after the last packet is the only acknowledgement and is reported
  /// as `ok`.
  ///
  /// - Parameters:
  ///   - data: At most 65535 octets.
  ///   - address: The recipient's address; short addresses are zero-extended.
  ///   - sessionID: The session's id, as in `UCISessionRequest`.
  /// - Returns: The message's sequence number in its session, starting at 1 (8 bits wide with
  ///   `DataTransfer.pica`), or 0 if the status is `rejected`; and the actions to perform.
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

  /// Sends the next packet if there is one and the session has a credit.
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

  /// Cuts a message into packets, in reverse order so that the next one is last.
  private func cut(_ transfer: UCIHostSession.Transfer, _ token: UCISessionToken) -> [[UInt8]] {
    if dialect.dataTransfer == .pica { return cutForPica(transfer, token) }
    let message = UCIMessage.data(
      .send(token, destination: transfer.destination, sequence: transfer.sequence, transfer.data))
    guard case .ready(_, let maximum) = phase else { return [] }
    return UCISegmenter(maximumDataPayload: maximum).packets(message.raw(dialect: dialect)).reversed()
  }

  /// The largest part of a message that google/pica accepts in one packet, in octets without the message's
  /// header.
  static let picaDataSize = 1024

  /// Cuts a message into google/pica's packets, each a message with its own header, in reverse order.
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

  /// Marks a session as ranging and gives it its first credit.
  mutating func activate(_ index: Int, _ actions: inout [Action]) {
    guard !sessions[index].ranging.isActive else { return }
    sessions[index].ranging = .active(hasCredit: true)
    sendData(index, &actions)
  }

  /// Handles DATA_CREDIT_NTF. A notification without credit only confirms that the last packet arrived; it
  /// revokes nothing.
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

  /// Gives a credit to a session that is ranging. Other sessions need none, because they receive one when
  /// they become ACTIVE.
  private mutating func giveCredit(_ index: Int) {
    if sessions[index].ranging.isActive { sessions[index].ranging = .active(hasCredit: true) }
  }

  /// Handles DATA_TRANSFER_STATUS_NTF.
  mutating func received(
    _ status: UCITransferStatus, _ sequence: UInt16, _ token: UCISessionToken, _ actions: inout [Action]
  ) {
    guard let index = index(of: token) else { return }
    if dialect.dataTransfer == .pica { answeredByPica(index, sequence) }
    defer { sendData(index, &actions) }
    let outstanding = sessions[index].outstanding
    // Some controllers report only the low 8 bits of the sequence number.
    let position =
      outstanding.firstIndex(of: sequence) ?? outstanding.firstIndex { $0 & 0xFF == sequence }
    let sessionID = sessions[index].id
    if lastData?.sessionID == sessionID { lastData = nil }
    guard let position else {
      actions.append(.report(.dataSent(sessionID, sequence: sequence, status)))
      return
    }
    let known = outstanding[position]
    // More repetitions of the message will follow, each with its own status.
    if status != .okRepetition { sessions[index].outstanding.remove(at: position) }
    actions.append(.report(.dataSent(sessionID, sequence: known, status)))
  }

  /// With `DataTransfer.pica` a status implies a credit, and ends its message even if some packets were not
  /// sent.
  private mutating func answeredByPica(_ index: Int, _ sequence: UInt16) {
    giveCredit(index)
    guard let transfer = sessions[index].transfers.first, transfer.packets != nil,
      transfer.sequence & 0xFF == sequence
    else { return }
    sessions[index].transfers.removeFirst()
    sessions[index].queuedOctets -= transfer.data.count
    sessions[index].outstanding.append(transfer.sequence)
  }

  /// Resends the last data packet if the controller has not confirmed it yet.
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

  /// Drops a message, including its unsent packets, after the controller asked too often for one of them.
  private mutating func giveUp(_ last: LastData, _ actions: inout [Action]) {
    guard let index = index(of: last.sessionID) else { return }
    if let transfer = sessions[index].transfers.first, transfer.sequence == last.sequence {
      sessions[index].queuedOctets -= transfer.data.count
      sessions[index].transfers.removeFirst()
    }
    sessions[index].outstanding.removeAll { $0 == last.sequence }
    actions.append(.report(.dataSent(last.sessionID, sequence: last.sequence, .error)))
  }

  /// Handles a data message. Empty ones, which some controllers send in every round, are dropped.
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

  /// Drops the queued messages of a session that became IDLE.
  mutating func dropTransfers(_ index: Int) -> [Action] {
    let actions = dropped(sessions[index])
    if lastData?.sessionID == sessions[index].id { lastData = nil }
    sessions[index].transfers = []
    sessions[index].queuedOctets = 0
    return actions
  }

  /// Returns a `dataSent` event with `error` for each message that was not completely sent.
  func dropped(_ session: UCIHostSession) -> [Action] {
    session.transfers.map { .report(.dataSent(session.id, sequence: $0.sequence, .error)) }
  }
}
