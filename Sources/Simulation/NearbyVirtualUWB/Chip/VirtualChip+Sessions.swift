import NearbySchedule
import NearbyUCI

/// The life cycle of sessions, from SESSION_INIT to DEINIT.
extension VirtualChip {
  /// Creates a session, identified by a new handle or by its id, depending on the dialect.
  mutating func sessionInit(_ id: UInt32, _ type: UCISessionType, _ effects: inout [ChipEffect]) {
    func refuse(_ status: UCIStatus) { effects.append(.respond(.sessionInit(status, handle: nil))) }
    guard VirtualChipConfiguration.sessionTypes.contains(type) else { return refuse(.invalidParameter) }
    guard !sessions.contains(where: { $0?.sessionID == id }) else { return refuse(.sessionDuplicate) }
    let free = sessions.firstIndex { $0 == nil }
    guard free != nil || sessions.count < configuration.maximumSessions else {
      return refuse(.tooManySessions)
    }
    let hasHandle = dialect.sessionHandles == .v2
    let token = hasHandle ? takeHandle() : UCISessionToken(id)
    let session = VirtualSession(sessionID: id, token: token, type: type)
    if let free { sessions[free] = session } else { sessions.append(session) }
    effects.append(.respond(.sessionInit(.ok, handle: hasHandle ? token : nil)))
    effects.append(.notify(.sessionStatus(token, .initialised, .byCommand)))
  }

  /// Removes a session. If it is running, its rounds end first.
  mutating func sessionDeinit(_ token: UCISessionToken, _ effects: inout [ChipEffect]) {
    guard let slot = find(token), let session = sessions[slot] else {
      effects.append(.respond(.sessionDeinit(.sessionDoesNotExist)))
      return
    }
    effects.append(.respond(.sessionDeinit(.ok)))
    if let run = session.run { effects.append(.stopped(run, tellsPeers: true)) }
    sessions[slot] = nil
    effects.append(.notify(.sessionStatus(token, .deinitialised, .byCommand)))
    updateState(&effects)
  }

  /// Makes an IDLE session ACTIVE. If its configuration cannot work, it stays IDLE and STATUS gives the
  /// reason.
  mutating func sessionStart(
    _ token: UCISessionToken, at time: Int64, _ effects: inout [ChipEffect]
  ) {
    guard let slot = find(token), let session = sessions[slot] else {
      effects.append(.respond(.sessionStart(.sessionDoesNotExist)))
      return
    }
    if session.state == .initialised {
      effects.append(.respond(.sessionStart(.sessionNotConfigured)))
      return
    }
    if session.state == .active {
      effects.append(.respond(.sessionStart(.sessionActive)))
      return
    }
    if let refusal = session.parsed().refusal(
      session, minimumSlotRSTU: configuration.minimumSlotRSTU)
    {
      effects.append(.respond(.sessionStart(refusal.status)))
      effects.append(.notify(.sessionStatus(token, .idle, refusal.reason)))
      return
    }
    guard let delay = startDelay(session, at: time) else {
      effects.append(.respond(.sessionStart(.initiationTimeTooOld)))
      effects.append(.notify(.sessionStatus(token, .idle, .initiationTimeExpired)))
      return
    }
    endSuspension(slot, &effects)
    sessions[slot]?.state = .active
    dropData(slot)
    sessions[slot]?.data.hasCredit = session.carriesData
    effects.append(.respond(.sessionStart(.ok)))
    effects.append(.started(slot: slot, delay: delay))
    effects.append(.notify(.sessionStatus(token, .active, .byCommand)))
    updateState(&effects)
  }

  /// When a session's first block begins according to UWB_INITIATION_TIME: 4 octets are milliseconds from
  /// now, 8 are microseconds on the chip's clock.
  ///
  /// - Returns: `nil` if that time has passed.
  private func startDelay(_ session: VirtualSession, at time: Int64) -> StartDelay? {
    guard let value = session.parameters[ParameterID.initiationTime] else { return StartDelay.none }
    let number = session.parameters.number(ParameterID.initiationTime, 0)
    guard number > 0 else { return StartDelay.none }
    if value.count == 4 { return .until(AirTime.sum(time, Int64(number) * 1_000_000)) }
    let microseconds = Int64(clamping: min(number, UInt64(clamping: AirTime.latest / 1000)))
    let start = AirTime.sum(bootTime, microseconds * 1000)
    return start < time ? nil : .until(start)
  }

