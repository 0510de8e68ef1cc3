import NearbyUCI

/// Application data from the host (FiRa UCI Generic Specification 2.0, data transfer).
///
/// A session receives one credit when it becomes ACTIVE. Each packet uses it up, and it is returned when
/// there is room again: at once while the queue has space, and otherwise when the first message has been
/// sent.
///
/// In google/pica's dialect a session collects data in any state, and its next round sends all of it as one
/// message to every peer. The only acknowledgement is a credit.
extension VirtualChip {
  /// The limit on data that a session collects in google/pica's dialect: the largest length of a message,
  /// in octets.
  static let maximumCollected = Int(UInt16.max)

  /// Returns the credit for a packet that is not the last of its message.
  mutating func receivedSegment(of token: UCISessionToken?, _ effects: inout [ChipEffect]) {
    guard let token, let slot = find(token), let session = sessions[slot] else { return }
    guard session.state == .active, session.carriesData, session.data.hasCredit else { return }
    effects.append(.notify(.dataCredit(token, isAvailable: true)))
  }

  /// Queues a complete message from the host, or reports why it is rejected.
  mutating func send(
    _ token: UCISessionToken, to destination: UInt64, sequence: UInt16, _ octets: [UInt8],
    _ effects: inout [ChipEffect]
  ) {
    func finish(_ status: UCITransferStatus) {
      effects.append(
        .notify(
          .dataTransferStatus(token, sequence: dialect.reported(sequence), status, transmissions: 0)))
    }
    guard let slot = find(token), let session = sessions[slot] else { return finish(.rejected) }
    guard session.carriesData else { return finish(.sessionTypeNotSupported) }
    if dialect.dataTransfer == .pica {
      guard octets.count <= configuration.maximumDataSize else { return finish(.error) }
      guard sessions[slot]?.data.collect(octets, atMost: Self.maximumCollected) == true else {
        return finish(.noCredit)
      }
      effects.append(.notify(.dataCredit(token, isAvailable: true)))
      return
    }
    guard session.state == .active, let run = session.run,
      run.parameters.peers.contains(destination)
    else { return finish(.rejected) }
    guard octets.count <= configuration.maximumDataSize else { return finish(.error) }
    guard session.data.hasCredit, !session.data.isFull else { return finish(.noCredit) }
    sessions[slot]?.data.append(
      DataQueue.Message(destination: destination, sequence: sequence, octets: octets))
    let hasRoom = sessions[slot]?.data.isFull == false
    sessions[slot]?.data.hasCredit = hasRoom
    effects.append(.notify(.dataCredit(token, isAvailable: hasRoom)))
  }

  /// Drops the data of a session that becomes ACTIVE or leaves that state. google/pica keeps it.
  mutating func dropData(_ slot: Int) {
    if dialect.dataTransfer == .standard { sessions[slot]?.data.clear() }
  }

  /// Handles the result of one transmission of the first message: repeats it, or reports its status and
  /// returns the credit.
  mutating func transmitted(_ slot: Int, hasArrived: Bool, _ effects: inout [ChipEffect]) {
    sessions[slot]?.data.noteTransmission(hasArrived: hasArrived)
    guard let session = sessions[slot], let run = session.run, let message = session.data.first else {
      return
    }
    let repetitions = UInt8(clamping: Int(run.parameters.dataRepetition) + 1)
    // Without repetition, the message is sent until it arrives; with it, as often as configured.
    let isLast =
      run.parameters.dataRepetition == 0
      ? message.hasArrived || message.transmissions >= DataQueue.maximumTransmissions
      : message.transmissions >= repetitions
    guard isLast else {
      if run.parameters.reportsEachRepetition, run.parameters.dataRepetition > 0 {
        notifyTransfer(session.token, message, .okRepetition, &effects)
      }
      return
    }
    let isSilent =
      dialect.dataTransfer == .pica && message.hasArrived && !run.parameters.reportsEachRepetition
    if !isSilent { notifyTransfer(session.token, message, message.hasArrived ? .ok : .error, &effects) }
    sessions[slot]?.data.removeFirst()
    guard !session.data.hasCredit else { return }
    sessions[slot]?.data.hasCredit = true
    effects.append(.notify(.dataCredit(session.token, isAvailable: true)))
  }

  private func notifyTransfer(
    _ token: UCISessionToken, _ message: DataQueue.Message, _ status: UCITransferStatus,
    _ effects: inout [ChipEffect]
  ) {
    effects.append(
      .notify(
        .dataTransferStatus(
          token, sequence: message.sequence, status, transmissions: message.transmissions)))
  }
}

extension UCIDialect {
  /// The sequence number that DATA_TRANSFER_STATUS_NTF reports. google/pica only keeps the low 8 bits.
  func reported(_ sequence: UInt16) -> UInt16 { dataTransfer == .pica ? sequence & 0xFF : sequence }
}
