/// The command queue: one command in flight at a time, matched to its response by GID and OID.
extension UCIHost {
  /// The purpose of a command's response.
  enum Owner: Equatable, Sendable {
    case bringUp
    case session(UInt32)
    /// The response is ignored: the command deinitialises a session that was abandoned.
    case nobody
  }

  /// A queued command and what its response is for.
  struct Job: Sendable {
    var command: UCICommand
    var owner: Owner
  }

  /// The command that awaits its response.
  struct InFlight: Sendable {
    /// What the response is expected to contain.
    enum Expected: Sendable {
      case answer
      /// The token of a new session. A STATUS for that session may arrive before this response; it is kept
      /// in `early`, because only the response shows which session it belongs to.
      case token(early: [EarlyStatus])
    }

    var job: Job
    let id: UCIMessageID
    var expected: Expected
    var packets: [UInt8]
    var sends: Int
    var deadline: Duration

    var timeOut: UCIHostFailure { .timedOut(group: id.group, opcode: id.opcode) }
  }

  mutating func enqueue(_ command: UCICommand, for owner: Owner) {
    queue.append(Job(command: command, owner: owner))
  }

  /// Sends the next queued command unless one is already in flight.
  mutating func sendNext(at uptime: Duration, _ actions: inout [Action]) {
    guard inFlight == nil, !queue.isEmpty else { return }
    let job = queue.removeFirst()
    var packets: [UInt8] = []
    UCIMessage.command(job.command).write(to: &packets, dialect: dialect)
    let id = job.command.id
    inFlight = InFlight(
      job: job, id: id, expected: id == .sessionInit ? .token(early: []) : .answer, packets: packets,
      sends: 1,
      deadline: uptime + Self.responseTime)
    actions.append(.send(packets))
  }

  /// Resends the command in flight, or fails it after `maximumSends` attempts.
  mutating func resend(at uptime: Duration, _ actions: inout [Action]) {
    guard var current = inFlight else { return }
    guard current.sends < Self.maximumSends else {
      inFlight = nil
      failed(current.job, current.timeOut, at: uptime, &actions)
      return
    }
    current.sends += 1
    current.deadline = uptime + Self.responseTime
    inFlight = current
    actions.append(.send(current.packets))
  }

  /// Handles a complete message of any kind except SESSION_INFO_NTF.
  mutating func received(_ raw: UCIRawMessage, at uptime: Duration, _ actions: inout [Action]) {
    let message: UCIMessage
    do throws(UCIError) {
      message = try decode(raw)
    } catch {
      undecodable(raw, error, at: uptime, &actions)
      sendNext(at: uptime, &actions)
      return
    }
    switch message {
    case .response(let response): received(response, raw.id, at: uptime, &actions)
    case .notification(let notification): received(notification, at: uptime, &actions)
    case .data(let data): received(data, &actions)
    case .command: actions.append(.report(.other(message)))
    }
    sendNext(at: uptime, &actions)
  }

  /// Parses a message. Multicast lists are accepted in both layouts, because chips mix them, and the layout
  /// that fits is used from then on.
  private mutating func decode(_ raw: UCIRawMessage) throws(UCIError) -> UCIMessage {
    do throws(UCIError) {
      return try UCIMessage(raw, dialect: dialect)
    } catch {
      guard raw.id == .multicastList, fixedDialect == nil else { throw error }
      var other = dialect
      other.multicastList = dialect.multicastList == .v1 ? .v2 : .v1
      guard let message = try? UCIMessage(raw, dialect: other) else { throw error }
      dialect = other
      return message
    }
  }

  /// Rejects the command in flight if a malformed response to it begins with an error status; otherwise
  /// reports the parse error.
  private mutating func undecodable(
    _ raw: UCIRawMessage, _ error: UCIError, at uptime: Duration, _ actions: inout [Action]
  ) {
    guard raw.type == .response, inFlight?.id == raw.id, let first = raw.payload.first, first != 0 else {
      actions.append(.report(.undecodable(error)))
      return
    }
    let status = UCIStatus(rawValue: first)
    received(
      .bareStatus(group: raw.id.group, opcode: raw.id.opcode, status), raw.id, at: uptime, &actions)
  }

