import NearbyBluetooth
import NearbyUCI

/// Sessions that listen to anchors.
///
/// Such a session needs the user's permission for location, finds its network by the anchors' Bluetooth
/// advertisements, opens a session of a tag on the chip, and delivers what each round brings. Until an
/// advertisement arrives it is silent.
extension DeviceMachine {
  /// The tag's address on the chip. A tag never sends, so that all may have the same.
  private static let tagAddress: UInt16 = 0xFFFE

  mutating func listen(_ index: Int, _ configuration: AnchorNetworkConfiguration, at now: Duration) {
    guard !sessions[index].isInvalidated else { return }
    let id = sessions[index].id
    if let known = anchors?.value.list.first(where: { $0.id == id }),
      known.configuration == configuration, known.phase != .suspended
    {
      return
    }
    stopRanging(index, at: now)
    guard capabilities.contains(.downlinkTDoA) else { return fail(index, .unsupportedPlatform, at: now) }
    let isTaken = anchors?.value.list.contains { $0.configuration == configuration } == true
    guard !isTaken else { return fail(index, .activeSessionsLimitExceeded, at: now) }
    let session = AnchorSession(id: id, configuration: configuration, phase: .awaitingPermission)
    if anchors == nil { anchors = Boxed(AnchorSessions()) }
    anchors?.value.list.append(session)
    guard isInForeground else {
      anchors?.value.set(id, .suspended)
      return actions.append(.deliver(id, .suspended))
    }
    checkAnchorPermission(at: now)
  }

  /// Ends a session's listening; without effect on one that does not listen.
  mutating func stopListening(_ id: SessionID, at now: Duration) {
    guard let index = anchors?.value.index(of: id), let session = anchors?.value.list.remove(at: index)
    else { return }
    if session.isOnChip { closeAnchors(session, at: now) }
    searchAnchors(at: now)
  }

  private mutating func closeAnchors(_ session: AnchorSession, at now: Duration) {
    radio.setDeparting(session.configuration.network, .closing)
    close(session.configuration.network, at: now)
  }

  /// Continues or ends sessions after the user's permission for location changed.
  mutating func checkAnchorPermission(at now: Duration) {
    let reported = location?.value.reported ?? .denied
    for session in anchors?.value.list ?? [] where session.phase != .suspended {
      switch reported {
      case .notDetermined: break
      case .denied, .restricted:
        if let index = index(of: session.id) { fail(index, .userDidNotAllow, at: now) }
      case .whenInUse, .always:
        if session.phase == .awaitingPermission { anchors?.value.set(session.id, .searching) }
      }
    }
    searchAnchors(at: now)
  }

  /// Scans while any session needs it: for everything until all have found their network, then only for anchors that
  /// name further rounds.
  private mutating func searchAnchors(at now: Duration) {
    let active = anchors?.value.list.filter { $0.phase != .suspended } ?? []
    let scan: LocationMachine.Scan =
      active.isEmpty ? .none : active.contains { $0.network == nil } ? .repeated : .changes
    guard location != nil, location?.value.anchorScan != scan else { return }
    updateLocation { $0.scanForAnchors(scan, at: now) }
  }

  /// Receives an advertisement of the scan for location.
  mutating func sightedForAnchors(_ sighting: BluetoothSighting, at now: Duration) {
    guard let count = anchors?.value.list.count, !sighting.advertisement.serviceData.isEmpty else { return }
    var isChanged = false
    // By index: handling a session may end it, but not those before it.
    for place in 0..<count where anchors?.value.list.indices.contains(place) == true {
      guard anchors?.value.list[place].sighted(sighting) == true, let session = anchors?.value.list[place]
      else { continue }
      isChanged = true
      if session.isOnChip, session.phase == .running {
        perform(host.updateTagRounds(session.configuration.network, session.rounds, at: now), at: now)
      }
    }
    if isChanged { searchAnchors(at: now) }
    openAnchors(at: now)
  }

