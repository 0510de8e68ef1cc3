/// Bring-up: from reset to ready, and recovery from ERROR.
extension UCIHost {
  /// Begins a bring-up with DEVICE_RESET and discards all sessions and commands.
  ///
  /// - Parameter recoveries: The number of ERRORs since the controller was last ready or started.
  mutating func bringUp(recoveries: Int, at uptime: Duration, _ actions: inout [Action]) {
    forget()
    dialect = fixedDialect ?? .v1
    phase = .bringingUp(.resetting(hasSeenReady: false), recoveries: recoveries)
    enqueue(.deviceReset(configuration: 0), for: .bringUp)
    sendNext(at: uptime, &actions)
  }

  /// Asks the controller for its versions, after the reset or if the controller did not answer it.
  mutating func identify(recoveries: Int) {
    phase = .bringingUp(.identifying, recoveries: recoveries)
    enqueue(.getDeviceInfo, for: .bringUp)
  }

  /// Moves on to the next bring-up step after a command was accepted.
  mutating func advanceBringUp(_ response: UCIResponse, at uptime: Duration, _ actions: inout [Action]) {
    guard case .bringingUp(let step, let recoveries) = phase else { return }
    switch (step, response) {
    case (.resetting(hasSeenReady: true), .deviceReset): identify(recoveries: recoveries)
    case (.resetting(hasSeenReady: false), .deviceReset):
      phase = .bringingUp(.awaitingReady(by: uptime + Self.responseTime), recoveries: recoveries)
    case (.identifying, .deviceInfo(_, let info?)):
      dialect = fixedDialect ?? (info.uci.major >= 2 ? .v2 : .v1)
      phase = .bringingUp(.askingCapabilities(info), recoveries: recoveries)
      enqueue(.getCapabilities, for: .bringUp)
    case (.askingCapabilities(let info), .capabilities(_, let tlvs)): becomeReady(info, tlvs, &actions)
    default:
      let id = response.id
      giveUpBringUp(
        .refused(group: id.group, opcode: id.opcode, response.status ?? .unknown, []), &actions)
    }
  }

  /// Ends a successful bring-up: settles the dialect and the packet size, and reports `ready`.
  private mutating func becomeReady(_ info: UCIDeviceInfo, _ tlvs: [UCITLV], _ actions: inout [Action]) {
    // Do not trust the packet size of a chip whose capability numbering contradicts its UCI version.
    let looks = UCICapabilities.numbering(of: tlvs)
    let isConsistent = looks == nil || looks == dialect.capabilities
    if fixedDialect == nil, let looks { dialect.capabilities = looks }
    let capabilities = UCICapabilities(tlvs: tlvs, dialect: dialect)
    let size = isConsistent ? capabilities.maxDataPayloadSize ?? 0 : 0
    phase = .ready(capabilities, maximumDataPayload: size > 0 ? size : UCISegmenter.defaultDataPayload)
    actions.append(.report(.ready(info, tlvs)))
  }

  /// Continues or abandons the bring-up. A chip that does not implement or answer RESET may still work, so
  /// only other failures end the bring-up.
  mutating func bringUpFailed(
    _ command: UCICommand, _ failure: UCIHostFailure, at uptime: Duration, _ actions: inout [Action]
  ) {
    if case .deviceReset = command, case .bringingUp(_, let recoveries) = phase {
      identify(recoveries: recoveries)
    } else {
      giveUpBringUp(failure, &actions)
    }
  }

  /// Ends a bring-up that failed. The host stays stopped until `start`.
  private mutating func giveUpBringUp(_ failure: UCIHostFailure, _ actions: inout [Action]) {
    forget()
    phase = .stopped(known: nil)
    actions.append(.report(.bringUpFailed(failure)))
  }

  /// Handles DEVICE_STATUS_NTF.
  mutating func received(_ state: UCIDeviceState, at uptime: Duration, _ actions: inout [Action]) {
    if state == .error || state == .wakeUpError {
      recover(state, at: uptime, &actions)
      return
    }
    actions.append(.report(.deviceState(state)))
    guard state == .ready else { return }
    switch phase {
    case .bringingUp(.resetting, let recoveries):
      phase = .bringingUp(.resetting(hasSeenReady: true), recoveries: recoveries)
    case .bringingUp(.awaitingReady, let recoveries): identify(recoveries: recoveries)
    case .bringingUp(.identifying, _), .bringingUp(.askingCapabilities, _), .ready, .stopped: break
    }
  }

  /// Handles ERROR: brings the controller up again, or gives up after `maximumRecoveries`.
  private mutating func recover(_ state: UCIDeviceState, at uptime: Duration, _ actions: inout [Action]) {
    let recoveries: Int
    switch phase {
    case .stopped, .bringingUp(.resetting, _):
      // A reset is the only remedy. Either one is already under way, or the owner has not started the
      // controller.
      actions.append(.report(.deviceState(state)))
      return
    case .ready: recoveries = 0
    case .bringingUp(_, let earlier): recoveries = earlier
    }
    guard recoveries < Self.maximumRecoveries else {
      giveUpBringUp(.lost, &actions)
      return
    }
    actions.append(.report(.recovering))
    bringUp(recoveries: recoveries + 1, at: uptime, &actions)
  }
}

extension UCIDeviceState {
  /// NXP's chips report this when they failed to wake up. The host recovers from it as from ERROR.
  static let wakeUpError = UCIDeviceState(rawValue: 0xFC)
}
