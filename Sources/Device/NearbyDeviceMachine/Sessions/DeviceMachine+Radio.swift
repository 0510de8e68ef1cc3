import NearbyEstimation
import NearbyUCI

extension DeviceMachine {
  // MARK: Towards the chip

  /// Sets a session up on the chip as soon as that can be.
  mutating func openRanging(_ index: Int, at now: Duration) {
    guard let configuration = sessions[index].configuration else { return }
    if configuration.accessory != nil, awaitsService(index) {
      sessions[index].phase = .awaitingRadio
      return
    }
    if radio == .failed {
      radio = .starting
      perform(host.start(at: now), at: now)
    }
    let agreement = agreement(index, configuration)
    guard radio == .ready, departing[agreement.sessionID] == nil else {
      sessions[index].phase = .awaitingRadio
      return
    }
    sessions[index].phase = .opening
    // After a chip's ERROR there is one already, with what was known of the peer.
    var ranging = sessions[index].ranging ?? PeerRanging(agreement: agreement)
    if configuration.accessory != nil { ranging.sessionType = .ranging }
    sessions[index].ranging = ranging
    request(ranging, of: sessions[index].id, at: now)
  }

  private mutating func request(_ ranging: PeerRanging, of id: SessionID, at now: Duration) {
    if !accessories.isEmpty, let terms = accessories[id]?.terms {
      let request = terms.request(measuresDirection: capabilities.contains(.direction))
      return perform(host.openSession(request, at: now), at: now)
    }
    let parameters = PeerSessionParameters(
      agreement: ranging.agreement, settings: settings, type: ranging.sessionType,
      measuresDirection: capabilities.contains(.direction),
      usesProvisionedSTS: host.capabilities?.isLimitedToStaticSTS != true)
    perform(host.openSession(parameters.request, at: now), at: now)
  }

  /// Stops a session's ranging without a word to the peer.
  mutating func stopRanging(_ index: Int, at now: Duration) {
    if !assistedPeers.isEmpty { assistedPeers[sessions[index].id] = nil }
    if !accessories.isEmpty { accessories[sessions[index].id]?.stop() }
    guard let ranging = sessions[index].ranging else { return }
    sessions[index].ranging = nil
    let chipID = ranging.agreement.sessionID
    departing[chipID] = DepartingSession()
    close(chipID, at: now)
  }

  /// Stops a session's ranging after a goodbye, where the peer has been heard and the chip carries data.
  mutating func depart(_ index: Int, at now: Duration) {
    guard let ranging = sessions[index].ranging else { return }
    if !assistedPeers.isEmpty { assistedPeers[sessions[index].id] = nil }
    guard sessions[index].phase == .running, ranging.lastHeard != nil,
      ranging.sessionType == .rangingWithInBandData
    else { return stopRanging(index, at: now) }
    let chipID = ranging.agreement.sessionID
    sessions[index].ranging = nil
    let (sequence, sending) = host.send(
      Goodbye.octets, to: UInt64(ranging.agreement.peerAddress), session: chipID)
    departing[chipID] = DepartingSession(
      deadline: now + settings.goodbyeLimit, goodbyeSequence: sequence)
    perform(sending, at: now)
  }

  mutating func close(_ chipID: UInt32, at now: Duration) {
    departing[chipID]?.deadline = nil
    perform(host.closeSession(chipID, at: now), at: now)
  }

  // MARK: From the chip

  mutating func perform(_ hostActions: [UCIHost.Action], at now: Duration) {
    // Before the reports: what these make the host do may ask for a later wake.
    for case .wake(let time) in hostActions { hostWake = time }
    for action in hostActions {
      switch action {
      case .send(let octets): actions.append(.transmit(octets))
      case .wake: break
      case .report(let event): heard(event, at: now)
      }
    }
  }

