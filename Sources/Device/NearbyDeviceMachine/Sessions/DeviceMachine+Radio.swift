import NearbyEstimation
import NearbyUCI

extension DeviceMachine {
  // MARK: Towards the chip

  /// Sets a session up on the chip as soon as that is possible; until then it awaits the radio.
  mutating func openRanging(_ index: Int, _ configuration: PeerConfiguration, at now: Duration) {
    if configuration.accessory != nil, awaitsService(index) {
      return sessions[index].awaitRadio(configuration)
    }
    if case .failed = radio {
      radio = .starting
      perform(host.start(at: now), at: now)
    }
    let (agreement, terms) = agreement(index, configuration)
    guard case .ready(let departing) = radio, departing[agreement.sessionID] == nil else {
      return sessions[index].awaitRadio(configuration)
    }
    if case .ranging = sessions[index].phase {
      // The chip lost it: what is known of the peer is kept.
      sessions[index].updateRanging { $0.stage = .opening }
    } else {
      sessions[index].startRanging(Ranging(configuration, agreement: agreement, terms: terms))
    }
    requestSession(index, at: now)
  }

  private mutating func requestSession(_ index: Int, at now: Duration) {
    guard case .ranging(let ranging) = sessions[index].phase else { return }
    let measuresDirection = capabilities.contains(.direction)
    if let accessory = ranging.value.accessory {
      let request = accessory.value.terms.request(measuresDirection: measuresDirection)
      return perform(host.openSession(request, at: now), at: now)
    }
    let parameters = PeerSessionParameters(
      agreement: ranging.value.agreement, settings: settings, type: ranging.value.sessionType,
      measuresDirection: measuresDirection,
      usesProvisionedSTS: host.capabilities?.isLimitedToStaticSTS != true)
    perform(host.openSession(parameters.request, at: now), at: now)
  }

  /// Opens every session that awaits the radio.
  mutating func openWaiting(at now: Duration) {
    if anchors != nil { openAnchors(at: now) }
    for index in sessions.indices where sessions[index].isAwaitingRadio {
      guard let configuration = sessions[index].configuration else { continue }
      openRanging(index, configuration, at: now)
    }
  }

  /// Stops a session's ranging without a goodbye to the peer, and leaves the session idle where it ranged.
  mutating func stopRanging(_ index: Int, at now: Duration) {
    if anchors != nil { stopListening(sessions[index].id, at: now) }
    stopSounding(index)
    guard let ranging = sessions[index].takeRanging() else { return }
    let chipID = ranging.agreement.sessionID
    radio.setDeparting(chipID, .closing)
    close(chipID, at: now)
  }

  /// Stops a session's ranging after a goodbye, if the peer has been heard and the chip carries data.
  mutating func depart(_ index: Int, at now: Duration) {
    guard case .ranging(let ranging) = sessions[index].phase, ranging.value.stage == .running,
      ranging.value.contact != nil, ranging.value.sessionType == .rangingWithInBandData
    else { return stopRanging(index, at: now) }
    let agreement = ranging.value.agreement
    sessions[index].becomeIdle()
    let (sequence, sending) = host.send(
      Goodbye.octets, to: UInt64(agreement.peerAddress), session: agreement.sessionID)
    radio.setDeparting(
      agreement.sessionID, .sayingGoodbye(sequence: sequence, deadline: now + settings.goodbyeLimit))
    perform(sending, at: now)
  }

  mutating func close(_ chipID: UInt32, at now: Duration) {
    if radio.departing[chipID] != nil { radio.setDeparting(chipID, .closing) }
    perform(host.closeSession(chipID, at: now), at: now)
  }

  // MARK: From the chip

  mutating func perform(_ hostActions: [UCIHost.Action], at now: Duration) {
    // Before the events: handling them may make the host ask for a later wake.
    for case .wake(let time) in hostActions { hostWake = time }
    for action in hostActions {
      switch action {
      case .send(let octets): actions.append(.transmit(octets))
      case .wake: break
      case .report(let event): receive(event, at: now)
      }
    }
  }

