import NearbyOctets

/// Parses and writes responses, in the order of their ids.
extension UCIResponse {
  /// Parses the payload of a response. Unknown ids result in `.unknown`.
  ///
  /// A payload of one octet becomes `.bareStatus` if the response normally has more. Whether
  /// SESSION_INIT_RSP contains a handle depends on its length, whatever the dialect.
  ///
  /// - Throws: The error of a payload that does not match its id.
  package init(
    group: UInt8, opcode: UInt8, payload: Span<UInt8>, dialect: UCIDialect
  ) throws(UCIError) {
    var input = UCICursor(payload)
    let id = UCIMessageID(group: group, opcode: opcode)
    if payload.count == 1, Self.isLongerThanStatus(id, dialect) {
      self = .bareStatus(group: group, opcode: opcode, try input.takeStatus())
      return
    }
    switch group {
    case UCIMessageID.coreGroup: self = try Self.core(id, &input)
    case UCIMessageID.sessionConfigurationGroup: self = try Self.session(id, &input, dialect)
    case UCIMessageID.sessionControlGroup: self = try Self.control(id, &input)
    case UCIMessageID.androidGroup: self = try Self.android(id, &input)
    default: self = .unknown(group: group, opcode: opcode, payload: input.takeRest())
    }
    try input.requireEnd()
  }

  /// Whether a successful response with this id consists of more than a status.
  private static func isLongerThanStatus(_ id: UCIMessageID, _ dialect: UCIDialect) -> Bool {
    switch id {
    case .deviceInfo, .capabilities, .setDeviceConfiguration, .getDeviceConfiguration, .queryTimestamp,
      .setAppConfiguration, .getAppConfiguration, .sessionCount, .sessionState, .dtAnchorRounds,
      .dtTagRounds, .initiatorAnchorRounds, .queryDataSize, .rangingCount, .powerStatistics:
      true
    case .multicastList: dialect.multicastList == .v2
    default: false
    }
  }

  private static func core(_ id: UCIMessageID, _ input: inout UCICursor) throws(UCIError) -> UCIResponse {
    switch id {
    case .deviceReset: .deviceReset(try input.takeStatus())
    case .deviceInfo: .deviceInfo(try input.takeStatus(), try UCIDeviceInfo(parsing: &input))
    case .capabilities: .capabilities(try input.takeStatus(), try input.takeTLVs())
    case .setDeviceConfiguration:
      .setDeviceConfiguration(try input.takeStatus(), try input.takeParameterStatuses())
    case .getDeviceConfiguration: .deviceConfiguration(try input.takeStatus(), try input.takeTLVs())
    case .deviceSuspend: .deviceSuspend(try input.takeStatus())
    case .queryTimestamp:
      .timestamp(try input.takeStatus(), microseconds: try input.takeUInt64(.timestamp))
    default: .unknown(group: id.group, opcode: id.opcode, payload: input.takeRest())
    }
  }

  private static func session(
    _ id: UCIMessageID, _ input: inout UCICursor, _ dialect: UCIDialect
  ) throws(UCIError) -> UCIResponse {
    switch id {
    case .sessionInit:
      let status = try input.takeStatus()
      let handle = input.isEmpty ? nil : UCISessionToken(try input.takeUInt32(.handle))
      return .sessionInit(status, handle: handle)
    case .sessionDeinit: return .sessionDeinit(try input.takeStatus())
    case .setAppConfiguration:
      return .setAppConfiguration(try input.takeStatus(), try input.takeParameterStatuses())
    case .getAppConfiguration: return .appConfiguration(try input.takeStatus(), try input.takeTLVs())
    case .sessionCount: return .sessionCount(try input.takeStatus(), try input.takeUInt8(.count))
    case .sessionState:
      return .sessionState(
        try input.takeStatus(), UCISessionState(rawValue: try input.takeUInt8(.state)))
    case .multicastList:
      let status = try input.takeStatus()
      guard dialect.multicastList == .v2 else { return .updateMulticastList(status, []) }
      return .updateMulticastList(status, try input.takeControleeStatuses(withSubSessionID: false))
    case .dtAnchorRounds:
      return .updateDTAnchorRounds(try input.takeStatus(), failed: try input.takeCountedOctets(.roundIndex))
    case .dtTagRounds:
      return .updateDTTagRounds(try input.takeStatus(), failed: try input.takeCountedOctets(.roundIndex))
    case .initiatorAnchorRounds:
      return .setInitiatorAnchorRounds(
        try input.takeStatus(), failed: try input.takeCountedOctets(.roundIndex))
    case .hybridController: return .setHybridControllerPhases(try input.takeStatus())
    case .hybridControlee: return .setHybridControleePhases(try input.takeStatus())
    case .queryDataSize:
      // One of the public definitions has no status here; only that layout has 6 octets.
      let hasStatus = input.left != 6
      let token = try input.takeToken()
      let status = hasStatus ? try input.takeStatus() : .ok
      return .dataSize(token, status, maximum: try input.takeUInt16(.maximum))
    case .dataTransferPhase: return .configureDataTransferPhase(try input.takeStatus())
    default: return .unknown(group: id.group, opcode: id.opcode, payload: input.takeRest())
    }
  }

  private static func control(
    _ id: UCIMessageID, _ input: inout UCICursor
  ) throws(UCIError) -> UCIResponse {
    switch id {
    case .sessionStart: .sessionStart(try input.takeStatus())
    case .sessionStop: .sessionStop(try input.takeStatus())
    case .rangingCount: .rangingCount(try input.takeStatus(), try input.takeUInt32(.count))
    default: .unknown(group: id.group, opcode: id.opcode, payload: input.takeRest())
    }
  }