  private mutating func heard(_ event: UCIHost.Event, at now: Duration) {
    if !accessorySide.isEmpty, accessoryHeard(event, at: now) { return }
    switch event {
    case .measured(let chipID, let info): measured(chipID, info, at: now)
    case .ready: radioReady(at: now)
    case .bringUpFailed: radioFailed(at: now)
    case .recovering: radioRecovering(at: now)
    case .sessionFailed(let chipID, let failure): sessionFailed(chipID, failure, at: now)
    case .sessionState(let chipID, let state, let reason): sessionState(chipID, state, reason, at: now)
    case .sessionClosed(let chipID): sessionClosed(chipID, at: now)
    case .dataReceived(let chipID, let source, let octets): heardData(chipID, source, octets, at: now)
    case .dataSent(let chipID, let sequence, let status): dataSent(chipID, sequence, status, at: now)
    case .sessionOpened(let chipID): sessionOpened(chipID, at: now)
    case .deviceState, .controleesUpdated, .undecodable, .other: break
    }
  }

  private mutating func radioReady(at now: Duration) {
    radio = .ready
    unmeasured = host.capabilities?.deniesDirection == true ? .direction : []
    departing.removeAll()
    for index in sessions.indices where sessions[index].phase == .awaitingRadio {
      openRanging(index, at: now)
    }
    accessoryRadioReady(at: now)
  }

  mutating func radioFailed(at now: Duration) {
    radio = .failed
    tellAccessory(at: now) { $0.chipGone(at: now) }
    departing.removeAll()
    for index in sessions.indices where sessions[index].isActive {
      if sessions[index].phase == .awaitingPermission { continue }
      sessions[index].ranging = nil
      fail(index, .sessionFailed, at: now)
    }
  }

  /// The chip lost every session; they are opened again when it is ready, and their apps hear nothing of it.
  mutating func radioRecovering(at now: Duration) {
    radio = .starting
    tellAccessory(at: now) { $0.chipRecovering() }
    departing.removeAll()
    for index in sessions.indices where sessions[index].ranging != nil {
      sessions[index].ranging?.startDeadline = nil
      sessions[index].phase = .awaitingRadio
    }
  }

  private mutating func sessionFailed(_ chipID: UInt32, _ failure: UCIHostFailure, at now: Duration) {
    guard let index = index(onChip: chipID) else {
      // One that waits for its goodbye stays; one that was being closed is gone.
      if departing[chipID]?.deadline == nil { sessionClosed(chipID, at: now) }
      return
    }
    if case .refused(_, _, .tooManySessions, _) = failure {
      fail(index, .activeSessionsLimitExceeded, at: now)
    } else if failure.isRefusalOfSession, let ranging = sessions[index].ranging?.withoutData {
      sessions[index].ranging = ranging
      request(ranging, of: sessions[index].id, at: now)
    } else {
      fail(index, .sessionFailed, at: now)
    }
  }

  private mutating func sessionOpened(_ chipID: UInt32, at now: Duration) {
    guard let index = index(onChip: chipID), sessions[index].phase == .opening else { return }
    if !accessories.isEmpty, openedForAccessory(index, at: now) { return started(index, at: now) }
    sessions[index].ranging?.startDeadline = now + settings.startLimit
  }

  private mutating func sessionState(
    _ chipID: UInt32, _ state: UCISessionState, _ reason: UCIReason, at now: Duration
  ) {
    guard let index = index(onChip: chipID) else { return }
    switch sessions[index].phase {
    case .opening:
      if state == .active { return started(index, at: now) }
      // The IDLE that ends the configuration is by command; one with another reason ends the session.
      if state == .initialised || (state == .idle && reason == .byCommand) { return }
    case .running:
      guard state == .idle || state == .deinitialised || state == .error else { return }
    case .idle, .awaitingPermission, .awaitingRadio, .suspended, .invalidated: return
    }
    // What comes of `run` is never a removal.
    guard sessions[index].ranging?.isToldRunning == true else {
      return fail(index, .sessionFailed, at: now)
    }
    switch reason {
    case .stoppedInBand: remove(index, .peerEnded, at: now)
    case .maxRoundRetries: remove(index, .timeout, at: now)
    // It may be resumed; if not, the silence ends it.
    case .suspendedInBand: break
    default: fail(index, .sessionFailed, at: now)
    }
  }

