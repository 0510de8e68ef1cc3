import NearbyOctets

/// Parses and writes commands, in the order of their ids.
extension UCICommand {
  /// Parses the payload of a command. Unknown ids result in `.unknown`.
  ///
  /// - Throws: The error of a payload that does not match its id.
  package init(
    group: UInt8, opcode: UInt8, payload: Span<UInt8>, dialect: UCIDialect
  ) throws(UCIError) {
    var input = UCICursor(payload)
    switch group {
    case UCIMessageID.coreGroup: self = try Self.core(opcode, &input)
    case UCIMessageID.sessionConfigurationGroup: self = try Self.session(opcode, &input)
    case UCIMessageID.sessionControlGroup: self = try Self.control(opcode, &input)
    case UCIMessageID.androidGroup: self = try Self.android(opcode, &input)
    default: self = .unknown(group: group, opcode: opcode, payload: input.takeRest())
    }
    try input.requireEnd()
  }

  private static func core(_ opcode: UInt8, _ input: inout UCICursor) throws(UCIError) -> UCICommand {
    switch UCIMessageID(group: UCIMessageID.coreGroup, opcode: opcode) {
    case .deviceReset: .deviceReset(configuration: try input.takeUInt8(.resetConfiguration))
    case .deviceInfo: .getDeviceInfo
    case .capabilities: .getCapabilities
    case .setDeviceConfiguration: .setDeviceConfiguration(try input.takeTLVs())
    case .getDeviceConfiguration: .getDeviceConfiguration(try input.takeCountedOctets(.parameterID))
    case .deviceSuspend: .deviceSuspend
    case .queryTimestamp: .queryTimestamp
    default: .unknown(group: UCIMessageID.coreGroup, opcode: opcode, payload: input.takeRest())
    }
  }

  private static func session(_ opcode: UInt8, _ input: inout UCICursor) throws(UCIError) -> UCICommand {
    let group = UCIMessageID.sessionConfigurationGroup
    switch UCIMessageID(group: group, opcode: opcode) {
    case .sessionInit:
      return .sessionInit(
        sessionID: try input.takeUInt32(.sessionID),
        type: UCISessionType(rawValue: try input.takeUInt8(.sessionType)))
    case .sessionDeinit: return .sessionDeinit(try input.takeToken())
    case .setAppConfiguration: return .setAppConfiguration(try input.takeToken(), try input.takeTLVs())
    case .getAppConfiguration:
      return .getAppConfiguration(try input.takeToken(), try input.takeCountedOctets(.parameterID))
    case .sessionCount: return .getSessionCount
    case .sessionState: return .getSessionState(try input.takeToken())
    case .multicastList:
      let token = try input.takeToken()
      let action = UCIMulticastAction(rawValue: try input.takeUInt8(.action))
      return .updateMulticastList(token, action, try input.takeControlees(action))
    case .dtAnchorRounds: return .updateDTAnchorRounds(try input.takeToken(), try input.takeAnchorRounds())
    case .dtTagRounds:
      return .updateDTTagRounds(try input.takeToken(), try input.takeCountedOctets(.roundIndex))
    case .initiatorAnchorRounds:
      return .setInitiatorAnchorRounds(try input.takeToken(), try input.takeAnchorRoundResponders())
    case .queryDataSize: return .queryDataSize(try input.takeToken())
    case .hybridController:
      return .setHybridControllerPhases(try input.takeToken(), try input.takeHybridSchedule())
    case .hybridControlee:
      return .setHybridControleePhases(try input.takeToken(), try input.takeTokens())
    case .dataTransferPhase:
      let token = try input.takeToken()
      let repetition = try input.takeUInt8(.repetition)
      let control = try input.takeUInt8(.control)
      return .configureDataTransferPhase(
        token, repetition: repetition, control: control,
        try input.takeTransferPhaseEntries(control: control))
    default: return .unknown(group: group, opcode: opcode, payload: input.takeRest())
    }
  }

