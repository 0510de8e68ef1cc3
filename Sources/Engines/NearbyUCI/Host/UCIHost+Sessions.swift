/// A session's life: INIT, configuration, IDLE, ACTIVE, and the way back (section 3).
extension UCIHost {
  /// A STATUS that came before the response that tells whose it is.
  struct EarlyStatus: Sendable {
    var token: UCISessionToken
    var state: UCISessionState
    var reason: UCIReason
  }

  /// Brings a session up to IDLE, or to ACTIVE when the request says so.
  ///
  /// Ends with `sessionOpened` or `sessionFailed`, which also comes at once when the host is not ready
  /// (`lost`) or the session is there already (`refused`).
  package mutating func openSession(_ request: UCISessionRequest, at uptime: Duration) -> [Action] {
    guard phase == .ready else { return [.report(.sessionFailed(request.sessionID, .lost))] }
    guard index(of: request.sessionID) == nil else {
      return [.report(.sessionFailed(request.sessionID, Self.refusal(.sessionInit, .sessionDuplicate)))]
    }
    sessions.append(UCIHostSession(request))
    enqueue(
      .sessionInit(sessionID: request.sessionID, type: request.type), for: .session(request.sessionID))
    return sent(at: uptime)
  }

  /// Starts ranging in an open session; in one that still opens, as soon as it is open.
  package mutating func startSession(_ sessionID: UInt32, at uptime: Duration) -> [Action] {
    guard let index = index(of: sessionID), sessions[index].stage != .closing else {
      return [.report(.sessionFailed(sessionID, Self.refusal(.sessionStart, .sessionDoesNotExist)))]
    }
    sessions[index].startsRanging = true
    guard sessions[index].stage == .open, let token = sessions[index].token else { return [] }
    enqueue(.sessionStart(token), for: .session(sessionID))
    return sent(at: uptime)
  }

  /// Stops ranging; the session stays open. Nothing happens where it does not range.
  package mutating func stopSession(_ sessionID: UInt32, at uptime: Duration) -> [Action] {
    guard let index = index(of: sessionID), sessions[index].stage != .closing else {
      return [.report(.sessionFailed(sessionID, Self.refusal(.sessionStop, .sessionDoesNotExist)))]
    }
    sessions[index].startsRanging = false
    guard let token = sessions[index].token, isStarted(sessions[index]) else { return [] }
    enqueue(.sessionStop(token), for: .session(sessionID))
    return sent(at: uptime)
  }

  /// Takes a session down: STOP if it ranges, then DEINIT. Ends with `sessionClosed`.
  package mutating func closeSession(_ sessionID: UInt32, at uptime: Duration) -> [Action] {
    guard let index = index(of: sessionID) else { return [.report(.sessionClosed(sessionID))] }
    guard sessions[index].stage != .closing else { return [] }
    let isStarted = isStarted(sessions[index])
    let isWaiting = queue.contains { $0.owner == .session(sessionID) && $0.command.id == .sessionInit }
    queue.removeAll { $0.owner == .session(sessionID) }
    if isWaiting {
      // SESSION_INIT was never sent.
      _ = removeSession(at: index)
      return [.report(.sessionClosed(sessionID))]
    }
    sessions[index].stage = .closing
    if let token = sessions[index].token {
      if isStarted { enqueue(.sessionStop(token), for: .session(sessionID)) }
      enqueue(.sessionDeinit(token), for: .session(sessionID))
    }
    return sent(at: uptime)
  }

  /// Changes parameters of an open session; while it ranges, chips take only a few (section 3).
  package mutating func updateParameters(
    _ sessionID: UInt32, _ parameters: [UCIAppParameter], at uptime: Duration
  ) -> [Action] {
    guard let index = index(of: sessionID), let token = sessions[index].token,
      sessions[index].stage == .open
    else {
      return [.report(.sessionFailed(sessionID, Self.refusal(.setAppConfiguration, .sessionDoesNotExist)))]
    }
    for part in UCISessionRequest.configuration(of: parameters) {
      enqueue(.setAppConfiguration(token, part), for: .session(sessionID))
    }
    return sent(at: uptime)
  }

  /// Adds or removes controlees of a one-to-many session. Ends with `controleesUpdated` or `sessionFailed`.
  package mutating func updateControlees(
    _ sessionID: UInt32, _ action: UCIMulticastAction, _ controlees: [UCIControlee], at uptime: Duration
  ) -> [Action] {
    guard let index = index(of: sessionID), let token = sessions[index].token,
      sessions[index].stage == .open
    else {
      return [.report(.sessionFailed(sessionID, Self.refusal(.multicastList, .sessionDoesNotExist)))]
    }
    enqueue(.updateMulticastList(token, action, controlees), for: .session(sessionID))
    return sent(at: uptime)
  }

  private mutating func sent(at uptime: Duration) -> [Action] {
    var actions: [Action] = []
    sendNext(at: uptime, &actions)
    return finish(actions)
  }

  static func refusal(_ id: UCIMessageID, _ status: UCIStatus) -> UCIHostFailure {
    .refused(group: id.group, opcode: id.opcode, status, [])
  }

  /// Whether the session ranges or is about to.
  private func isStarted(_ session: UCIHostSession) -> Bool {
    guard session.state != .active, let token = session.token else { return session.state == .active }
    let start = UCICommand.sessionStart(token)
    return inFlight?.job.command == start || queue.contains { $0.command == start }
  }

