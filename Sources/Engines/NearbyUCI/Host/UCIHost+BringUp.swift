/// From reset to ready, and back there after ERROR (sections 2 and 7).
extension UCIHost {
  mutating func bringUp(at uptime: Duration, _ actions: inout [Action]) {
    forget()
    deviceInfo = nil
    capabilities = nil
    dialect = fixedDialect ?? .v1
    maximumDataPayload = UCISegmenter.defaultDataPayload
    sawReady = false
    phase = .resetting
    enqueue(.deviceReset(configuration: 0), for: .bringUp)
    sendNext(at: uptime, &actions)
  }

  mutating func identify() {
    phase = .identifying
    enqueue(.getDeviceInfo, for: .bringUp)
  }

  /// Goes on after a command of the bring-up was accepted.
  mutating func broughtUp(_ response: UCIResponse, at uptime: Duration, _ actions: inout [Action]) {
    switch response {
    case .deviceReset:
      // READY may come before the response to RESET.
      if sawReady { identify() } else { phase = .awaitingReady(by: uptime + Self.responseTime) }
    case .deviceInfo(_, let info?):
      deviceInfo = info
      dialect = fixedDialect ?? (info.uci.major >= 2 ? .v2 : .v1)
      phase = .askingCapabilities
      enqueue(.getCapabilities, for: .bringUp)
    case .capabilities(_, let tlvs): becomeReady(tlvs, &actions)
    default:
      let id = response.id
      giveUpBringUp(
        .refused(group: id.group, opcode: id.opcode, response.status ?? .unknown, []), &actions)
    }
  }

  private mutating func becomeReady(_ tlvs: [UCITLV], _ actions: inout [Action]) {
    guard let deviceInfo else { return }
    // A chip that says 2.0 and numbers its capabilities as 1.x can not be trusted with the sizes in them.
    let looks = UCICapabilities.numbering(of: tlvs)
    let isConsistent = looks == nil || looks == dialect.capabilities
    if fixedDialect == nil, let looks { dialect.capabilities = looks }
    let capabilities = UCICapabilities(tlvs: tlvs, dialect: dialect)
    if isConsistent, let size = capabilities.maxDataPayloadSize, size > 0 { maximumDataPayload = size }
    self.capabilities = capabilities
    phase = .ready
    recoveries = 0
    actions.append(.report(.ready(deviceInfo, tlvs)))
  }

  /// A chip without a RESET, or with one it does not answer, may still be a working one.
  mutating func bringUpFailed(
    _ command: UCICommand, _ failure: UCIHostFailure, at uptime: Duration, _ actions: inout [Action]
  ) {
    if case .deviceReset = command {
      identify()
    } else {
      giveUpBringUp(failure, &actions)
    }
  }

  private mutating func giveUpBringUp(_ failure: UCIHostFailure, _ actions: inout [Action]) {
    forget()
    phase = .stopped
    actions.append(.report(.bringUpFailed(failure)))
  }

  /// Takes DEVICE_STATUS_NTF.
  mutating func received(_ state: UCIDeviceState, at uptime: Duration, _ actions: inout [Action]) {
    if state == .error || state == .wakeUpError {
      recover(state, at: uptime, &actions)
      return
    }
    actions.append(.report(.deviceState(state)))
    guard state == .ready else { return }
    sawReady = true
    if case .awaitingReady = phase { identify() }
  }

  private mutating func recover(_ state: UCIDeviceState, at uptime: Duration, _ actions: inout [Action]) {
    switch phase {
    case .stopped, .resetting:
      // RESET is the remedy, and it is on its way or not wanted.
      actions.append(.report(.deviceState(state)))
    case .awaitingReady, .identifying, .askingCapabilities, .ready:
      recoveries += 1
      guard recoveries <= Self.maximumRecoveries else {
        giveUpBringUp(.lost, &actions)
        return
      }
      actions.append(.report(.recovering))
      bringUp(at: uptime, &actions)
    }
  }
}

extension UCIDeviceState {
  /// NXP's chips say that they did not wake up; it is recovered from like ERROR.
  static let wakeUpError = UCIDeviceState(rawValue: 0xFC)
}
