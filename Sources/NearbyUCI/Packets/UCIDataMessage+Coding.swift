/// Data messages, both ways (section 5).
extension UCIDataMessage {
  /// DPF of DATA_MESSAGE_SND, host to controller.
  package static let sendFormat: UInt8 = 1
  /// DPF of DATA_MESSAGE_RCV, controller to host.
  package static let receivedFormat: UInt8 = 2

  /// Reads the payload of a data message.
  package init(format: UInt8, payload: Span<UInt8>, dialect: UCIDialect) throws(UCIError) {
    var input = payload
    let isSecond = dialect.dataMessages == .v2
    switch format {
    case Self.sendFormat:
      let token = try input.takeToken()
      let destination = try input.takeUInt64(.destination)
      if !isSecond { _ = try input.takeUInt8(.component) }
      let sequence =
        isSecond ? try input.takeUInt16(.sequence) : UInt16(try input.takeUInt8(.sequence))
      self = .send(
        token, destination: destination, sequence: sequence, try Self.takeData(&input))
    case Self.receivedFormat:
      let token = try input.takeToken()
      let status = try input.takeStatus()
      let sequenceBefore = isSecond ? nil : try input.takeUInt32(.sequence)
      let source = try input.takeUInt64(.source)
      if !isSecond { _ = try input.takeUInt16(.component) }
      let sequence =
        if let sequenceBefore { UInt16(truncatingIfNeeded: sequenceBefore) } else {
          try input.takeUInt16(.sequence)
        }
      self = .received(token, status, source: source, sequence: sequence, try Self.takeData(&input))
    default: self = .unknown(format: format, payload: input.takeRest())
    }
    try input.requireEnd()
  }

  package init(format: UInt8, payload: [UInt8], dialect: UCIDialect) throws(UCIError) {
    try self.init(format: format, payload: payload.span, dialect: dialect)
  }

  private static func takeData(_ input: inout Span<UInt8>) throws(UCIError) -> [UInt8] {
    let length = Int(try input.takeUInt16(.length))
    return try input.takeOctets(length, .data)
  }

  /// The data packet format this message travels under.
  package var format: UInt8 {
    switch self {
    case .send: Self.sendFormat
    case .received: Self.receivedFormat
    case .unknown(let format, _): format
    }
  }

  /// Appends the payload. Data past 65535 octets are left out; component octets of 1.x are written as 0.
  package func writePayload(to output: inout [UInt8], dialect: UCIDialect) {
    let isSecond = dialect.dataMessages == .v2
    switch self {
    case .send(let token, let destination, let sequence, let data):
      output.append(token)
      output.append(littleEndian: destination)
      if !isSecond { output.append(0) }
      output.append(UInt64(sequence), octets: isSecond ? 2 : 1)
      Self.append(data, to: &output)
    case .received(let token, let status, let source, let sequence, let data):
      output.append(token)
      output.append(status.rawValue)
      if !isSecond { output.append(littleEndian: UInt32(sequence)) }
      output.append(littleEndian: source)
      if isSecond { output.append(littleEndian: sequence) } else { output.append(littleEndian: UInt16(0)) }
      Self.append(data, to: &output)
    case .unknown(_, let payload): output.append(contentsOf: payload)
    }
  }

  private static func append(_ data: [UInt8], to output: inout [UInt8]) {
    output.append(littleEndian: UInt16(clamping: data.count))
    output.append(contentsOf: data.prefix(Int(UInt16.max)))
  }
}