  /// Makes a session IDLE that is ACTIVE, or suspended by its controller.
  mutating func sessionStop(_ token: UCISessionToken, _ effects: inout [ChipEffect]) {
    guard let slot = find(token), let session = sessions[slot] else {
      effects.append(.respond(.sessionStop(.sessionDoesNotExist)))
      return
    }
    guard session.run != nil else {
      effects.append(.respond(.sessionStop(.rejected)))
      return
    }
    effects.append(.respond(.sessionStop(.ok)))
    leaveActive(slot, reason: .byCommand, &effects)
  }

  /// Makes a session IDLE and ends its rounds, because of a command or an event on the air.
  mutating func leaveActive(_ slot: Int, reason: UCIReason, _ effects: inout [ChipEffect]) {
    guard let session = sessions[slot], let run = session.run else { return }
    effects.append(.stopped(run, tellsPeers: reason != .stoppedInBand))
    sessions[slot]?.run = nil
    sessions[slot]?.state = .idle
    dropData(slot)
    effects.append(.notify(.sessionStatus(session.token, .idle, reason)))
    updateState(&effects)
  }

  /// Ends a suspension by the controller: once the host reconfigures or restarts the session, it is simply
  /// IDLE.
  mutating func endSuspension(_ slot: Int, _ effects: inout [ChipEffect]) {
    guard let session = sessions[slot], session.state == .idle, let run = session.run else { return }
    effects.append(.stopped(run, tellsPeers: false))
    sessions[slot]?.run = nil
  }

  /// Handles the controller's in-band message that rounds are suspended or resumed.
  mutating func setSuspended(_ isSuspended: Bool, _ slot: Int, _ effects: inout [ChipEffect]) {
    guard let session = sessions[slot], let run = session.run, run.isSuspended != isSuspended else { return }
    sessions[slot]?.run?.isSuspended = isSuspended
    let state: UCISessionState = isSuspended ? .idle : .active
    sessions[slot]?.state = state
    if isSuspended {
      dropData(slot)
    } else {
      sessions[slot]?.data.hasCredit = session.carriesData
    }
    let reason: UCIReason = isSuspended ? .suspendedInBand : .resumedInBand
    effects.append(.notify(.sessionStatus(session.token, state, reason)))
    updateState(&effects)
  }

  func getSessionState(_ token: UCISessionToken, _ effects: inout [ChipEffect]) {
    let state = find(token).flatMap { sessions[$0]?.state }
    effects.append(
      .respond(.sessionState(state == nil ? .sessionDoesNotExist : .ok, state ?? .deinitialised)))
  }

  func queryDataSize(_ token: UCISessionToken, _ effects: inout [ChipEffect]) {
    let session = find(token).flatMap { sessions[$0] }
    let status: UCIStatus =
      session.map { $0.carriesData ? .ok : .rejected } ?? .sessionDoesNotExist
    let maximum = status == .ok ? UInt16(clamping: configuration.maximumDataSize) : 0
    effects.append(.respond(.dataSize(token, status, maximum: maximum)))
  }

  /// Applies the repetition of a data transfer phase. The slots are only checked for duplicates, because
  /// this air has no data slots.
  mutating func configureDataTransferPhase(
    _ token: UCISessionToken, _ repetition: UInt8, _ entries: [UCITransferPhaseEntry],
    _ effects: inout [ChipEffect]
  ) {
    guard let slot = find(token), let session = sessions[slot] else {
      effects.append(.respond(.configureDataTransferPhase(.sessionDoesNotExist)))
      return
    }
    guard session.type == .rangingWithDataPhase, session.state != .initialised else {
      let status: UCIStatus = session.state == .initialised ? .sessionNotConfigured : .rejected
      effects.append(.respond(.configureDataTransferPhase(status)))
      return
    }
    effects.append(.respond(.configureDataTransferPhase(.ok)))
    guard !entries.assignSlotsTwice else {
      effects.append(.notify(.dataTransferPhase(token, .duplicateSlots)))
      return
    }
    sessions[slot]?.parameters.set(ParameterID.dataRepetition, [repetition])
    effects.append(.notify(.dataTransferPhase(token, .ok)))
    changed(slot, session.run, [], &effects)
  }

  func changed(
    _ slot: Int, _ before: RunHandle?, _ removed: [MatchKey], _ effects: inout [ChipEffect]
  ) {
    guard let before else { return }
    effects.append(.changed(slot: slot, before: before, removed: removed))
  }
}

extension [UCITransferPhaseEntry] {
  /// Whether two entries share a slot.
  fileprivate var assignSlotsTwice: Bool {
    var taken: [UInt8] = []
    for entry in self {
      for (index, octet) in entry.slotBitmap.enumerated() {
        if index == taken.count { taken.append(0) }
        if taken[index] & octet != 0 { return true }
        taken[index] |= octet
      }
    }
    return false
  }
}