  private mutating func receive(_ event: UCIHost.Event, at now: Duration) {
    if anchors != nil, receiveForAnchors(event, at: now) { return }
    if accessorySide != nil, deliverToAccessory(event, at: now) { return }
    switch event {
    case .measured(let chipID, let info): measured(chipID, info, at: now)
    case .ready: radioReady(at: now)
    case .bringUpFailed: radioFailed(at: now)
    case .recovering: radioRecovering(at: now)
    case .sessionFailed(let chipID, let failure): sessionFailed(chipID, failure, at: now)
    case .sessionState(let chipID, let state, let reason): sessionState(chipID, state, reason, at: now)
    case .sessionClosed(let chipID): sessionClosed(chipID, at: now)
    case .dataReceived(let chipID, let source, let octets):
      dataReceived(chipID, source, octets, at: now)
    case .dataSent(let chipID, let sequence, let status): dataSent(chipID, sequence, status, at: now)
    case .sessionOpened(let chipID): sessionOpened(chipID, at: now)
    case .deviceState, .controleesUpdated, .undecodable, .other: break
    }
  }

  private mutating func radioReady(at now: Duration) {
    radio = .ready(departing: [:])
    unmeasured = host.capabilities?.deniesDirection == true ? .direction : []
    if host.capabilities?.lacksDownlinkTDoA != false { unmeasured.insert(.downlinkTDoA) }
    openWaiting(at: now)
    accessoryRadioReady(at: now)
  }

  mutating func radioFailed(at now: Duration) {
    radio = .failed
    notifyAccessory(at: now) { $0.chipGone(at: now) }
    for index in sessions.indices where sessions[index].usesRadio {
      // There is no chip to close it on.
      sessions[index].becomeIdle()
      fail(index, .sessionFailed, at: now)
    }
    if anchors != nil { anchorsRadioFailed(at: now) }
  }

  /// The chip lost every session. They are opened again when it is ready, and their apps get no event.
  mutating func radioRecovering(at now: Duration) {
    radio = .starting
    notifyAccessory(at: now) { $0.chipRecovering() }
    for index in sessions.indices { sessions[index].updateRanging { $0.stage = .lost } }
    if anchors != nil { anchorsLost() }
  }

  private mutating func sessionFailed(_ chipID: UInt32, _ failure: UCIHostFailure, at now: Duration) {
    guard let index = sessions.index(onChip: chipID) else {
      // One that waits for its goodbye stays; one that was being closed is gone.
      if radio.departing[chipID]?.deadline == nil { sessionClosed(chipID, at: now) }
      return
    }
    if case .refused(_, _, .tooManySessions, _) = failure {
      fail(index, .activeSessionsLimitExceeded, at: now)
    } else if failure.isRefusalOfSession, sessions[index].updateRanging({ $0.giveUpData() }) == true {
      requestSession(index, at: now)
    } else {
      fail(index, .sessionFailed, at: now)
    }
  }

  private mutating func sessionOpened(_ chipID: UInt32, at now: Duration) {
    guard let index = sessions.index(onChip: chipID), !sessions[index].isRunning else { return }
    if scheduleRounds(index, at: now) { return started(index, at: now) }
    let deadline = now + settings.startLimit
    sessions[index].updateRanging { $0.stage = .starting(by: deadline) }
  }

  private mutating func sessionState(
    _ chipID: UInt32, _ state: UCISessionState, _ reason: UCIReason, at now: Duration
  ) {
    guard let index = sessions.index(onChip: chipID), case .ranging(let ranging) = sessions[index].phase
    else { return }
    switch ranging.value.stage {
    case .opening, .starting:
      if state == .active { return started(index, at: now) }
      // The IDLE that ends the configuration is by command; one with another reason ends the session.
      if state == .initialised || (state == .idle && reason == .byCommand) { return }
    case .running:
      guard state == .idle || state == .deinitialised || state == .error else { return }
    case .lost: return
    }
    // A session that never ran fails; there is no peer yet to be removed.
    guard ranging.value.hasReportedRunning else { return fail(index, .sessionFailed, at: now) }
    switch reason {
    case .stoppedInBand: remove(index, .peerEnded, at: now)
    case .maxRoundRetries: remove(index, .timeout, at: now)
    // The peer may resume it; if not, the silence ends it.
    case .suspendedInBand: break
    default: fail(index, .sessionFailed, at: now)
    }
  }

  private mutating func started(_ index: Int, at now: Duration) {
    let isFirst = sessions[index].updateRanging { ranging in
      ranging.stage = .running
      defer { ranging.hasReportedRunning = true }
      return !ranging.hasReportedRunning
    }
    guard isFirst == true else { return }
    deliver(index, .startedRunning)
    shareConfiguration(index, at: now)
    startAssistance(index, at: now)
  }

