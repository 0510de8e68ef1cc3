/// A session's life: INIT, configuration, IDLE, ACTIVE, and the way back.
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
    guard isReady else { return [.report(.sessionFailed(request.sessionID, .lost))] }
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
    guard let index = index(of: sessionID), !sessions[index].isClosing else {
      return [.report(.sessionFailed(sessionID, Self.refusal(.sessionStart, .sessionDoesNotExist)))]
    }
    sessions[index].stage.setStartsRanging(true)
    guard case .open(let token) = sessions[index].stage else { return [] }
    enqueue(.sessionStart(token), for: .session(sessionID))
    return sent(at: uptime)
  }

  /// Stops ranging; the session stays open. Nothing happens where it does not range.
  package mutating func stopSession(_ sessionID: UInt32, at uptime: Duration) -> [Action] {
    guard let index = index(of: sessionID), !sessions[index].isClosing else {
      return [.report(.sessionFailed(sessionID, Self.refusal(.sessionStop, .sessionDoesNotExist)))]
    }
    sessions[index].stage.setStartsRanging(false)
    guard let token = sessions[index].token, isStarted(sessions[index]) else { return [] }
    enqueue(.sessionStop(token), for: .session(sessionID))
    return sent(at: uptime)
  }

  /// Takes a session down: STOP if it ranges, then DEINIT. Ends with `sessionClosed`.
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

  /// Changes parameters of an open session; while it ranges, chips take only a few.
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

  /// Adds or removes controlees of a one-to-many session. Ends with `controleesUpdated` or `sessionFailed`.
  package mutating func updateControlees(
    _ sessionID: UInt32, _ action: UCIMulticastAction, _ controlees: [UCIControlee], at uptime: Duration
  ) -> [Action] {
    guard let index = index(of: sessionID), case .open(let token) = sessions[index].stage else {
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

  /// Of tokens that no session has, while SESSION_INIT is in flight; a bound on what a controller can make grow.
  private static let maximumEarlyStatuses = 8

  static func refusal(_ id: UCIMessageID, _ status: UCIStatus) -> UCIHostFailure {
    .refused(group: id.group, opcode: id.opcode, status, [])
  }

  /// Whether the session ranges or is about to.
  private func isStarted(_ session: UCIHostSession) -> Bool {
    guard !session.ranging.isActive, let token = session.token else { return session.ranging.isActive }
    let start = UCICommand.sessionStart(token)
    return inFlight?.job.command == start || queue.contains { $0.command == start }
  }

  /// Takes the next step after a command of a session was accepted.
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

  private mutating func initialised(
    _ index: Int, _ token: UCISessionToken, _ early: [EarlyStatus], at uptime: Duration,
    _ actions: inout [Action]
  ) {
    // A chip that gives one handle to two sessions would have them answer for each other.
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

  private mutating func configured(_ index: Int, at uptime: Duration, _ actions: inout [Action]) {
    guard case .opening(let token, .configuring(let parts), let wishes) = sessions[index].stage else {
      return
    }
    let rest = parts.dropFirst()
    if !rest.isEmpty {
      configure(index, rest)
    } else if sessions[index].ranging == .inactive(.idle) {
      // IDLE may come before the response that it follows from.
      opened(index, &actions)
    } else {
      sessions[index].stage = .opening(token, .awaitingIdle(by: uptime + Self.responseTime), wishes)
    }
  }

  /// Sends the first of the parts of the configuration that are not accepted yet.
  private mutating func configure(_ index: Int, _ parts: ArraySlice<[UCITLV]>) {
    guard case .opening(let token, _, let wishes) = sessions[index].stage, let part = parts.first else {
      return
    }
    sessions[index].stage = .opening(token, .configuring(parts), wishes)
    enqueue(.setAppConfiguration(token, part), for: .session(sessions[index].id))
  }

  private mutating func opened(_ index: Int, _ actions: inout [Action]) {
    guard case .opening(let token, _, let wishes) = sessions[index].stage else { return }
    sessions[index].stage = .open(token)
    actions.append(.report(.sessionOpened(sessions[index].id)))
    if wishes.startsRanging { enqueue(.sessionStart(token), for: .session(sessions[index].id)) }
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
    switch sessions[index].stage {
    case .closing:
      // The owner is done with it. Whatever else was under way may fail, STOP where the session stopped by
      // itself, START or the configuration where it opened: the DEINIT that waits takes it down.
      if case .sessionInit = command { return closed(index, &actions) }
      if case .sessionDeinit = command { return closed(index, &actions) }
    case .initialising, .opening: drop(sessionID, failure, &actions)
    case .open: actions.append(.report(.sessionFailed(sessionID, failure)))
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
      keepEarly(EarlyStatus(token: token, state: state, reason: reason))
      return
    }
    let session = sessions[index]
    if state == .deinitialised {
      // One before INIT belongs to an earlier session of this token.
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

  /// Keeps a STATUS of an unknown token if a SESSION_INIT waits for its response.
  private mutating func keepEarly(_ status: EarlyStatus) {
    guard case .token(var early) = inFlight?.expected, early.count < Self.maximumEarlyStatuses else { return }
    early.append(status)
    inFlight?.expected = .token(early: early)
  }

  /// Takes the next step of an opening session after a STATUS.
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

  /// Takes the multicast list's notification.
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
  /// Changes what an opening session does once it is open; in any other stage this has no effect.
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
