import NearbyUCI

/// Application data from the host (FiRa UCI 2.0, data transfer).
///
/// A session has one credit when it becomes ACTIVE; each packet uses it, and it comes back with the next free
/// place: at once while the queue has room, otherwise after the message in front has left.
///
/// In google/pica's dialect a session collects data in any state, and its next round carries all of them as one
/// message to every peer; a credit is the only answer.
extension VirtualChip {
  /// The most that a session collects in google/pica's dialect: what one message's length can tell.
  static let maximumCollected = Int(UInt16.max)

  /// A packet that is not its message's last used the credit; the rest of the message has room.
  mutating func receivedSegment(of token: UCISessionToken?, _ effects: inout [ChipEffect]) {
    guard let token, let slot = find(token), let session = sessions[slot] else { return }
    guard session.state == .active, session.carriesData, session.data.hasCredit else { return }
    effects.append(.notify(.dataCredit(token, isAvailable: true)))
  }

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

  /// A session that is no longer ACTIVE, or becomes so, has nothing to send; google/pica's keeps what it has.
  mutating func dropData(_ slot: Int) {
    if dialect.dataTransfer == .standard { sessions[slot]?.data.clear() }
  }

  /// What became of the message in front, after one transmission.
  mutating func transmitted(_ slot: Int, hasArrived: Bool, _ effects: inout [ChipEffect]) {
    sessions[slot]?.data.noteTransmission(hasArrived: hasArrived)
    guard let session = sessions[slot], let run = session.run, let message = session.data.first else {
      return
    }
    let repetitions = UInt8(clamping: Int(run.parameters.dataRepetition) + 1)
    // Without repetition the message is sent until it arrives; with it, as often as was asked.
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
  /// A message's sequence number as DATA_TRANSFER_STATUS_NTF reports it: google/pica keeps the low 8 bits.
  func reported(_ sequence: UInt16) -> UInt16 { dataTransfer == .pica ? sequence & 0xFF : sequence }
}
