/// A session's life cycle: INIT, configuration, IDLE, ACTIVE, and back.
extension UCIHost {
  /// A STATUS that arrived before the response that assigns its token to a session.
  struct EarlyStatus: Sendable {
    var token: UCISessionToken
    var state: UCISessionState
    var reason: UCIReason
  }

  /// Opens a session: brings it to IDLE, or to ACTIVE if the request says so.
  ///
  /// Results in `sessionOpened` or `sessionFailed`. `sessionFailed` is reported at once if the host is not
  /// ready (`lost`) or already has a session of this id (`refused` with ERROR_SESSION_DUPLICATE).
  package mutating func openSession(_ request: UCISessionRequest, at uptime: Duration) -> [Action] {
    guard isReady else { return [.report(.sessionFailed(request.sessionID, .lost))] }
    guard index(of: request.sessionID) == nil else {
      return [.report(.sessionFailed(request.sessionID, Self.refusal(.sessionInit, .sessionDuplicate)))]
    }
    sessions.append(UCIHostSession(request))
    enqueue(
      .sessionInit(sessionID: request.sessionID, type: request.type), for: .session(request.sessionID))
    return sent(at: uptime)
  }

  /// Starts ranging, as soon as the session is open. Reports `sessionFailed` if there is no such session.
  package mutating func startSession(_ sessionID: UInt32, at uptime: Duration) -> [Action] {
    guard let index = index(of: sessionID), !sessions[index].isClosing else {
      return [.report(.sessionFailed(sessionID, Self.refusal(.sessionStart, .sessionDoesNotExist)))]
    }
    sessions[index].stage.setStartsRanging(true)
    guard case .open(let token) = sessions[index].stage else { return [] }
    enqueue(.sessionStart(token), for: .session(sessionID))
    return sent(at: uptime)
  }

  /// Stops ranging but leaves the session open. Has no effect on a session that is not ranging. Reports
  /// `sessionFailed` if there is no such session.
  package mutating func stopSession(_ sessionID: UInt32, at uptime: Duration) -> [Action] {
    guard let index = index(of: sessionID), !sessions[index].isClosing else {
      return [.report(.sessionFailed(sessionID, Self.refusal(.sessionStop, .sessionDoesNotExist)))]
    }
    sessions[index].stage.setStartsRanging(false)
    guard let token = sessions[index].token, isStarted(sessions[index]) else { return [] }
    enqueue(.sessionStop(token), for: .session(sessionID))
    return sent(at: uptime)
  }

  /// Closes a session with STOP, if it is ranging, and DEINIT. Results in `sessionClosed`, even if there is
  /// no such session.
  package mutating func closeSession(_ sessionID: UInt32, at uptime: Duration) -> [Action] {
    guard let index = index(of: sessionID) else { return [.report(.sessionClosed(sessionID))] }
    guard !sessions[index].isClosing else { return [] }
    let isStarted = isStarted(sessions[index])
    let isWaiting = queue.contains { $0.owner == .session(sessionID) && $0.command.id == .sessionInit }
    queue.removeAll { $0.owner == .session(sessionID) }
    if isWaiting {
      // SESSION_INIT was never sent.
      _ = removeSession(at: index)
      return [.report(.sessionClosed(sessionID))]
    }
    let token = sessions[index].token
    sessions[index].stage = .closing(token)
    if let token {
      if isStarted { enqueue(.sessionStop(token), for: .session(sessionID)) }
      enqueue(.sessionDeinit(token), for: .session(sessionID))
    }
    return sent(at: uptime)
  }

  /// Changes parameters of an open session. Chips accept only a few changes while the session is ranging.
  package mutating func updateParameters(
    _ sessionID: UInt32, _ parameters: [UCIAppParameter], at uptime: Duration
  ) -> [Action] {
    guard let index = index(of: sessionID), case .open(let token) = sessions[index].stage else {
      return [.report(.sessionFailed(sessionID, Self.refusal(.setAppConfiguration, .sessionDoesNotExist)))]
    }
    for part in UCISessionRequest.configuration(of: parameters) {
      enqueue(.setAppConfiguration(token, part), for: .session(sessionID))
    }
    return sent(at: uptime)
  }

  /// Replaces the rounds that the DL-TDoA tag of an open session listens to.
  package mutating func updateTagRounds(
    _ sessionID: UInt32, _ rounds: [UInt8], at uptime: Duration
  ) -> [Action] {
    guard let index = index(of: sessionID), case .open(let token) = sessions[index].stage else {
      return [.report(.sessionFailed(sessionID, Self.refusal(.dtTagRounds, .sessionDoesNotExist)))]
    }
    enqueue(.updateDTTagRounds(token, rounds), for: .session(sessionID))
    return sent(at: uptime)
  }

  /// Adds or removes controlees of a one-to-many session. Results in `controleesUpdated` or
  /// `sessionFailed`.
  package mutating func updateControlees(
    _ sessionID: UInt32, _ action: UCIMulticastAction, _ controlees: [UCIControlee], at uptime: Duration
  ) -> [Action] {
    guard let index = index(of: sessionID), case .open(let token) = sessions[index].stage else {
      return [.report(.sessionFailed(sessionID, Self.refusal(.multicastList, .sessionDoesNotExist)))]
    }
    enqueue(.updateMulticastList(token, action, controlees), for: .session(sessionID))
    return sent(at: uptime)
  }

