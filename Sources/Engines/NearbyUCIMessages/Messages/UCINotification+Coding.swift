import NearbyOctets

/// Parses and writes notifications.
extension UCINotification {
  /// Parses the payload of a notification. Unknown ids result in `.unknown`.
  ///
  /// - Throws: The error of a payload that does not match its id.
  package init(
    group: UInt8, opcode: UInt8, payload: Span<UInt8>, dialect: UCIDialect
  ) throws(UCIError) {
    var input = UCICursor(payload)
    let id = UCIMessageID(group: group, opcode: opcode)
    // Checked first because it arrives many times a second.
    if id == .sessionInfo {
      self = .sessionInfo(try UCISessionInfo(parsing: payload))
      return
    }
    switch id {
    case .deviceStatus: self = .deviceStatus(UCIDeviceState(rawValue: try input.takeUInt8(.state)))
    case .genericError: self = .genericError(try input.takeStatus())
    case .sessionStatus:
      self = .sessionStatus(
        try input.takeToken(), UCISessionState(rawValue: try input.takeUInt8(.state)),
        UCIReason(rawValue: try input.takeUInt8(.reason)))
    case .multicastList:
      let isFirst = dialect.multicastList == .v1
      let token = try input.takeToken()
      let remaining = isFirst ? try input.takeUInt8(.remaining) : nil
      self = .multicastList(
        token, remaining: remaining, try input.takeControleeStatuses(withSubSessionID: isFirst))
    case .dataTransferPhase:
      self = .dataTransferPhase(
        try input.takeToken(), UCITransferPhaseStatus(rawValue: try input.takeUInt8(.status)))
    case .dataCredit:
      self = .dataCredit(try input.takeToken(), isAvailable: try input.takeUInt8(.credit) != 0)
    case .dataTransferStatus: self = try Self.transferStatus(&input)
    case .rangeDiagnostics: self = .rangeDiagnostics(try UCIRangeDiagnostics(parsing: &input))
    default: self = .unknown(group: group, opcode: opcode, payload: input.takeRest())
    }
    try input.requireEnd()
  }

  /// Layout: token u32, sequence number u16, status u8, transmissions u8; 8 octets.
  ///
  /// google/pica's sequence number has 8 bits (7 octets); Android 14's first release also lacks the
  /// transmissions (6 octets). Only the length distinguishes the variants.
  private static func transferStatus(_ input: inout UCICursor) throws(UCIError) -> UCINotification {
    let (picaSize, earlySize) = (7, 6)
    let hasShortSequence = input.left == picaSize || input.left == earlySize
    let hasTransmissions = input.left != earlySize
    let token = try input.takeToken()
    let sequence =
      hasShortSequence ? UInt16(try input.takeUInt8(.sequence)) : try input.takeUInt16(.sequence)
    let status = UCITransferStatus(rawValue: try input.takeUInt8(.status))
    let transmissions = hasTransmissions ? try input.takeUInt8(.transmissions) : 0
    return .dataTransferStatus(token, sequence: sequence, status, transmissions: transmissions)
  }

  /// The notification's group and opcode.
  package var id: UCIMessageID {
    switch self {
    case .deviceStatus: .deviceStatus
    case .genericError: .genericError
    case .sessionStatus: .sessionStatus
    case .multicastList: .multicastList
    case .dataTransferPhase: .dataTransferPhase
    case .sessionInfo: .sessionInfo
    case .dataCredit: .dataCredit
    case .dataTransferStatus: .dataTransferStatus
    case .rangeDiagnostics: .rangeDiagnostics
    case .unknown(let group, let opcode, _): UCIMessageID(group: group, opcode: opcode)
    }
  }

  /// Appends the payload. With `DataTransfer.pica` the sequence number is 8 bits wide, except that one past
  /// 255, which google/pica's controllers never report, is written in 16 bits.
  package func writePayload(to output: inout [UInt8], dialect: UCIDialect) {
    switch self {
    case .deviceStatus(let state): output.append(state.rawValue)
    case .genericError(let status): output.append(status.rawValue)
    case .sessionStatus(let token, let state, let reason):
      output.append(token)
      output.append(state.rawValue)
      output.append(reason.rawValue)
    case .multicastList(let token, let remaining, let statuses):
      let isFirst = dialect.multicastList == .v1
      output.append(token)
      if isFirst { output.append(remaining ?? UInt8(clamping: statuses.count)) }
      output.append(statuses, withSubSessionID: isFirst)
    case .dataTransferPhase(let token, let status):
      output.append(token)
      output.append(status.rawValue)
    case .sessionInfo(let info): info.write(to: &output)
    case .dataCredit(let token, let isAvailable):
      output.append(token)
      output.append(isAvailable ? 1 : 0)
    case .dataTransferStatus(let token, let sequence, let status, let transmissions):
      output.append(token)
      output.append(UInt64(sequence), octets: dialect.dataTransfer == .pica && sequence <= 0xFF ? 1 : 2)
      output.append(status.rawValue)
      output.append(transmissions)
    case .rangeDiagnostics(let diagnostics): diagnostics.write(to: &output)
    case .unknown(_, _, let payload): output.append(contentsOf: payload)
    }
  }
}