  /// Goes on after a command of a session was accepted.
  mutating func succeeded(
    _ sessionID: UInt32, _ command: UCICommand, _ response: UCIResponse, at uptime: Duration,
    _ actions: inout [Action]
  ) {
    guard let index = index(of: sessionID) else { return }
    switch (command, response) {
    case (.sessionInit, .sessionInit(_, let handle)):
      initialised(index, handle ?? UCISessionToken(sessionID), at: uptime, &actions)
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

  private mutating func initialised(
    _ index: Int, _ token: UCISessionToken, at uptime: Duration, _ actions: inout [Action]
  ) {
    // A chip that gives one handle to two sessions would have them answer for each other.
    if let other = self.index(of: token), other != index {
      drop(sessions[index].id, Self.refusal(.sessionInit, .sessionDuplicate), isKnown: false, &actions)
      return
    }
    sessions[index].token = token
    let early = earlyStatuses.filter { $0.token == token }
    earlyStatuses = []
    guard sessions[index].stage != .closing else {
      enqueue(.sessionDeinit(token), for: .session(sessions[index].id))
      return
    }
    sessions[index].stage = .awaitingInitialised(by: uptime + Self.responseTime)
    for status in early { received(status.state, status.reason, token, at: uptime, &actions) }
  }

  private mutating func configured(_ index: Int, at uptime: Duration, _ actions: inout [Action]) {
    guard case .configuring(let accepted) = sessions[index].stage else { return }
    sessions[index].stage = .configuring(accepted: accepted + 1)
    guard accepted + 1 >= sessions[index].configuration.count else {
      configureNext(index)
      return
    }
    // IDLE may come before the response that it follows from.
    if sessions[index].state == .idle {
      opened(index, &actions)
    } else {
      sessions[index].stage = .awaitingIdle(by: uptime + Self.responseTime)
    }
  }

  private mutating func configureNext(_ index: Int) {
    let session = sessions[index]
    guard case .configuring(let accepted) = session.stage, let token = session.token else { return }
    enqueue(.setAppConfiguration(token, session.configuration[accepted]), for: .session(session.id))
  }

  private mutating func opened(_ index: Int, _ actions: inout [Action]) {
    let session = sessions[index]
    sessions[index].stage = .open
    actions.append(.report(.sessionOpened(session.id)))
    if session.startsRanging, let token = session.token {
      enqueue(.sessionStart(token), for: .session(session.id))
    }
  }

  private mutating func closed(_ index: Int, _ actions: inout [Action]) {
    let sessionID = sessions[index].id
    if lastData?.sessionID == sessionID { lastData = nil }
    actions.append(contentsOf: dropped(removeSession(at: index)))
    queue.removeAll { $0.owner == .session(sessionID) }
    if inFlight?.job.owner == .session(sessionID) { inFlight?.job.owner = .nobody }
    actions.append(.report(.sessionClosed(sessionID)))
  }

  /// Takes a refusal or a time-out of a session's command.
  mutating func sessionFailed(
    _ sessionID: UInt32, _ command: UCICommand, _ failure: UCIHostFailure, _ actions: inout [Action]
  ) {
    guard let index = index(of: sessionID) else { return }
    if case .sessionInit = command { earlyStatuses = [] }
    if sessions[index].stage == .closing {
      // The owner is done with it. Whatever else was under way may fail, STOP where the session stopped by
      // itself, START or the configuration where it opened: the DEINIT that waits takes it down.
      if case .sessionInit = command { return closed(index, &actions) }
      if case .sessionDeinit = command { return closed(index, &actions) }
    } else if sessions[index].isOpening {
      drop(sessionID, failure, &actions)
    } else {
      actions.append(.report(.sessionFailed(sessionID, failure)))
    }
  }

  /// Gives up a session that never came to be, and takes down what the controller has of it.
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

  /// Takes SESSION_STATUS_NTF; those of unknown sessions are dropped.
  mutating func received(
    _ state: UCISessionState, _ reason: UCIReason, _ token: UCISessionToken, at uptime: Duration,
    _ actions: inout [Action]
  ) {
    guard let index = index(of: token) else {
      let isInitialising = inFlight?.id == .sessionInit
      if isInitialising, earlyStatuses.count < 8 {
        earlyStatuses.append(EarlyStatus(token: token, state: state, reason: reason))
      }
      return
    }
    let session = sessions[index]
    if state == .deinitialised {
      // One before INIT belongs to an earlier session of this token.
      if case .awaitingInitialised = session.stage { return }
      if session.stage != .closing {
        actions.append(.report(.sessionState(session.id, state, reason)))
      }
      closed(index, &actions)
      return
    }
    sessions[index].state = state
    actions.append(.report(.sessionState(session.id, state, reason)))
    switch state {
    case .idle: actions.append(contentsOf: dropTransfers(index))
    case .active: activated(index, was: session.state, &actions)
    default: break
    }
    advance(index, state, &actions)
  }

  /// Moves an opening session on by what STATUS said.
  private mutating func advance(_ index: Int, _ state: UCISessionState, _ actions: inout [Action]) {
    switch sessions[index].stage {
    case .awaitingInitialised:
      guard state == .initialised else { return }
      sessions[index].stage = .configuring(accepted: 0)
      configureNext(index)
    case .awaitingIdle:
      if state == .idle { opened(index, &actions) }
    case .initialising, .configuring, .open, .closing: break
    }
  }

  /// Takes the multicast list's notification.
  mutating func received(
    _ statuses: [UCIControleeStatus], _ token: UCISessionToken, _ actions: inout [Action]
  ) {
    guard let index = index(of: token) else { return }
    let isTold = sessions[index].reportedControlees == statuses
    sessions[index].reportedControlees = nil
    if !isTold { actions.append(.report(.controleesUpdated(sessions[index].id, statuses))) }
  }
}
