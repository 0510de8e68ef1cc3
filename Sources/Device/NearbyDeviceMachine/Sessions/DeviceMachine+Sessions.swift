import NearbyUCI

extension DeviceMachine {
  // MARK: run, pause, end

  mutating func run(_ index: Int, _ configuration: PeerConfiguration, at now: Duration) {
    guard !sessions[index].isInvalidated else { return }
    if sessions[index].isActive, sessions[index].configuration == configuration, !sessions[index].isRunning {
      return
    }
    stopRanging(index, at: now)
    if configuration.accessory == nil { sessions[index].deferredEvents = nil }
    sessions[index].begin(configuration)
    guard !radio.isAbsent else { return fail(index, .unsupportedPlatform, at: now) }
    guard usageDescription != nil else { return fail(index, .userDidNotAllow, at: now) }
    switch permission {
    case .denied: fail(index, .userDidNotAllow, at: now)
    case .notDetermined: askPermission(index, configuration)
    case .allowed, .allowedOnce: begin(index, configuration, at: now)
    }
  }

  /// The part of `run` after permission: checks the configuration and sets up the chip.
  private mutating func begin(_ index: Int, _ configuration: PeerConfiguration, at now: Duration) {
    if let failure = refusal(of: configuration, for: index) { return fail(index, failure, at: now) }
    guard isInForeground || rangesInBackground(index) || awaitsService(index) else {
      sessions[index].suspend()
      // Not deferred: an app that calls `run` is awake to receive the answer, in the background too.
      return actions.append(.deliver(sessions[index].id, .suspended))
    }
    if let target = configuration.sounding {
      openSounding(index, configuration, with: target.peer, at: now)
    } else {
      openRanging(index, configuration, at: now)
    }
  }

  private func refusal(of configuration: PeerConfiguration, for index: Int) -> SessionFailure? {
    if configuration.peer == sessions[index].identity { return .invalidConfiguration }
    if let target = configuration.accessory {
      if let failure = accessoryRefusal(of: target) { return failure }
    } else if configuration.sounding == nil, configuration.peer.capabilities.contains(.accessory) {
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
      let others = othersOnRadio(than: index).filter { $0.configuration?.usesExtendedDistance == true }
      if !others.isEmpty { return .activeExtendedDistanceSessionsLimitExceeded }
    }
    return othersOnRadio(than: index).count < settings.sessionLimit ? nil : .activeSessionsLimitExceeded
  }

  private func othersOnRadio(than index: Int) -> [RangingSession] {
    sessions.filter { $0.id != sessions[index].id && $0.usesRadio }
  }

  mutating func pause(_ index: Int, at now: Duration) {
    guard !sessions[index].isInvalidated else { return }
    stopRanging(index, at: now)
    sessions[index].becomeIdle()
  }

  /// Ends a session as its app asked, with a goodbye to the peer where one can be sent.
  mutating func end(_ index: Int, sayingGoodbye: Bool, at now: Duration) {
    guard !sessions[index].isInvalidated else { return }
    if sayingGoodbye {
      depart(index, at: now)
    } else {
      stopRanging(index, at: now)
    }
    sessions[index].invalidate()
  }

  mutating func release(_ id: SessionID, at now: Duration) {
    guard let index = index(of: id) else { return }
    end(index, sayingGoodbye: true, at: now)
    sessions.remove(at: index)
  }

  /// Ends a session with an error, which is the last event that its app gets.
  mutating func fail(_ index: Int, _ failure: SessionFailure, at now: Duration) {
    guard !sessions[index].isInvalidated else { return }
    stopRanging(index, at: now)
    sessions[index].invalidate()
    deliver(index, .invalidated(failure))
  }

  /// Reports the peer as removed; the app may call `run` again.
  mutating func remove(_ index: Int, _ reason: PeerRemoval, at now: Duration) {
    stopRanging(index, at: now)
    sessions[index].becomeIdle()
    deliver(index, .removed(reason))
  }

  mutating func deliver(_ index: Int, _ event: SessionEvent) {
    if !isInForeground, postpones(event, index) { return }
    actions.append(.deliver(sessions[index].id, event))
  }

  // MARK: Life cycle

  mutating func enterBackground(at now: Duration) {
    guard isInForeground else { return }
    for index in sessions.indices where sessions[index].isActive {
      if case .awaitingPermission = sessions[index].phase { continue }
      if !rangesInBackground(index) { suspend(index, at: now) }
    }
    if anchors != nil { suspendAnchors(at: now) }
    appState = .background(deadline: now + settings.backgroundLimit)
    perform(camera.enterBackground(), at: now)
  }

  mutating func suspend(_ index: Int, at now: Duration) {
    stopRanging(index, at: now)
    sessions[index].suspend()
    deliver(index, .suspended)
  }

  /// Notifies suspended sessions that `run` is legal again; none resumes by itself.
  mutating func enterForeground(at now: Duration) {
    guard !isInForeground else { return }
    appState = .foreground
    perform(camera.enterForeground(), at: now)
    for index in sessions.indices { deliverDeferred(index) }
    if radio.isReady { openWaiting(at: now) }
    for index in sessions.indices where sessions[index].isSuspended {
      sessions[index].becomeIdle()
      deliver(index, .suspensionEnded)
    }
    if anchors != nil { endAnchorSuspension(at: now) }
  }

  mutating func backgroundExpired(at now: Duration) {
    appState = .backgroundExpired
    for index in sessions.indices where sessions[index].isSuspended {
      fail(index, .resourceUsageTimeout, at: now)
    }
    if anchors != nil { expireAnchors(at: now) }
  }

  mutating func relaunch(at now: Duration) {
    for index in sessions.indices {
      end(index, sayingGoodbye: false, at: now)
      sessions[index].deferredEvents = nil
    }
    consent = .known(permission == .allowedOnce ? .notDetermined : permission)
    appState = .foreground
    camera.relaunch()
    stopAccessory(at: now)
    anchors = nil
    _ = endLocation()
    accessoryLinks.removeAll()
  }

  // MARK: Permission

  private mutating func askPermission(_ index: Int, _ configuration: PeerConfiguration) {
    sessions[index].awaitPermission(configuration)
    guard consent != .asking else { return }
    consent = .asking
    actions.append(.askPermission)
  }

  /// Applies the user's answer to the open question; `notDetermined` leaves it open.
  mutating func answerPermission(_ answer: Permission, at now: Duration) {
    guard consent == .asking, answer != .notDetermined else { return }
    consent = .known(answer)
    actions.append(.storePermission(answer))
    for index in sessions.indices {
      guard case .awaitingPermission(let configuration) = sessions[index].phase else { continue }
      if answer.isGranted {
        begin(index, configuration, at: now)
      } else {
        fail(index, .userDidNotAllow, at: now)
      }
    }
  }

  mutating func setPermission(_ answer: Permission, at now: Duration) {
    if consent == .asking {
      if answer != .notDetermined { return answerPermission(answer, at: now) }
    } else {
      consent = .known(answer)
    }
    actions.append(.storePermission(answer))
    guard answer == .denied else { return }
    for index in sessions.indices where sessions[index].isActive || sessions[index].isSuspended {
      fail(index, .userDidNotAllow, at: now)
    }
  }
}