  private static func android(
    _ id: UCIMessageID, _ input: inout UCICursor
  ) throws(UCIError) -> UCIResponse {
    switch id {
    case .powerStatistics:
      .powerStatistics(try input.takeStatus(), try UCIPowerStatistics(parsing: &input))
    case .countryCode: .setCountryCode(try input.takeStatus())
    default: .unknown(group: id.group, opcode: id.opcode, payload: input.takeRest())
    }
  }

  /// The response's group and opcode.
  package var id: UCIMessageID {
    switch self {
    case .deviceReset: .deviceReset
    case .deviceInfo: .deviceInfo
    case .capabilities: .capabilities
    case .setDeviceConfiguration: .setDeviceConfiguration
    case .deviceConfiguration: .getDeviceConfiguration
    case .deviceSuspend: .deviceSuspend
    case .timestamp: .queryTimestamp
    case .sessionInit: .sessionInit
    case .sessionDeinit: .sessionDeinit
    case .setAppConfiguration: .setAppConfiguration
    case .appConfiguration: .getAppConfiguration
    case .sessionCount: .sessionCount
    case .sessionState: .sessionState
    case .updateMulticastList: .multicastList
    case .updateDTAnchorRounds: .dtAnchorRounds
    case .updateDTTagRounds: .dtTagRounds
    case .setInitiatorAnchorRounds: .initiatorAnchorRounds
    case .dataSize: .queryDataSize
    case .setHybridControllerPhases: .hybridController
    case .setHybridControleePhases: .hybridControlee
    case .configureDataTransferPhase: .dataTransferPhase
    case .sessionStart: .sessionStart
    case .sessionStop: .sessionStop
    case .rangingCount: .rangingCount
    case .powerStatistics: .powerStatistics
    case .setCountryCode: .countryCode
    case .bareStatus(let group, let opcode, _), .unknown(let group, let opcode, _):
      UCIMessageID(group: group, opcode: opcode)
    }
  }

  /// The command's status; `nil` for an unknown response.
  package var status: UCIStatus? {
    switch self {
    case .deviceReset(let status), .deviceInfo(let status, _), .capabilities(let status, _),
      .setDeviceConfiguration(let status, _), .deviceConfiguration(let status, _),
      .timestamp(let status, _), .sessionInit(let status, _), .sessionDeinit(let status),
      .setAppConfiguration(let status, _), .appConfiguration(let status, _), .sessionCount(let status, _),
      .sessionState(let status, _), .updateMulticastList(let status, _),
      .updateDTAnchorRounds(let status, _), .updateDTTagRounds(let status, _),
      .dataSize(_, let status, _), .configureDataTransferPhase(let status), .sessionStart(let status),
      .sessionStop(let status), .rangingCount(let status, _), .deviceSuspend(let status),
      .setInitiatorAnchorRounds(let status, _), .setHybridControllerPhases(let status),
      .setHybridControleePhases(let status), .powerStatistics(let status, _), .setCountryCode(let status),
      .bareStatus(_, _, let status):
      status
    case .unknown: nil
    }
  }

  /// Appends the payload. List entries past 255 are left out.
  package func writePayload(to output: inout [UInt8], dialect: UCIDialect) {
    if case .dataSize(let token, let status, let maximum) = self {
      output.append(token)
      output.append(status.rawValue)
      output.append(littleEndian: maximum)
      return
    }
    if let status { output.append(status.rawValue) }
    switch self {
    case .deviceReset, .deviceSuspend, .sessionDeinit, .setHybridControllerPhases,
      .setHybridControleePhases, .configureDataTransferPhase, .sessionStart, .sessionStop, .setCountryCode,
      .bareStatus, .dataSize:
      break
    case .deviceInfo(_, let info): info?.write(to: &output)
    case .capabilities(_, let tlvs), .deviceConfiguration(_, let tlvs), .appConfiguration(_, let tlvs):
      output.append(tlvs)
    case .setDeviceConfiguration(_, let statuses), .setAppConfiguration(_, let statuses):
      output.append(statuses)
    case .timestamp(_, let microseconds): output.append(littleEndian: microseconds)
    case .sessionInit(_, let handle): if let handle { output.append(handle) }
    case .sessionCount(_, let count): output.append(count)
    case .sessionState(_, let state): output.append(state.rawValue)
    case .updateMulticastList(_, let statuses):
      if dialect.multicastList == .v2 { output.append(statuses, withSubSessionID: false) }
    case .updateDTAnchorRounds(_, let failed), .updateDTTagRounds(_, let failed),
      .setInitiatorAnchorRounds(_, let failed):
      output.append(counted: failed)
    case .rangingCount(_, let count): output.append(littleEndian: count)
    case .powerStatistics(_, let statistics): statistics.write(to: &output)
    case .unknown(_, _, let payload): output.append(contentsOf: payload)
    }
  }
}

extension UCIDeviceInfo {
  init(parsing input: inout UCICursor) throws(UCIError) {
    let uci = try input.takeVersion()
    let mac = try input.takeVersion()
    let phy = try input.takeVersion()
    let test = try input.takeVersion()
    let vendor = try input.takeCountedOctets(.vendor)
    self.init(uci: uci, mac: mac, phy: phy, test: test, vendor: vendor)
  }

  func write(to output: inout [UInt8]) {
    for version in [uci, mac, phy, test] { output.append(version) }
    output.append(counted: vendor)
  }
}
