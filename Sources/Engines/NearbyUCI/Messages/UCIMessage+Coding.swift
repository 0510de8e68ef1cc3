/// Parses and writes complete messages.
extension UCIMessage {
  /// Parses a reassembled message.
  ///
  /// - Throws: The error of a payload that does not match its id; `implausible` for test packets (types 4
  ///   and 5).
  package init(_ raw: UCIRawMessage, dialect: UCIDialect) throws(UCIError) {
    let group = raw.id.group
    let opcode = raw.id.opcode
    let payload = raw.payload.span
    switch raw.type {
    case .command:
      self = .command(
        try UCICommand(group: group, opcode: opcode, payload: payload, dialect: dialect))
    case .response:
      self = .response(
        try UCIResponse(group: group, opcode: opcode, payload: payload, dialect: dialect))
    case .notification:
      self = .notification(
        try UCINotification(group: group, opcode: opcode, payload: payload, dialect: dialect))
    case .data: self = .data(try UCIDataMessage(format: group, payload: payload))
    case .testA, .testB: throw .implausible(octet: raw.type.rawValue &<< 5 | group)
    }
  }

  /// Parses one unsegmented packet.
  package init(packet: [UInt8], dialect: UCIDialect) throws(UCIError) {
    try self.init(try UCIRawMessage(packet: packet), dialect: dialect)
  }

  /// The message with its payload written as octets, of any length.
  package func raw(dialect: UCIDialect) -> UCIRawMessage {
    var payload: [UInt8] = []
    switch self {
    case .command(let command):
      command.writePayload(to: &payload, dialect: dialect)
      return UCIRawMessage(type: .command, id: command.id, payload: payload)
    case .response(let response):
      response.writePayload(to: &payload, dialect: dialect)
      return UCIRawMessage(type: .response, id: response.id, payload: payload)
    case .notification(let notification):
      notification.writePayload(to: &payload, dialect: dialect)
      return UCIRawMessage(type: .notification, id: notification.id, payload: payload)
    case .data(let data):
      data.writePayload(to: &payload)
      return UCIRawMessage(
        type: .data, id: UCIMessageID(group: data.format, opcode: 0), payload: payload)
    }
  }

  /// Appends the message's packets. A payload that exceeds one packet is segmented.
  package func write(
    to output: inout [UInt8], dialect: UCIDialect, maximumDataPayload: Int = UCISegmenter.defaultDataPayload
  ) {
    let segmenter = UCISegmenter(maximumDataPayload: maximumDataPayload)
    segmenter.write(raw(dialect: dialect), to: &output)
  }
}