  private static func control(_ opcode: UInt8, _ input: inout UCICursor) throws(UCIError) -> UCICommand {
    switch UCIMessageID(group: UCIMessageID.sessionControlGroup, opcode: opcode) {
    case .sessionStart: .sessionStart(try input.takeToken())
    case .sessionStop: .sessionStop(try input.takeToken())
    case .rangingCount: .getRangingCount(try input.takeToken())
    default:
      .unknown(group: UCIMessageID.sessionControlGroup, opcode: opcode, payload: input.takeRest())
    }
  }

  private static func android(_ opcode: UInt8, _ input: inout UCICursor) throws(UCIError) -> UCICommand {
    switch UCIMessageID(group: UCIMessageID.androidGroup, opcode: opcode) {
    case .powerStatistics: .getPowerStatistics
    case .countryCode: .setCountryCode(try input.takeOctets(2, .countryCode))
    default: .unknown(group: UCIMessageID.androidGroup, opcode: opcode, payload: input.takeRest())
    }
  }

  /// The command's group and opcode.
  package var id: UCIMessageID {
    switch self {
    case .deviceReset: .deviceReset
    case .getDeviceInfo: .deviceInfo
    case .getCapabilities: .capabilities
    case .setDeviceConfiguration: .setDeviceConfiguration
    case .getDeviceConfiguration: .getDeviceConfiguration
    case .deviceSuspend: .deviceSuspend
    case .queryTimestamp: .queryTimestamp
    case .sessionInit: .sessionInit
    case .sessionDeinit: .sessionDeinit
    case .setAppConfiguration: .setAppConfiguration
    case .getAppConfiguration: .getAppConfiguration
    case .getSessionCount: .sessionCount
    case .getSessionState: .sessionState
    case .updateMulticastList: .multicastList
    case .updateDTAnchorRounds: .dtAnchorRounds
    case .updateDTTagRounds: .dtTagRounds
    case .setInitiatorAnchorRounds: .initiatorAnchorRounds
    case .queryDataSize: .queryDataSize
    case .setHybridControllerPhases: .hybridController
    case .setHybridControleePhases: .hybridControlee
    case .configureDataTransferPhase: .dataTransferPhase
    case .sessionStart: .sessionStart
    case .sessionStop: .sessionStop
    case .getRangingCount: .rangingCount
    case .getPowerStatistics: .powerStatistics
    case .setCountryCode: .countryCode
    case .unknown(let group, let opcode, _): UCIMessageID(group: group, opcode: opcode)
    }
  }

  /// Appends the payload. List entries past 255 are left out.
  package func writePayload(to output: inout [UInt8], dialect: UCIDialect) {
    switch self {
    case .deviceReset(let configuration): output.append(configuration)
    case .getDeviceInfo, .getCapabilities, .deviceSuspend, .queryTimestamp, .getSessionCount,
      .getPowerStatistics:
      break
    case .setDeviceConfiguration(let parameters): output.append(parameters)
    case .getDeviceConfiguration(let ids): output.append(counted: ids)
    case .sessionInit(let sessionID, let type):
      output.append(littleEndian: sessionID)
      output.append(type.rawValue)
    case .sessionDeinit(let token), .getSessionState(let token), .queryDataSize(let token),
      .sessionStart(let token), .sessionStop(let token), .getRangingCount(let token):
      output.append(token)
    case .setAppConfiguration(let token, let parameters):
      output.append(token)
      output.append(parameters)
    case .getAppConfiguration(let token, let list), .updateDTTagRounds(let token, let list):
      output.append(token)
      output.append(counted: list)
    case .updateMulticastList(let token, let action, let controlees):
      output.append(token)
      output.append(action.rawValue)
      output.append(controlees, action)
    case .updateDTAnchorRounds(let token, let rounds):
      output.append(token)
      output.append(rounds)
    case .setInitiatorAnchorRounds(let token, let rounds):
      output.append(token)
      output.append(rounds)
    case .setHybridControllerPhases(let token, let schedule):
      output.append(token)
      output.append(schedule)
    case .setHybridControleePhases(let token, let tokens):
      output.append(token)
      output.append(tokens)
    case .configureDataTransferPhase(let token, let repetition, let control, let entries):
      output.append(token)
      output.append(repetition)
      output.append(control)
      output.append(entries, control: control)
    case .setCountryCode(let letters): output.append(letters, filledTo: 2)
    case .unknown(_, _, let payload): output.append(contentsOf: payload)
    }
  }
}