  /// Sends the next command if possible, and returns the actions of a request.
  private mutating func sent(at uptime: Duration) -> [Action] {
    var actions: [Action] = []
    sendNext(at: uptime, &actions)
    return finish(actions)
  }

  /// The limit on statuses kept while SESSION_INIT is in flight, so that a misbehaving controller cannot
  /// grow the list.
  private static let maximumEarlyStatuses = 8

  static func refusal(_ id: UCIMessageID, _ status: UCIStatus) -> UCIHostFailure {
    .refused(group: id.group, opcode: id.opcode, status, [])
  }

  /// Whether the session is ranging or a START for it is queued or in flight.
  private func isStarted(_ session: UCIHostSession) -> Bool {
    guard !session.ranging.isActive, let token = session.token else { return session.ranging.isActive }
    let start = UCICommand.sessionStart(token)
    return inFlight?.job.command == start || queue.contains { $0.command == start }
  }

  /// Moves a session on to its next step after a command was accepted.
  mutating func succeeded(
    _ sessionID: UInt32, _ accepted: InFlight, _ response: UCIResponse, at uptime: Duration,
    _ actions: inout [Action]
  ) {
    guard let index = index(of: sessionID) else { return }
    switch (accepted.job.command, response) {
    case (.sessionInit, .sessionInit(_, let handle)):
      guard case .token(let early) = accepted.expected else { return }
      initialised(index, handle ?? UCISessionToken(sessionID), early, at: uptime, &actions)
    case (.setAppConfiguration, _): configured(index, at: uptime, &actions)
    case (.updateMulticastList(_, _, let controlees), .updateMulticastList(_, let statuses)):
      guard dialect.multicastList == .v2 else { return }
      let told =
        statuses.isEmpty ? controlees.map { UCIControleeStatus(address: $0.address, status: .ok) } : statuses
      sessions[index].reportedControlees = told
      actions.append(.report(.controleesUpdated(sessionID, told)))
    case (.sessionDeinit, _): closed(index, &actions)
    default: break
    }
  }

  /// Continues after the response to SESSION_INIT, when the session's token is known: waits for
  /// STATUS(INIT), or deinitialises a session that was closed in the meantime.
  private mutating func initialised(
    _ index: Int, _ token: UCISessionToken, _ early: [EarlyStatus], at uptime: Duration,
    _ actions: inout [Action]
  ) {
    // Reject the new session: if two sessions shared a handle, their messages could not be told apart.
    if let other = self.index(of: token), other != index {
      drop(sessions[index].id, Self.refusal(.sessionInit, .sessionDuplicate), isKnown: false, &actions)
      return
    }
    switch sessions[index].stage {
    case .initialising(let wishes):
      sessions[index].stage = .opening(token, .awaitingInitialised(by: uptime + Self.responseTime), wishes)
      for status in early where status.token == token {
        received(status.state, status.reason, token, at: uptime, &actions)
      }
    case .closing:
      sessions[index].stage = .closing(token)
      enqueue(.sessionDeinit(token), for: .session(sessions[index].id))
    case .opening, .open: break
    }
  }

  /// Continues after a part of the configuration was accepted: sends the next part, or waits for IDLE after
  /// the last one.
  private mutating func configured(_ index: Int, at uptime: Duration, _ actions: inout [Action]) {
    guard case .opening(let token, .configuring(let parts), let wishes) = sessions[index].stage else {
      return
    }
    let rest = parts.dropFirst()
    if !rest.isEmpty {
      configure(index, rest)
    } else if sessions[index].ranging == .inactive(.idle) {
      // The chip reported IDLE before its response to the last part of the configuration.
      opened(index, &actions)
    } else {
      sessions[index].stage = .opening(token, .awaitingIdle(by: uptime + Self.responseTime), wishes)
    }
  }

  /// Sends the first part of the configuration that is not accepted yet.
  private mutating func configure(_ index: Int, _ parts: ArraySlice<[UCITLV]>) {
    guard case .opening(let token, _, let wishes) = sessions[index].stage, let part = parts.first else {
      return
    }
    sessions[index].stage = .opening(token, .configuring(parts), wishes)
    enqueue(.setAppConfiguration(token, part), for: .session(sessions[index].id))
  }

  /// Reports that a session is open, and starts ranging if requested.
  private mutating func opened(_ index: Int, _ actions: inout [Action]) {
    guard case .opening(let token, _, let wishes) = sessions[index].stage else { return }
    sessions[index].stage = .open(token)
    actions.append(.report(.sessionOpened(sessions[index].id)))
    if !wishes.tagRounds.isEmpty {
      enqueue(.updateDTTagRounds(token, wishes.tagRounds), for: .session(sessions[index].id))
    }
    if !wishes.anchorRounds.isEmpty {
      enqueue(.updateDTAnchorRounds(token, wishes.anchorRounds), for: .session(sessions[index].id))
    }
    if wishes.startsRanging { enqueue(.sessionStart(token), for: .session(sessions[index].id)) }
  }

