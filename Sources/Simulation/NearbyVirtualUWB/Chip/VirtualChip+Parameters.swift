import NearbyOctets
import NearbyUCI

/// SET_APP_CONFIG and GET_APP_CONFIG.
extension VirtualChip {
  /// Sets all valid parameters and lists the others in the response.
  mutating func setAppConfiguration(
    _ token: UCISessionToken, _ parameters: [UCITLV], _ effects: inout [ChipEffect]
  ) {
    guard let slot = find(token), let before = sessions[slot] else {
      effects.append(.respond(.setAppConfiguration(.sessionDoesNotExist, [])))
      return
    }
    endSuspension(slot, &effects)
    let statuses = set(parameters, slot)
    let failures = zip(parameters, statuses).compactMap { parameter, status in
      status == .ok ? nil : UCIParameterStatus(id: parameter.id, status: status)
    }
    effects.append(.respond(.setAppConfiguration(.overall(failures), failures)))
    if before.state == .initialised, sessions[slot]?.hasMandatoryParameters == true {
      sessions[slot]?.state = .idle
      effects.append(.notify(.sessionStatus(token, .idle, .byCommand)))
    }
    if before.state == .active, failures.count < parameters.count {
      changed(slot, before.run, [], &effects)
    }
  }

  /// Sets the addresses after all other parameters, because their length depends on those.
  private mutating func set(_ parameters: [UCITLV], _ slot: Int) -> [UCIStatus] {
    var statuses = [UCIStatus](repeating: .ok, count: parameters.count)
    let rules = configuration.rules
    for isAddress in [false, true] {
      for (index, parameter) in parameters.enumerated()
      where isAddress == Self.isAddress(parameter.id) {
        statuses[index] = set(parameter, slot, rules)
      }
    }
    return statuses
  }

  private static func isAddress(_ id: UInt8) -> Bool {
    id == ParameterID.deviceAddress || id == ParameterID.destinationAddresses
  }

  /// Checks and sets one parameter.
  private mutating func set(_ parameter: UCITLV, _ slot: Int, _ rules: ParameterRules) -> UCIStatus {
    guard let session = sessions[slot] else { return .sessionDoesNotExist }
    let status = rules.status(of: parameter)
    guard status == .ok else { return status }
    if session.state == .active, !ParameterID.changeableWhileActive.contains(parameter.id) {
      return .sessionActive
    }
    let size = session.parameters.octet(ParameterID.addressMode, 0) == 2 ? 8 : 2
    switch parameter.id {
    case ParameterID.deviceAddress:
      guard parameter.value.count == size else { return .invalidParameter }
    case ParameterID.destinationAddresses:
      let count = Int(session.parameters.octet(ParameterID.numberOfControlees, 1))
      guard parameter.value.count == count * size else { return .invalidParameter }
      sessions[slot]?.controlees = Self.controlees(parameter.value, size: size)
    default: break
    }
    sessions[slot]?.parameters.set(parameter.id, parameter.value)
    return .ok
  }

  private static func controlees(_ octets: [UInt8], size: Int) -> [Controlee] {
    stride(from: 0, to: octets.count, by: size).map { start in
      let address = octets[start..<min(start + size, octets.count)]
      return Controlee(address: UInt64(littleEndianOctets: address))
    }
  }

  /// Answers GET_APP_CONFIG. An empty list of ids requests all parameters. Keys are never disclosed.
  func getAppConfiguration(
    _ token: UCISessionToken, _ ids: [UInt8], _ effects: inout [ChipEffect]
  ) {
    guard let session = find(token).flatMap({ sessions[$0] }) else {
      effects.append(.respond(.appConfiguration(.sessionDoesNotExist, [])))
      return
    }
    let secrets = [ParameterID.sessionKey, ParameterID.subSessionKey]
    let wanted = ids.isEmpty ? session.parameters.ids.filter { !secrets.contains($0) } : ids
    let missing = wanted.filter { value($0, session) == nil || secrets.contains($0) }
    guard missing.isEmpty else {
      let list = missing.map { UCITLV(id: $0, value: []) }
      effects.append(.respond(.appConfiguration(.invalidParameter, list)))
      return
    }
    let list = wanted.map { UCITLV(id: $0, value: value($0, session) ?? []) }
    effects.append(.respond(.appConfiguration(.ok, list)))
  }
  /// The value of a parameter, or the default derived from other parameters if it is not set.
  private func value(_ id: UInt8, _ session: VirtualSession) -> [UInt8]? {
    if let value = session.parameters[id] { return Array(value) }
    switch id {
    case ParameterID.capSizeRange:
      return [session.parameters.octet(ParameterID.slotsPerRound, 25) &- 1, 5]
    case ParameterID.stsSegments:
      return [session.parameters.octet(ParameterID.rframeConfiguration, 3) == 0 ? 0 : 1]
    case ParameterID.initiationTime:
      return [UInt8](repeating: 0, count: dialect.initiationTime == .v2 ? 8 : 4)
    default: return nil
    }
  }
}
