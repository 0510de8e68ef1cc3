/// Drives one UWB controller: brings it up, opens and closes its sessions, sends data, and recovers from its errors.
///
/// A controller is a program of its own behind a link: it answers late or not at all, reports in an order of its own,
/// speaks one of several dialects and sometimes restarts. The host turns that into events that an owner can rely on.
/// It is a pure machine: requests, octets and the time go in, actions come out; it has no link, clock or lock.
///
/// **States.** `Phase` is the controller's: stopped, being brought up step by step (DEVICE_RESET, READY,
/// GET_DEVICE_INFO, GET_CAPS_INFO), ready. After DEVICE_STATUS_NTF(ERROR) the host brings the controller up again, three
/// times in a row at most. Each session has a `UCIHostSession.Stage`: SESSION_INIT, STATUS(INIT), the configuration in
/// parts, STATUS(IDLE), open, closing; and beside it what the controller last said of its ranging.
///
/// **Inputs.** `start`, `openSession` and the other requests; `received` for the link's octets in any chunks; `timePassed`
/// at the time of the last `wake`, or later; `linkClosed`.
///
/// **Outputs.** `send`: octets for the link. `report`: an event for the owner. `wake`: when `timePassed` is due.
///
/// **Invariants.**
/// - At most one command is in flight. The others wait in `queue`, in the order in which they were requested.
/// - Sessions exist only while the controller is ready. A request to open one ends with one `sessionOpened` or
///   `sessionFailed`, and one to close it with one `sessionClosed`, unless the link closes first (`sessionFailed`) or
///   the controller is brought up again (`recovering`, for all sessions at once).
/// - Each wait has a deadline, and the earliest one is the wake that was last requested.
/// - Memory is bounded by what the owner requested, whatever the controller sends.
///
/// Names in this target are those of the FiRa UCI Generic Specification 2.0. Forms and numbers are those of the
/// definitions that are public: `uci_packets.pdl` of AOSP (platform/external/uwb) and of google/pica.
package struct UCIHost: Sendable {
  /// What the shell must do, in order.
  package enum Action: Equatable, Sendable {
    /// Write these octets (one whole packet, or the packets of one command) to the link.
    case send([UInt8])
    /// Notify the owner.
    case report(Event)
    /// Call `timePassed(at:)` at this time, or later; replaces the wake requested before.
    case wake(at: Duration)
  }

  /// What the owner is notified of. Sessions are named by the owner's session id, never by a handle.
  package enum Event: Equatable, Sendable {
    /// Reset, information and capabilities are done.
    case ready(UCIDeviceInfo, [UCITLV])
    /// Bring-up ended without an answer or with a refusal; `start` may be called again.
    case bringUpFailed(UCIHostFailure)
    case deviceState(UCIDeviceState)
    /// The controller said ERROR: every session is gone, bring-up begins again by itself.
    case recovering
    case sessionOpened(UInt32)
    /// While a session opens: it is gone. Later: the last request failed, and the session stays.
    case sessionFailed(UInt32, UCIHostFailure)
    case sessionState(UInt32, UCISessionState, UCIReason)
    case sessionClosed(UInt32)
    case measured(UInt32, UCISessionInfo)
    case controleesUpdated(UInt32, [UCIControleeStatus])
    case dataReceived(UInt32, source: UInt64, [UInt8])
    case dataSent(UInt32, sequence: UInt16, UCITransferStatus)
    /// Octets that fit no message; they were dropped, and the stream continues.
    case undecodable(UCIError)
    /// Any other message of the controller, vendors' among them.
    case other(UCIMessage)
  }

  /// How far the controller is.
  enum Phase: Sendable {
    /// Nothing is in flight. `known`: what a controller could do whose link closed.
    case stopped(known: UCICapabilities?)
    /// `recoveries`: ERRORs since the controller was last ready or started.
    case bringingUp(BringUpStep, recoveries: Int)
    case ready(UCICapabilities, maximumDataPayload: Int)
  }

  /// What a bring-up waits for.
  enum BringUpStep: Sendable {
    /// The response to DEVICE_RESET. READY may come before it.
    case resetting(hasSeenReady: Bool)
    /// READY, until then; a controller that does not say it is asked all the same.
    case awaitingReady(by: Duration)
    case identifying
    case askingCapabilities(UCIDeviceInfo)
  }

  /// How long a response or a STATUS may take. As in AOSP's host (`uwb_core`,
  /// `uci_manager.rs`).
  package static let responseTime = Duration.seconds(2)
  /// How often a command is sent in all, when the controller asks for it again. As in AOSP's host.
  package static let maximumSends = 3
  /// How often bring-up begins again after ERROR before the host gives up. Ours.
  package static let maximumRecoveries = 3
  /// Messages that may wait for credit in one session; more are refused. Ours.
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
  var phase = Phase.stopped(known: nil)
  var inFlight: InFlight?
  var queue: [Job] = []
  /// The last data packet, until a credit or a status shows that it arrived.
  var lastData: LastData?
  /// The wake that was last requested and has not passed.
  var requestedWake: Duration?

  /// - Parameter dialect: For chips that mix the forms; `nil` lets the controller's version decide.
  package init(dialect: UCIDialect? = nil) {
    fixedDialect = dialect
    self.dialect = dialect ?? .v1
  }

  package var isReady: Bool {
    if case .ready = phase { true } else { false }
  }

  /// What the controller can do; `nil` while it is brought up.
  package var capabilities: UCICapabilities? {
    switch phase {
    case .ready(let capabilities, _): capabilities
    case .stopped(let known): known
    case .bringingUp: nil
    }
  }

  /// Begins, or begins again: DEVICE_RESET, READY, GET_DEVICE_INFO, GET_CAPS_INFO. Sessions are forgotten.
  package mutating func start(at uptime: Duration) -> [Action] {
    var actions: [Action] = []
    reassembler.reset()
    bringUp(recoveries: 0, at: uptime, &actions)
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
      failed(job.job, job.timeOut, at: uptime, &actions)
    }
    if case .bringingUp(.awaitingReady(let deadline), let recoveries) = phase, deadline <= uptime {
      identify(recoveries: recoveries)
    }
    for session in sessions {
      guard let deadline = session.deadline, deadline <= uptime else { continue }
      let id: UCIMessageID =
        if case .opening(_, .awaitingIdle, _) = session.stage { .setAppConfiguration } else { .sessionInit }
      drop(session.id, .timedOut(group: id.group, opcode: id.opcode), &actions)
    }
    sendNext(at: uptime, &actions)
    return finish(actions)
  }

  /// The link is gone: nothing is in flight any more, every session is lost. `start` begins again.
  package mutating func linkClosed() -> [Action] {
    var actions: [Action] = []
    if case .bringingUp = phase { actions.append(.report(.bringUpFailed(.lost))) }
    for session in sessions.sorted(by: { $0.id < $1.id }) {
      actions.append(.report(.sessionFailed(session.id, .lost)))
    }
    forget()
    reassembler.reset()
    phase = .stopped(known: capabilities)
    requestedWake = nil
    return actions
  }

  /// Forgets sessions and everything under way.
  mutating func forget() {
    sessions = []
    measuredLast = nil
    queue = []
    inFlight = nil
    lastData = nil
  }

  /// Asks for the next wake where it is another one than before.
  mutating func finish(_ actions: [Action]) -> [Action] {
    var next = inFlight?.deadline
    if case .bringingUp(.awaitingReady(let deadline), _) = phase {
      next = Swift.min(next ?? deadline, deadline)
    }
    for session in sessions {
      if let deadline = session.deadline { next = Swift.min(next ?? deadline, deadline) }
    }
    guard next != requestedWake else { return actions }
    requestedWake = next
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