  private mutating func sessionClosed(_ chipID: UInt32, at now: Duration) {
    guard radio.departing[chipID] != nil else { return }
    radio.setDeparting(chipID, nil)
    openWaiting(at: now)
  }

  private mutating func dataReceived(
    _ chipID: UInt32, _ source: UInt64, _ octets: [UInt8], at now: Duration
  ) {
    guard let index = sessions.index(onChip: chipID), case .ranging(let ranging) = sessions[index].phase,
      ranging.value.hasReportedRunning, source == UInt64(ranging.value.agreement.peerAddress),
      octets == Goodbye.octets
    else { return }
    remove(index, .peerEnded, at: now)
  }

  private mutating func dataSent(
    _ chipID: UInt32, _ sequence: UInt16, _ status: UCITransferStatus, at now: Duration
  ) {
    guard case .sayingGoodbye(sequence, _)? = radio.departing[chipID], status != .okRepetition else { return }
    close(chipID, at: now)
  }

  // MARK: Measurements

  private mutating func measured(_ chipID: UInt32, _ info: UCISessionInfo, at now: Duration) {
    if accessorySide?.value.machine.owns(chipID) == true {
      return accessoryMeasured(chipID, info, at: now)
    }
    guard let index = sessions.index(onChip: chipID), case .twoWay(let measurements, _) = info.measurements
    else {
      return
    }
    report(index, after: measurements, at: now)
  }

  /// Gives the app what is known of the peer, after a round's measurements if there was one.
  private mutating func report(
    _ index: Int, after measurements: [UCITwoWayMeasurement]?, at now: Duration
  ) {
    let camera = camera.view
    let interval = Duration.milliseconds(Int64(settings.rangingIntervalMilliseconds))
    let timeout = settings.peerTimeout
    // In place and at once: this happens twice a round, and ranging is a kilobyte.
    let report = sessions[index].updateRanging { ranging -> Ranging.Report? in
      if let measurements {
        guard ranging.stage == .running else { return nil }
        ranging.receive(measurements, camera: camera, at: now)
      }
      return ranging.report(camera: camera, interval: interval, timeout: timeout, at: now)
    }
    guard let report else { return }
    deliver(index, report)
  }

  /// Does for one session what is due.
  mutating func timePassed(_ index: Int, at now: Duration) {
    checkSounding(index, at: now)
    guard case .ranging = sessions[index].phase else { return }
    // Each step may end the ranging, so each looks again.
    if let contact = sessions[index].contact, contact.nextCheck <= now {
      checkSilence(index, since: contact.lastHeard, at: now)
    }
    if let deadline = sessions[index].startDeadline, deadline <= now {
      fail(index, .sessionFailed, at: now)
    }
    guard sessions[index].rangesWithAccessory else { return }
    startRounds(index, at: now)
    checkStart(index, at: now)
  }

  /// Does what a chip does not do of itself: estimates go stale, and a silent peer is removed.
  private mutating func checkSilence(_ index: Int, since lastHeard: Duration, at now: Duration) {
    if now >= lastHeard + settings.peerTimeout {
      remove(index, .timeout, at: now)
    } else {
      report(index, after: nil, at: now)
    }
  }
}

extension UCIHostFailure {
  /// Whether the chip refused the session itself. It may accept one of another type.
  fileprivate var isRefusalOfSession: Bool {
    guard case .refused(let group, let opcode, let status, _) = self else { return false }
    return UCIMessageID(group: group, opcode: opcode) == .sessionInit && status != .sessionDuplicate
  }
}

extension UCICapabilities {
  /// Whether the chip reports that it lacks one of the two angles that make a direction.
  fileprivate var deniesDirection: Bool {
    self[.angleOfArrival] != nil && !(measuresAzimuth && measuresElevation)
  }

  /// Whether the chip does not report that it can be a tag of anchors (bit 8).
  fileprivate var lacksDownlinkTDoA: Bool { self[.deviceRoles].map { $0 & 0x100 == 0 } ?? true }

  /// Whether the chip reports that it has static STS (bit 0) and no provisioned STS (bit 3).
  fileprivate var isLimitedToStaticSTS: Bool { self[.stsConfigurations].map { $0 & 0x09 == 0x01 } ?? false }
}