  /// Removes a session at the end of its life, and reports `sessionClosed`.
  private mutating func closed(_ index: Int, _ actions: inout [Action]) {
    let sessionID = sessions[index].id
    if lastData?.sessionID == sessionID { lastData = nil }
    actions.append(contentsOf: dropped(removeSession(at: index)))
    queue.removeAll { $0.owner == .session(sessionID) }
    if inFlight?.job.owner == .session(sessionID) { inFlight?.job.owner = .nobody }
    actions.append(.report(.sessionClosed(sessionID)))
  }

  /// Handles a session's command that was refused or timed out.
  mutating func sessionFailed(
    _ sessionID: UInt32, _ command: UCICommand, _ failure: UCIHostFailure, _ actions: inout [Action]
  ) {
    guard let index = index(of: sessionID) else { return }
    switch sessions[index].stage {
    case .closing:
      // The owner no longer needs the session, so other failures do not matter: STOP if the session stopped
      // by itself, START or the configuration if it was still opening. The queued DEINIT closes it.
      if case .sessionInit = command { return closed(index, &actions) }
      if case .sessionDeinit = command { return closed(index, &actions) }
    case .initialising, .opening: drop(sessionID, failure, &actions)
    case .open: actions.append(.report(.sessionFailed(sessionID, failure)))
    }
  }

  /// Abandons a session that failed to open, and deinitialises it if the controller knows it.
  mutating func drop(
    _ sessionID: UInt32, _ failure: UCIHostFailure, isKnown: Bool = true, _ actions: inout [Action]
  ) {
    guard let index = index(of: sessionID) else { return }
    let session = removeSession(at: index)
    queue.removeAll { $0.owner == .session(sessionID) }
    if inFlight?.job.owner == .session(sessionID) { inFlight?.job.owner = .nobody }
    actions.append(.report(.sessionFailed(sessionID, failure)))
    actions.append(contentsOf: dropped(session))
    if isKnown, let token = session.token { enqueue(.sessionDeinit(token), for: .nobody) }
  }

  /// Handles SESSION_STATUS_NTF. The status of an unknown session is kept while SESSION_INIT is in flight
  /// and dropped otherwise.
  mutating func received(
    _ state: UCISessionState, _ reason: UCIReason, _ token: UCISessionToken, at uptime: Duration,
    _ actions: inout [Action]
  ) {
    guard let index = index(of: token) else {
      storeEarly(EarlyStatus(token: token, state: state, reason: reason))
      return
    }
    let session = sessions[index]
    if state == .deinitialised {
      // A DEINIT before INIT belongs to an earlier session that had the same token.
      if case .opening(_, .awaitingInitialised, _) = session.stage { return }
      if !session.isClosing { actions.append(.report(.sessionState(session.id, state, reason))) }
      closed(index, &actions)
      return
    }
    actions.append(.report(.sessionState(session.id, state, reason)))
    switch state {
    case .active: activate(index, &actions)
    case .idle:
      sessions[index].ranging = .inactive(state)
      actions.append(contentsOf: dropTransfers(index))
    default: sessions[index].ranging = .inactive(state)
    }
    advance(index, state, &actions)
  }

  /// Keeps a STATUS with an unknown token while SESSION_INIT awaits its response.
  private mutating func storeEarly(_ status: EarlyStatus) {
    guard case .token(var early) = inFlight?.expected, early.count < Self.maximumEarlyStatuses else { return }
    early.append(status)
    inFlight?.expected = .token(early: early)
  }

  /// Moves an opening session on to its next step after a STATUS.
  private mutating func advance(_ index: Int, _ state: UCISessionState, _ actions: inout [Action]) {
    guard case .opening(_, let step, let wishes) = sessions[index].stage else { return }
    switch step {
    case .awaitingInitialised:
      guard state == .initialised else { return }
      configure(index, UCISessionRequest.configuration(of: wishes.parameters)[...])
    case .awaitingIdle: if state == .idle { opened(index, &actions) }
    case .configuring: break
    }
  }

  /// Handles the notification of a multicast list update, unless the response has already reported the same
  /// results.
  mutating func received(
    _ statuses: [UCIControleeStatus], _ token: UCISessionToken, _ actions: inout [Action]
  ) {
    guard let index = index(of: token) else { return }
    let isReported = sessions[index].reportedControlees == statuses
    sessions[index].reportedControlees = nil
    if !isReported { actions.append(.report(.controleesUpdated(sessions[index].id, statuses))) }
  }
}

extension UCIHostSession.Stage {
  /// Sets whether an opening session starts ranging once it is open. Has no effect in any other stage.
  mutating func setStartsRanging(_ startsRanging: Bool) {
    switch self {
    case .initialising(var wishes):
      wishes.startsRanging = startsRanging
      self = .initialising(wishes)
    case .opening(let token, let step, var wishes):
      wishes.startsRanging = startsRanging
      self = .opening(token, step, wishes)
    case .open, .closing: break
    }
  }
}