  /// Handles a response: completes the command in flight, resends it after COMMAND_RETRY, or fails it.
  private mutating func received(
    _ response: UCIResponse, _ id: UCIMessageID, at uptime: Duration, _ actions: inout [Action]
  ) {
    guard let current = inFlight, current.id == id else {
      // A late response, or one to a command that was not sent.
      actions.append(.report(.other(.response(response))))
      return
    }
    if response.status == .commandRetry {
      resend(at: uptime, &actions)
      return
    }
    inFlight = nil
    guard response.status == .ok || response.hasPartialSuccess else {
      let failure = UCIHostFailure.refused(
        group: id.group, opcode: id.opcode, response.status ?? .unknown, response.parameterStatuses)
      failed(current.job, failure, at: uptime, &actions)
      return
    }
    switch current.job.owner {
    case .bringUp: advanceBringUp(response, at: uptime, &actions)
    case .session(let sessionID): succeeded(sessionID, current, response, at: uptime, &actions)
    case .nobody: break
    }
  }

  /// Passes a command's failure to the bring-up or to the session that it belongs to.
  mutating func failed(
    _ job: Job, _ failure: UCIHostFailure, at uptime: Duration, _ actions: inout [Action]
  ) {
    switch job.owner {
    case .bringUp: bringUpFailed(job.command, failure, at: uptime, &actions)
    case .session(let sessionID): sessionFailed(sessionID, job.command, failure, &actions)
    case .nobody: break
    }
  }

  /// Handles a notification. Those that concern a session are dropped if the session is unknown.
  private mutating func received(
    _ notification: UCINotification, at uptime: Duration, _ actions: inout [Action]
  ) {
    switch notification {
    case .deviceStatus(let state): received(state, at: uptime, &actions)
    case .genericError(.commandRetry):
      resend(at: uptime, &actions)
      resendData(&actions)
    case .sessionStatus(let token, let state, let reason):
      received(state, reason, token, at: uptime, &actions)
    case .multicastList(let token, _, let statuses): received(statuses, token, &actions)
    case .dataCredit(let token, let isAvailable): received(isAvailable, token, &actions)
    case .dataTransferStatus(let token, let sequence, let status, _):
      received(status, sequence, token, &actions)
    case .dataTransferPhase(let token, _):
      if index(of: token) != nil { actions.append(.report(.other(.notification(notification)))) }
    case .sessionInfo: break
    case .genericError, .rangeDiagnostics, .unknown:
      actions.append(.report(.other(.notification(notification))))
    }
  }

  /// Handles SESSION_INFO_NTF. Measurements of unknown sessions are dropped.
  mutating func measured(_ raw: UCIRawMessage, _ actions: inout [Action]) {
    do throws(UCIError) {
      let info = try UCISessionInfo(parsing: raw.payload.span)
      guard let id = measuredSession(info.token) else { return }
      actions.append(.report(.measured(id, info)))
    } catch {
      actions.append(.report(.undecodable(error)))
    }
  }

  /// The session with this token. The last result is remembered, because notifications of one session often
  /// follow one another.
  private mutating func measuredSession(_ token: UCISessionToken) -> UInt32? {
    if let measuredLast, measuredLast.token == token { return measuredLast.id }
    guard let index = index(of: token) else { return nil }
    measuredLast = (token, sessions[index].id)
    return sessions[index].id
  }

  /// Removes a session. All removals go through here, because `measuredLast` would otherwise be outdated.
  mutating func removeSession(at index: Int) -> UCIHostSession {
    measuredLast = nil
    return sessions.remove(at: index)
  }

  func index(of token: UCISessionToken) -> Int? { sessions.firstIndex { $0.token == token } }
  func index(of sessionID: UInt32) -> Int? { sessions.firstIndex { $0.id == sessionID } }
}

extension UCIResponse {
  /// The parameters that the controller rejected, each with its status.
  var parameterStatuses: [UCIParameterStatus] {
    switch self {
    case .setAppConfiguration(_, let statuses), .setDeviceConfiguration(_, let statuses): statuses
    default: []
    }
  }

  /// Whether the response lists a result for each controlee, so that a status other than OK may be a
  /// partial success.
  var hasPartialSuccess: Bool {
    if case .updateMulticastList(_, let statuses) = self { return !statuses.isEmpty }
    return false
  }
}
