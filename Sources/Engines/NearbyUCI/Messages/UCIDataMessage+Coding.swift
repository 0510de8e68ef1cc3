import NearbyOctets

/// Parses and writes data messages (FiRa UCI Generic Specification 2.0, DATA_MESSAGE_SND and
/// DATA_MESSAGE_RCV).
///
/// ```
/// DATA_MESSAGE_SND               DATA_MESSAGE_RCV
/// size  field                    size  field
/// 4     session token            4     session token
/// 8     destination address      1     status
/// 2     sequence number          8     source address
/// 2     length                   2     sequence number
///       data                     2     length
///                                      data
/// ```
extension UCIDataMessage {
  /// The data packet format of DATA_MESSAGE_SND, from host to controller.
  package static let sendFormat: UInt8 = 1
  /// The data packet format of DATA_MESSAGE_RCV, from controller to host.
  package static let receivedFormat: UInt8 = 2

  /// Parses the payload of a data message. DATA_MESSAGE_RCV is also accepted in the longer layout of
  /// Android 14's first release. Unknown formats result in `.unknown`.
  ///
  /// - Throws: `truncated` or `leftover`, if the octets do not fit the format.
  package init(format: UInt8, payload: Span<UInt8>) throws(UCIError) {
    var input = UCICursor(payload)
    switch format {
    case Self.sendFormat:
      self = .send(
        try input.takeToken(), destination: try input.takeUInt64(.destination),
        sequence: try input.takeUInt16(.sequence), try Self.takeData(&input))
    case Self.receivedFormat:
      self = try Self.hasEarlyForm(payload) ? Self.early(&input) : Self.received(&input)
    default: self = .unknown(format: format, payload: input.takeRest())
    }
    try input.requireEnd()
  }

  private static func received(_ input: inout UCICursor) throws(UCIError) -> UCIDataMessage {
    .received(
      try input.takeToken(), try input.takeStatus(), source: try input.takeUInt64(.source),
      sequence: try input.takeUInt16(.sequence), try takeData(&input))
  }

  /// The layout of Android 14's first release: token u32, status u8, sequence number u32, source u64, two
  /// component octets, length u16, data.
  private static func early(_ input: inout UCICursor) throws(UCIError) -> UCIDataMessage {
    let token = try input.takeToken()
    let status = try input.takeStatus()
    let sequence = UInt16(truncatingIfNeeded: try input.takeUInt32(.sequence))
    let source = try input.takeUInt64(.source)
    _ = try input.takeUInt16(.component)
    return .received(token, status, source: source, sequence: sequence, try takeData(&input))
  }

  /// Whether the payload has the early layout: its length field fits the number of octets there, but not in
  /// the current layout.
  private static func hasEarlyForm(_ payload: Span<UInt8>) -> Bool {
    let (lengthToday, headToday) = (15, 17)
    let (lengthEarly, headEarly) = (19, 21)
    guard payload.count >= headEarly else { return false }
    return Int(payload.littleEndian(UInt16.self, at: lengthToday)) != payload.count - headToday
      && Int(payload.littleEndian(UInt16.self, at: lengthEarly)) == payload.count - headEarly
  }

  private static func takeData(_ input: inout UCICursor) throws(UCIError) -> [UInt8] {
    let length = Int(try input.takeUInt16(.length))
    return try input.takeOctets(length, .data)
  }

  /// The message's data packet format (DPF).
  package var format: UInt8 {
    switch self {
    case .send: Self.sendFormat
    case .received: Self.receivedFormat
    case .unknown(let format, _): format
    }
  }

  /// Appends the payload. Data past 65535 octets is left out.
  package func writePayload(to output: inout [UInt8]) {
    switch self {
    case .send(let token, let destination, let sequence, let data):
      output.append(token)
      output.append(littleEndian: destination)
      output.append(littleEndian: sequence)
      Self.append(data, to: &output)
    case .received(let token, let status, let source, let sequence, let data):
      output.append(token)
      output.append(status.rawValue)
      output.append(littleEndian: source)
      output.append(littleEndian: sequence)
      Self.append(data, to: &output)
    case .unknown(_, let payload): output.append(contentsOf: payload)
    }
  }

  private static func append(_ data: [UInt8], to output: inout [UInt8]) {
    output.append(littleEndian: UInt16(clamping: data.count))
    output.append(contentsOf: data.prefix(Int(UInt16.max)))
  }
}