  private mutating func started(_ index: Int, at now: Duration) {
    sessions[index].phase = .running
    sessions[index].ranging?.startDeadline = nil
    guard sessions[index].ranging?.isToldRunning == false else { return }
    sessions[index].ranging?.isToldRunning = true
    deliver(index, .startedRunning)
    if !accessories.isEmpty { shareConfiguration(index, at: now) }
    startAssistance(index, at: now)
  }

  private mutating func sessionClosed(_ chipID: UInt32, at now: Duration) {
    guard departing.removeValue(forKey: chipID) != nil else { return }
    for index in sessions.indices where sessions[index].phase == .awaitingRadio {
      openRanging(index, at: now)
    }
  }

  private mutating func heardData(
    _ chipID: UInt32, _ source: UInt64, _ octets: [UInt8], at now: Duration
  ) {
    guard let index = index(onChip: chipID), let ranging = sessions[index].ranging,
      ranging.isToldRunning, source == UInt64(ranging.agreement.peerAddress), octets == Goodbye.octets
    else { return }
    remove(index, .peerEnded, at: now)
  }

  private mutating func dataSent(
    _ chipID: UInt32, _ sequence: UInt16, _ status: UCITransferStatus, at now: Duration
  ) {
    guard let leaving = departing[chipID], leaving.deadline != nil,
      leaving.goodbyeSequence == sequence, status != .okRepetition
    else { return }
    close(chipID, at: now)
  }

  // MARK: Measurements

  private mutating func measured(_ chipID: UInt32, _ info: UCISessionInfo, at now: Duration) {
    if !accessorySide.isEmpty, accessorySide[0].owns(chipID) {
      return accessoryMeasured(chipID, info, at: now)
    }
    guard let index = index(onChip: chipID), sessions[index].phase == .running,
      case .twoWay(let measurements, _) = info.measurements
    else { return }
    sessions[index].ranging?.take(measurements, at: now)
    if !assistedPeers.isEmpty { assist(index, with: measurements, at: now) }
    report(index, at: now)
  }

  /// Gives the app what is known now.
  ///
  /// The session's ranging is changed where it stands: it is a kilobyte, and this happens twice a round.
  private mutating func report(_ index: Int, at now: Duration) {
    let interval = interval(sessions[index].id)
    let timeout = settings.peerTimeout
    if let estimate = sessions[index].ranging?.report(at: now, interval: interval, timeout: timeout) {
      if assistedPeers.isEmpty {
        deliver(index, .updated(estimate))
      } else {
        deliverAssisted(index, estimate, at: now)
      }
    }
  }

  /// Does for one session what its times say.
  mutating func timePassed(_ index: Int, at now: Duration) {
    if let check = sessions[index].ranging?.nextCheck, check <= now { checkSilence(index, at: now) }
    if let deadline = sessions[index].ranging?.startDeadline, deadline <= now {
      fail(index, .sessionFailed, at: now)
    }
    if !accessories.isEmpty {
      startRounds(index, at: now)
      checkStart(index, at: now)
    }
  }

  /// Bridges what a silent chip does not say: estimates that go stale, a peer that is gone.
  private mutating func checkSilence(_ index: Int, at now: Duration) {
    guard let lastHeard = sessions[index].ranging?.lastHeard else { return }
    if now >= lastHeard + settings.peerTimeout {
      remove(index, .timeout, at: now)
    } else {
      report(index, at: now)
    }
  }
}

extension UCIHostFailure {
  /// Whether the chip would not have the session at all: with another type it may.
  fileprivate var isRefusalOfSession: Bool {
    guard case .refused(let group, let opcode, let status, _) = self else { return false }
    return UCIMessageID(group: group, opcode: opcode) == .sessionInit && status != .sessionDuplicate
  }
}

extension UCICapabilities {
  /// Whether the chip says that it lacks one of the two angles that a direction is made of.
  fileprivate var deniesDirection: Bool {
    self[.angleOfArrival] != nil && !(measuresAzimuth && measuresElevation)
  }

  /// Whether the chip says that it knows static STS (bit 0) and no provisioned STS (bit 3).
  fileprivate var isLimitedToStaticSTS: Bool { self[.stsConfigurations].map { $0 & 0x09 == 0x01 } ?? false }
}