  /// Opens every session that found its network, as soon as the chip can.
  mutating func openAnchors(at now: Duration) {
    for session in anchors?.value.list ?? [] where session.phase == .searching {
      guard let request = session.request(address: Self.tagAddress) else { continue }
      if case .failed = radio {
        radio = .starting
        perform(host.start(at: now), at: now)
      }
      guard case .ready(let departing) = radio, departing[request.sessionID] == nil else { continue }
      anchors?.value.set(session.id, .opening)
      perform(host.openSession(request, at: now), at: now)
    }
  }

  // MARK: From the chip

  /// Handles an event of a session of anchors.
  ///
  /// - Returns: Whether the event was of one.
  mutating func receiveForAnchors(_ event: UCIHost.Event, at now: Duration) -> Bool {
    let chipID: UInt32
    switch event {
    case .measured(let id, _), .sessionFailed(let id, _), .sessionState(let id, _, _), .sessionOpened(let id):
      chipID = id
    default: return false
    }
    guard let place = anchors?.value.index(onChip: chipID), let session = anchors?.value.list[place],
      let index = index(of: session.id)
    else { return false }
    switch event {
    case .measured(_, let info):
      guard case .downlinkTDoA(let measurements, _) = info.measurements,
        let readings = anchors?.value.list[place].readings(of: measurements), !readings.isEmpty
      else { return true }
      deliver(index, .anchorsHeard(readings))
    case .sessionFailed(_, let failure): anchorsFailed(index, session, failure, at: now)
    case .sessionState(_, let state, let reason): anchorsState(index, place, state, reason, at: now)
    default: break
    }
    return true
  }

  private mutating func anchorsFailed(
    _ index: Int, _ session: AnchorSession, _ failure: UCIHostFailure, at now: Duration
  ) {
    // A chip that cannot use some of the rounds uses the others.
    if case .refused(_, _, .roundNotActivated, _) = failure { return }
    if case .refused(_, _, .tooManySessions, _) = failure {
      return fail(index, .activeSessionsLimitExceeded, at: now)
    }
    fail(index, .sessionFailed, at: now)
  }

  private mutating func anchorsState(
    _ index: Int, _ place: Int, _ state: UCISessionState, _ reason: UCIReason, at now: Duration
  ) {
    switch state {
    case .active:
      anchors?.value.list[place].phase = .running
      guard anchors?.value.list[place].hasReportedRunning == false else { return }
      anchors?.value.list[place].hasReportedRunning = true
      deliver(index, .startedRunning)
    case .initialised: break
    // The IDLE that ends the configuration is by command.
    case .idle where reason == .byCommand && anchors?.value.list[place].phase == .opening: break
    default: fail(index, .sessionFailed, at: now)
    }
  }

  /// The chip lost its sessions, which are opened again when it is ready.
  mutating func anchorsLost() {
    for session in anchors?.value.list ?? [] where session.isOnChip {
      anchors?.value.set(session.id, .searching)
    }
  }

  /// The chip is gone.
  mutating func anchorsRadioFailed(at now: Duration) {
    anchorsLost()
    for session in anchors?.value.list ?? [] where session.phase == .searching {
      if session.request(address: Self.tagAddress) != nil, let index = index(of: session.id) {
        fail(index, .sessionFailed, at: now)
      }
    }
  }

  // MARK: Life cycle

  mutating func suspendAnchors(at now: Duration) {
    for session in anchors?.value.list ?? [] where session.phase != .suspended {
      guard session.phase != .awaitingPermission, let index = index(of: session.id) else { continue }
      if session.isOnChip { closeAnchors(session, at: now) }
      anchors?.value.set(session.id, .suspended)
      deliver(index, .suspended)
    }
    searchAnchors(at: now)
  }

  mutating func endAnchorSuspension(at now: Duration) {
    for session in anchors?.value.list ?? [] where session.phase == .suspended {
      anchors?.value.list.removeAll { $0.id == session.id }
      if let index = index(of: session.id) { deliver(index, .suspensionEnded) }
    }
  }

  mutating func expireAnchors(at now: Duration) {
    for session in anchors?.value.list ?? [] where session.phase == .suspended {
      if let index = index(of: session.id) { fail(index, .resourceUsageTimeout, at: now) }
    }
  }
}

extension AnchorSessions {
  mutating func set(_ id: SessionID, _ phase: AnchorSession.Phase) {
    if let index = index(of: id) { list[index].phase = phase }
  }
}
