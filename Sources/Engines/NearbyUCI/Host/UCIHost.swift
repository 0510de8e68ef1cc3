/// Drives one controller: bring-up, sessions, data, recovery.
///
/// A pure machine: octets, requests and the time go in, actions come out. Source: FiRa UCI Generic
/// Specification 2.0. Whatever a controller says, memory stays bounded by what the owner asked for.
package struct UCIHost: Sendable {
  /// What the shell must do, in order.
  package enum Action: Equatable, Sendable {
    /// Write these octets (one whole packet, or the packets of one command) to the link.
    case send([UInt8])
    /// Tell the owner.
    case report(Event)
    /// Call `timePassed(at:)` at this time, or later; replaces any wake asked for before.
    case wake(at: Duration)
  }

  /// What the owner hears. Sessions are named by the owner's session id, never by a handle.
  package enum Event: Equatable, Sendable {
    /// Reset, information and capabilities are done.
    case ready(UCIDeviceInfo, [UCITLV])
    /// Bring-up ended without an answer or with a refusal; `start` may be called again.
    case bringUpFailed(UCIHostFailure)
    case deviceState(UCIDeviceState)
    /// The controller said ERROR: every session is gone, bring-up begins again by itself.
    case recovering
    case sessionOpened(UInt32)
    /// While a session opens: it is gone. Later: what was asked for last did not happen, the session stays.
    case sessionFailed(UInt32, UCIHostFailure)
    case sessionState(UInt32, UCISessionState, UCIReason)
    case sessionClosed(UInt32)
    case measured(UInt32, UCISessionInfo)
    case controleesUpdated(UInt32, [UCIControleeStatus])
    case dataReceived(UInt32, source: UInt64, [UInt8])
    case dataSent(UInt32, sequence: UInt16, UCITransferStatus)
    /// Octets that no message fits; they were dropped, the stream goes on.
    case undecodable(UCIError)
    /// Anything else a controller said, vendors' messages among it.
    case other(UCIMessage)
  }

  /// How far the controller came.
  enum Phase: Equatable, Sendable {
    case stopped
    case resetting
    /// RESET is answered; READY is waited for until then, and not missed if it does not come.
    case awaitingReady(by: Duration)
    case identifying
    case askingCapabilities
    case ready
  }

  /// How long a response or a STATUS may take (section 7).
  package static let responseTime = Duration.seconds(2)
  /// How often a command is sent in all, when the controller asks for it again.
  package static let maximumSends = 3
  /// How often bring-up begins again after ERROR before the host gives up.
  package static let maximumRecoveries = 3
  /// Messages that may wait for credit in one session; more are refused.
  package static let maximumTransfers = 64

  // What every round needs comes first: an owner of thousands of hosts pays for memory.
  /// The session measured last, so that the next round need not look among `sessions` for it; `nil` once any
  /// session is gone, since a chip may give its token to another.
  var measuredLast: (token: UCISessionToken, id: UInt32)?
  var sessions: [UCIHostSession] = []
  var reassembler = UCIReassembler()
  let fixedDialect: UCIDialect?
  /// How the controller speaks; 1.x until its information says more.
  package internal(set) var dialect: UCIDialect
  package internal(set) var deviceInfo: UCIDeviceInfo?
  /// `nil` until bring-up is done.
  package internal(set) var capabilities: UCICapabilities?

  var phase = Phase.stopped
  /// ERRORs since the last time all was well.
  var recoveries = 0
  var sawReady = false
  var inFlight: InFlight?
  var queue: [Job] = []
  /// STATUS of tokens nobody knows yet, while a SESSION_INIT waits for the response that tells the token.
  var earlyStatuses: [EarlyStatus] = []
  /// The last data packet, until a credit or a status shows that it arrived.
  var lastData: LastData?
  var maximumDataPayload = UCISegmenter.defaultDataPayload
  var askedWake: Duration?

  /// - Parameter dialect: For chips that mix the forms; `nil` lets the controller's version decide.
  package init(dialect: UCIDialect? = nil) {
    fixedDialect = dialect
    self.dialect = dialect ?? .v1
  }

  package var isReady: Bool { phase == .ready }

  /// Begins, or begins again: DEVICE_RESET, READY, GET_DEVICE_INFO, GET_CAPS_INFO. Sessions are forgotten.
  package mutating func start(at uptime: Duration) -> [Action] {
    var actions: [Action] = []
    recoveries = 0
    reassembler.reset()
    bringUp(at: uptime, &actions)
    return finish(actions)
  }

  /// Takes octets of the link, in any chunks.
  package mutating func received(_ octets: Span<UInt8>, at uptime: Duration) -> [Action] {
    var actions: [Action] = []
    var needsWake = false
    for output in reassembler.received(octets) {
      switch output {
      case .dropped(let error): actions.append(.report(.undecodable(error)))
      case .message(let raw):
        if raw.type == .notification, raw.id == .sessionInfo {
          measured(raw, &actions)
        } else {
          received(raw, at: uptime, &actions)
          needsWake = true
        }
      }
    }
    return needsWake ? finish(actions) : actions
  }

  /// Takes octets of the link, in any chunks.
  package mutating func received(_ octets: [UInt8], at uptime: Duration) -> [Action] {
    received(octets.span, at: uptime)
  }

  /// Takes octets of the link, in any chunks.
  package mutating func received(_ octets: ArraySlice<UInt8>, at uptime: Duration) -> [Action] {
    received(octets.span, at: uptime)
  }

  /// Gives up what has waited too long.
  package mutating func timePassed(at uptime: Duration) -> [Action] {
    var actions: [Action] = []
    if let job = inFlight, job.deadline <= uptime {
      inFlight = nil
      failed(job.job, .timedOut(group: job.id.group, opcode: job.id.opcode), at: uptime, &actions)
    }
    if case .awaitingReady(let deadline) = phase, deadline <= uptime { identify() }
    for session in sessions {
      guard let deadline = session.deadline, deadline <= uptime else { continue }
      let id: UCIMessageID =
        if case .awaitingIdle = session.stage { .setAppConfiguration } else { .sessionInit }
      drop(session.id, .timedOut(group: id.group, opcode: id.opcode), &actions)
    }
    sendNext(at: uptime, &actions)
    return finish(actions)
  }

  /// The link is gone: nothing is in flight any more, every session is lost. `start` begins again.
  package mutating func linkClosed() -> [Action] {
    var actions: [Action] = []
    if phase != .stopped, phase != .ready { actions.append(.report(.bringUpFailed(.lost))) }
    for session in sessions.sorted(by: { $0.id < $1.id }) {
      actions.append(.report(.sessionFailed(session.id, .lost)))
    }
    forget()
    reassembler.reset()
    phase = .stopped
    askedWake = nil
    return actions
  }

  /// Forgets sessions and everything under way.
  mutating func forget() {
    sessions = []
    measuredLast = nil
    queue = []
    inFlight = nil
    earlyStatuses = []
    lastData = nil
  }

  /// Asks for the next wake where it is another one than before.
  mutating func finish(_ actions: [Action]) -> [Action] {
    var next = inFlight?.deadline
    if case .awaitingReady(let deadline) = phase { next = Swift.min(next ?? deadline, deadline) }
    for session in sessions {
      if let deadline = session.deadline { next = Swift.min(next ?? deadline, deadline) }
    }
    guard next != askedWake else { return actions }
    askedWake = next
    guard let next else { return actions }
    return actions + [.wake(at: next)]
  }
}

/// Why something the host tried did not come about.
package enum UCIHostFailure: Error, Equatable, Sendable {
  /// Nothing came within 2 s, or the third send was answered by COMMAND_RETRY.
  case timedOut(group: UInt8, opcode: UInt8)
  case refused(group: UInt8, opcode: UInt8, UCIStatus, [UCIParameterStatus])
  /// The link closed, or the controller reset under the request.
  case lost
}
