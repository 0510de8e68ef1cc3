/// One command in flight, matched to its response by GID and OID.
extension UCIHost {
  /// What the answer to a command concerns.
  enum Owner: Equatable, Sendable {
    case bringUp
    case session(UInt32)
    /// Nothing: the command takes down a session that was given up.
    case nobody
  }

  /// A command and its owner.
  struct Job: Sendable {
    var command: UCICommand
    var owner: Owner
  }

  /// The command that waits for its response.
  struct InFlight: Sendable {
    /// What the response brings.
    enum Expected: Sendable {
      case answer
      /// A new session's token. A STATUS with it may come first and is kept, since nothing else tells whose it is.
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

  /// Sends the next command if none is in flight.
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

  /// Sends the command in flight once more, or gives it up after the third time.
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

  /// Takes a whole message of any kind but SESSION_INFO_NTF.
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

  /// Reads a message; multicast lists in either form, for chips mix them.
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

  /// A response that does not fit its id still refuses its command when its first octet says so.
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

  private mutating func received(
    _ response: UCIResponse, _ id: UCIMessageID, at uptime: Duration, _ actions: inout [Action]
  ) {
    guard let current = inFlight, current.id == id else {
      // Late, or never asked for.
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

  /// Tells the owner of a command that it failed.
  mutating func failed(
    _ job: Job, _ failure: UCIHostFailure, at uptime: Duration, _ actions: inout [Action]
  ) {
    switch job.owner {
    case .bringUp: bringUpFailed(job.command, failure, at: uptime, &actions)
    case .session(let sessionID): sessionFailed(sessionID, job.command, failure, &actions)
    case .nobody: break
    }
  }

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

  /// Takes SESSION_INFO_NTF; those of unknown sessions are dropped.
  mutating func measured(_ raw: UCIRawMessage, _ actions: inout [Action]) {
    do throws(UCIError) {
      let info = try UCISessionInfo(parsing: raw.payload.span)
      guard let id = measuredSession(info.token) else { return }
      actions.append(.report(.measured(id, info)))
    } catch {
      actions.append(.report(.undecodable(error)))
    }
  }

  private mutating func measuredSession(_ token: UCISessionToken) -> UInt32? {
    if let measuredLast, measuredLast.token == token { return measuredLast.id }
    guard let index = index(of: token) else { return nil }
    measuredLast = (token, sessions[index].id)
    return sessions[index].id
  }

  mutating func removeSession(at index: Int) -> UCIHostSession {
    measuredLast = nil
    return sessions.remove(at: index)
  }

  func index(of token: UCISessionToken) -> Int? { sessions.firstIndex { $0.token == token } }
  func index(of sessionID: UInt32) -> Int? { sessions.firstIndex { $0.id == sessionID } }
}

extension UCIResponse {
  /// The parameters that a controller refused.
  var parameterStatuses: [UCIParameterStatus] {
    switch self {
    case .setAppConfiguration(_, let statuses), .setDeviceConfiguration(_, let statuses): statuses
    default: []
    }
  }

  /// Whether a status that is not OK comes with what became of each controlee.
  var hasPartialSuccess: Bool {
    if case .updateMulticastList(_, let statuses) = self { return !statuses.isEmpty }
    return false
  }
}
