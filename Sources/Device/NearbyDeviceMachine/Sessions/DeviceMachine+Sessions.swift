import NearbyUCI

extension DeviceMachine {
  // MARK: run, pause, end

  mutating func run(_ index: Int, _ configuration: PeerConfiguration, at now: Duration) {
    guard sessions[index].phase != .invalidated else { return }
    if sessions[index].isActive, sessions[index].configuration == configuration,
      sessions[index].phase != .running
    {
      return
    }
    stopRanging(index, at: now)
    if configuration.accessory == nil, !accessories.isEmpty { accessories[sessions[index].id] = nil }
    sessions[index].configuration = configuration
    sessions[index].phase = .idle
    guard radio != .absent else { return fail(index, .unsupportedPlatform, at: now) }
    guard usageDescription != nil else { return fail(index, .userDidNotAllow, at: now) }
    switch permission {
    case .denied: fail(index, .userDidNotAllow, at: now)
    case .notDetermined: askPermission(index)
    case .allowed, .allowedOnce: begin(index, at: now)
    }
  }

  /// The part of `run` after permission: the configuration is judged and the chip set up.
  mutating func begin(_ index: Int, at now: Duration) {
    guard let configuration = sessions[index].configuration else { return }
    if let failure = refusal(of: configuration, for: index) { return fail(index, failure, at: now) }
    guard isInForeground || rangesInBackground(index) || awaitsService(index) else {
      sessions[index].phase = .suspended
      // An app that asks is there to hear the answer, in the background too.
      return actions.append(.deliver(sessions[index].id, .suspended))
    }
    openRanging(index, at: now)
  }

  private func refusal(of configuration: PeerConfiguration, for index: Int) -> SessionFailure? {
    let identity = sessions[index].identity
    if configuration.peer == identity { return .invalidConfiguration }
    if let target = configuration.accessory {
      if let failure = accessoryRefusal(of: target) { return failure }
    } else if configuration.peer.capabilities.contains(.accessory) {
      return .invalidConfiguration
    }
    if configuration.usesCameraAssistance, !capabilities.contains(.cameraAssistance) {
      return .invalidARConfiguration
    }
    if configuration.usesExtendedDistance {
      guard capabilities.contains(.extendedDistance) else { return .unsupportedPlatform }
      guard configuration.peer.capabilities.contains(.extendedDistance) else {
        return .incompatiblePeerDevice
      }
      let others = otherActive(than: index).filter { $0.configuration?.usesExtendedDistance == true }
      if !others.isEmpty { return .activeExtendedDistanceSessionsLimitExceeded }
    }
    return otherActive(than: index).count < settings.sessionLimit ? nil : .activeSessionsLimitExceeded
  }

  private func otherActive(than index: Int) -> [PeerSession] {
    sessions.filter {
      $0.id != sessions[index].id
        && ($0.phase == .opening || $0.phase == .running
          || $0.phase == .awaitingRadio)
    }
  }

  mutating func pause(_ index: Int, at now: Duration) {
    guard sessions[index].phase != .invalidated else { return }
    stopRanging(index, at: now)
    sessions[index].phase = .idle
  }

  /// Ends a session at its app's wish; the peer is told where it can be.
  mutating func end(_ index: Int, sayingGoodbye: Bool, at now: Duration) {
    guard sessions[index].phase != .invalidated else { return }
    if sayingGoodbye {
      depart(index, at: now)
    } else {
      stopRanging(index, at: now)
    }
    sessions[index].phase = .invalidated
  }

  mutating func release(_ id: SessionID, at now: Duration) {
    guard let index = index(of: id) else { return }
    end(index, sayingGoodbye: true, at: now)
    sessions.remove(at: index)
    cameraOfSession[id] = nil
    accessories[id] = nil
  }

  /// Ends a session by an error, which is the last its app hears of it.
  mutating func fail(_ index: Int, _ failure: SessionFailure, at now: Duration) {
    guard sessions[index].phase != .invalidated else { return }
    stopRanging(index, at: now)
    sessions[index].phase = .invalidated
    deliver(index, .invalidated(failure))
  }

  /// Takes the peer off the report; the session may be run again.
  mutating func remove(_ index: Int, _ reason: PeerRemoval, at now: Duration) {
    stopRanging(index, at: now)
    sessions[index].phase = .idle
    deliver(index, .removed(reason))
  }

  mutating func deliver(_ index: Int, _ event: SessionEvent) {
    if !accessories.isEmpty, holds(event, index) { return }
    actions.append(.deliver(sessions[index].id, event))
  }

  // MARK: Life cycle

  mutating func enterBackground(at now: Duration) {
    guard isInForeground else { return }
    for index in sessions.indices where sessions[index].isActive {
      if sessions[index].phase == .awaitingPermission || rangesInBackground(index) { continue }
      suspend(index, at: now)
    }
    isInForeground = false
    backgroundDeadline = now + settings.backgroundLimit
    perform(camera.enterBackground(), at: now)
  }

  mutating func suspend(_ index: Int, at now: Duration) {
    stopRanging(index, at: now)
    sessions[index].phase = .suspended
    deliver(index, .suspended)
  }

  /// Tells suspended sessions that `run` is legal again; none resumes by itself.
  mutating func enterForeground(at now: Duration) {
    guard !isInForeground else { return }
    isInForeground = true
    backgroundDeadline = nil
    perform(camera.enterForeground(), at: now)
    if !accessories.isEmpty { for index in sessions.indices { releaseHeld(index) } }
    for index in sessions.indices where sessions[index].phase == .awaitingRadio && radio == .ready {
      openRanging(index, at: now)
    }
    for index in sessions.indices where sessions[index].phase == .suspended {
      sessions[index].phase = .idle
      deliver(index, .suspensionEnded)
    }
  }

  mutating func backgroundExpired(at now: Duration) {
    backgroundDeadline = nil
    for index in sessions.indices where sessions[index].phase == .suspended {
      fail(index, .resourceUsageTimeout, at: now)
    }
  }

  mutating func relaunch(at now: Duration) {
    for index in sessions.indices { end(index, sayingGoodbye: false, at: now) }
    if permission == .allowedOnce { permission = .notDetermined }
    isAskingPermission = false
    isInForeground = true
    backgroundDeadline = nil
    camera.relaunch()
    cameraFrame = nil
    cameraOfSession.removeAll()
    stopAccessory(at: now)
    accessories.removeAll()
    accessoryLinks.removeAll()
  }

  // MARK: Permission

  private mutating func askPermission(_ index: Int) {
    sessions[index].phase = .awaitingPermission
    guard !isAskingPermission else { return }
    isAskingPermission = true
    actions.append(.askPermission)
  }

  /// Takes the user's answer; one that decides nothing leaves the question open.
  mutating func answerPermission(_ answer: Permission, at now: Duration) {
    guard isAskingPermission, answer != .notDetermined else { return }
    isAskingPermission = false
    permission = answer
    actions.append(.storePermission(answer))
    for index in sessions.indices where sessions[index].phase == .awaitingPermission {
      switch answer {
      case .allowed, .allowedOnce: begin(index, at: now)
      case .denied: fail(index, .userDidNotAllow, at: now)
      case .notDetermined: break
      }
    }
  }

  mutating func setPermission(_ answer: Permission, at now: Duration) {
    if isAskingPermission, answer != .notDetermined { return answerPermission(answer, at: now) }
    permission = answer
    actions.append(.storePermission(answer))
    guard answer == .denied else { return }
    for index in sessions.indices where sessions[index].isActive || sessions[index].phase == .suspended {
      fail(index, .userDidNotAllow, at: now)
    }
  }
}
