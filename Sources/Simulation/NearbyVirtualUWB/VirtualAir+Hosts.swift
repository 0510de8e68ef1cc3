import NearbyExchange
import NearbyOctets
import NearbyUCI

/// Passes messages between the hosts and their chips.
extension VirtualAir {
  /// The number of a chip's sessions, whatever their state.
  package func sessionCount(of radio: RadioID) -> Int {
    chips.indices.contains(radio.index) ? chips[radio.index].sessions.compactMap(\.self).count : 0
  }

  mutating func handle(_ item: HostStream.Item, _ chip: Int) {
    switch item {
    case .message(let message): handle(message, chip)
    case .dataSegment(let token):
      var effects: [ChipEffect] = []
      chips[chip].receivedSegment(of: token, &effects)
      perform(effects, chip)
    case .dropped(let error): refuse(error, chip)
    }
  }

  /// Answers a command that was too long or interrupted. Octets that were not a message get no answer.
  private mutating func refuse(_ error: UCIError, _ chip: Int) {
    switch error {
    case .tooLarge(let id, _), .interrupted(let id):
      send(.response(.bareStatus(group: id.group, opcode: id.opcode, error.status)), from: chip)
    case .truncated, .leftover, .wrongLength, .outOfRange, .unsupported, .implausible: break
    }
  }

  /// Parses a message from a host and passes it to its chip.
  private mutating func handle(_ message: UCIRawMessage, _ chip: Int) {
    let dialect = chips[chip].dialect
    var effects: [ChipEffect] = []
    do throws(UCIError) {
      switch try UCIMessage(message, dialect: dialect) {
      case .command(let command): chips[chip].handle(command, at: time, &effects)
      case .data(.send(let token, let destination, let sequence, let octets)):
        chips[chip].send(token, to: destination, sequence: sequence, octets, &effects)
        if let slot = chips[chip].find(token) { noteData(chip, slot) }
      // A controller ignores messages that hosts do not send.
      case .data, .response, .notification: break
      }
    } catch {
      refuse(message, error, chip)
    }
    perform(effects, chip)
  }

  /// Answers a message that could not be parsed.
  private mutating func refuse(_ message: UCIRawMessage, _ error: UCIError, _ chip: Int) {
    switch message.type {
    case .command:
      send(
        .response(.bareStatus(group: message.id.group, opcode: message.id.opcode, error.status)), from: chip)
    case .data:
      guard message.id.group == UCIDataMessage.sendFormat, message.payload.count >= 4 else { return }
      let token = UCISessionToken(message.payload.span.littleEndian(at: 0))
      // Layout: token u32, destination u64, sequence number u16. A message that ends before that has no
      // number.
      let sequence = message.payload.count >= 14 ? message.payload.span.littleEndian(UInt16.self, at: 12) : 0
      send(
        .notification(
          .dataTransferStatus(
            token, sequence: chips[chip].dialect.reported(sequence), .invalidFormat, transmissions: 0)),
        from: chip)
    case .response, .notification, .testA, .testB: break
    }
  }

  /// Carries out what a chip's command or a round has caused, in order.
  mutating func perform(_ effects: [ChipEffect], _ chip: Int) {
    for effect in effects {
      switch effect {
      case .respond(let response): send(.response(response), from: chip)
      case .notify(let notification): send(.notification(notification), from: chip)
      case .deliver(let data): send(.data(data), from: chip)
      case .started(let slot, let delay): start(chip, slot, delay)
      case .stopped(let run, let tellsPeers): stop(run, tellsPeers: tellsPeers)
      case .changedRounds(let slot): changedRounds(chip, slot)
      case .changed(let slot, let before, let removed): change(chip, slot, before, removed)
      case .countsRounds(let slot):
        let session = chips[chip].sessions[slot]
        let count = session?.run.flatMap { run($0.reference)?.measurements } ?? session?.rangingCount ?? 0
        send(.response(.rangingCount(.ok, count)), from: chip)
      case .readsPower: send(.response(.powerStatistics(.ok, powerStatistics(of: chip))), from: chip)
      }
    }
  }

  /// Sends a message to a chip's host, segmented into packets.
  mutating func send(_ message: UCIMessage, from chip: Int) {
    let segmenter = UCISegmenter(maximumDataPayload: chips[chip].configuration.maximumDataPacket)
    for packet in segmenter.packets(message.raw(dialect: chips[chip].dialect)) {
      append(packet, to: chips[chip].radio)
    }
  }

  /// Sends SESSION_INFO_NTF. It is sent in every round and therefore written in one step if it fits into a
  /// packet.
  mutating func send(_ info: UCISessionInfo, count: Int, from radio: RadioID) {
    // 25 octets come before the measurements: those of SESSION_INFO_NTF's head, and their count.
    let length = 25 + count * UCITwoWayMeasurement.size
    guard length <= UCISegmenter.controlPayload else {
      send(.notification(.sessionInfo(info)), from: radio.index)
      return
    }
    var packet: [UInt8] = []
    packet.reserveCapacity(UCIPacketHeader.size + length)
    UCIPacketHeader(type: .notification, id: .sessionInfo, payloadLength: length).write(to: &packet)
    info.write(to: &packet)
    append(packet, to: radio)
  }
}
