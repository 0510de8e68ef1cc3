/// Drives one UWB controller: brings it up, opens and closes its sessions, sends data, and recovers from
/// its errors.
///
/// A controller is a separate program behind a link. It may answer late or not at all, reports events in
/// its own order, speaks one of several dialects, and sometimes restarts. The host turns this into events
/// that its owner can rely on. It is a pure state machine: requests, octets and the current time go in, and
/// actions come out. It owns no link, clock or lock.
///
/// **States.** `Phase` is the controller's state: stopped, being brought up (DEVICE_RESET, READY,
/// GET_DEVICE_INFO, GET_CAPS_INFO), or ready. After DEVICE_STATUS_NTF(ERROR) the host brings the controller
/// up again, at most three times in a row. Each session has a `UCIHostSession.Stage`: SESSION_INIT,
/// STATUS(INIT), configuration in parts, STATUS(IDLE), open, closing. Its `ranging` property holds what the
/// controller last reported about it.
///
/// **Inputs.** `start`, `openSession` and the other requests; `received` for octets from the link, in
/// chunks of any size; `timePassed` at or after the time of the last `wake`; `linkClosed`. All times are on
/// the owner's monotonic clock.
///
/// **Outputs.** `send`: octets for the link. `report`: an event for the owner. `wake`: the time at which
/// `timePassed` is due.
///
/// **Invariants.**
/// - At most one command is in flight. The others wait in `queue`, in the order of the requests.
/// - Sessions exist only while the controller is ready. A request to open a session results in one
///   `sessionOpened` or `sessionFailed`, or in `sessionClosed` if the session ends first. A request to
///   close one results in one `sessionClosed`. There are two exceptions: if the link closes, each session
///   reports `sessionFailed`, and if the controller is brought up again, one `recovering` replaces those of
///   all sessions.
/// - Every wait has a deadline, and the last requested wake is the earliest of them.
/// - Memory is bounded by what the owner requested, whatever the controller sends.
///
/// Names in this target are those of the FiRa UCI Generic Specification 2.0. Layouts and numbers follow the
/// public definitions: `uci_packets.pdl` in AOSP (platform/external/uwb) and in google/pica.
package struct UCIHost: Sendable {
  /// What the owner must do, in order.
  package enum Action: Equatable, Sendable {
    /// Write these octets to the link: one packet, or all packets of one command.
    case send([UInt8])
    /// Notify the owner.
    case report(Event)
    /// Call `timePassed(at:)` at or after this time. Replaces the wake requested before.
    case wake(at: Duration)
  }

  /// An event for the owner. Sessions are identified by the owner's session id, never by a handle.
  package enum Event: Equatable, Sendable {
    /// Bring-up is complete. Carries the device information and the capabilities as the controller sent
    /// them.
    case ready(UCIDeviceInfo, [UCITLV])
    /// Bring-up failed because a command was refused or timed out, or because the link closed or the
    /// controller kept failing. `start` may be called again.
    case bringUpFailed(UCIHostFailure)
    case deviceState(UCIDeviceState)
    /// The controller reported ERROR. All sessions are gone, and the host is bringing the controller up
    /// again.
    case recovering
    case sessionOpened(UInt32)
    /// Either the session failed to open and is gone, or a later request failed and the session remains.
    /// With `lost` the session is gone in both cases.
    case sessionFailed(UInt32, UCIHostFailure)
    case sessionState(UInt32, UCISessionState, UCIReason)
    case sessionClosed(UInt32)
    case measured(UInt32, UCISessionInfo)
    case controleesUpdated(UInt32, [UCIControleeStatus])
    case dataReceived(UInt32, source: UInt64, [UInt8])
    case dataSent(UInt32, sequence: UInt16, UCITransferStatus)
    /// Octets that could not be parsed as a message. They were dropped, and reading continues.
    case undecodable(UCIError)
    /// Any other message from the controller, including vendors' messages.
    case other(UCIMessage)
  }

  /// The controller's state.
  enum Phase: Sendable {
    /// Not started, given up, or the link has closed. `known` holds the capabilities of a controller whose
    /// link closed while it was ready.
    case stopped(known: UCICapabilities?)
    /// `recoveries` counts the ERRORs since the controller was last ready or started.
    case bringingUp(BringUpStep, recoveries: Int)
    case ready(UCICapabilities, maximumDataPayload: Int)
  }

  /// What the bring-up is waiting for.
  enum BringUpStep: Sendable {
    /// The response to DEVICE_RESET. READY may arrive before it.
    case resetting(hasSeenReady: Bool)
    /// READY, until the deadline. The bring-up then continues without it.
    case awaitingReady(by: Duration)
    case identifying
    case askingCapabilities(UCIDeviceInfo)
  }

  /// How long the host waits for a response or a STATUS. AOSP's host uses the same value (`uci_manager.rs`
  /// in `uwb_core`).
  package static let responseTime = Duration.seconds(2)
  /// How often a command is sent in total if the controller answers with COMMAND_RETRY. AOSP's host uses
  /// the same value.
  package static let maximumSends = 3
  /// How often the host repeats the bring-up after ERROR before it gives up. Our choice.
  package static let maximumRecoveries = 3
  /// The limit on messages that wait for credit in one session; `send` refuses more. Our choice.
  package static let maximumTransfers = 64

  // The fields used in every round come first, so that they share cache lines: an owner may have thousands
  // of hosts.
  /// The session that was measured last, so that the next round need not search `sessions`. Reset whenever
  /// a session is removed, because a chip may reuse its token.
  var measuredLast: (token: UCISessionToken, id: UInt32)?
  var sessions: [UCIHostSession] = []
  var reassembler = UCIReassembler()
  let fixedDialect: UCIDialect?
  /// The controller's dialect; 1.x until GET_DEVICE_INFO reports the version.
  package internal(set) var dialect: UCIDialect
  var phase = Phase.stopped(known: nil)
  var inFlight: InFlight?
  var queue: [Job] = []
  /// The last data packet, until a credit or a status confirms that it arrived.
  var lastData: LastData?
  /// The wake requested last; `nil` if no deadline is pending.
  var requestedWake: Duration?

  /// Creates a stopped host.
  ///
  /// - Parameter dialect: A fixed dialect, for chips that mix the variants. With `nil` the controller's
  ///   version decides.
  package init(dialect: UCIDialect? = nil) {
    fixedDialect = dialect
    self.dialect = dialect ?? .v1
  }

  package var isReady: Bool {
    if case .ready = phase { true } else { false }
  }

  /// The controller's capabilities while it is ready, and after its link closed while it was; otherwise
  /// `nil`.
  package var capabilities: UCICapabilities? {
    switch phase {
    case .ready(let capabilities, _): capabilities
    case .stopped(let known): known
    case .bringingUp: nil
    }
  }

  /// Brings the controller up: DEVICE_RESET, READY, GET_DEVICE_INFO, GET_CAPS_INFO. Any sessions are
  /// discarded without an event.
  package mutating func start(at uptime: Duration) -> [Action] {
    var actions: [Action] = []
    reassembler.reset()
    bringUp(recoveries: 0, at: uptime, &actions)
    return finish(actions)
  }

  /// Processes octets from the link, in chunks of any size.
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

  /// Processes octets from the link, in chunks of any size.
  package mutating func received(_ octets: [UInt8], at uptime: Duration) -> [Action] {
    received(octets.span, at: uptime)
  }

  /// Processes octets from the link, in chunks of any size.
  package mutating func received(_ octets: ArraySlice<UInt8>, at uptime: Duration) -> [Action] {
    received(octets.span, at: uptime)
  }

  /// Fails everything whose deadline has passed.
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

  /// Call this when the link has closed. All sessions are lost and nothing remains in flight; `start`
  /// begins again.
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

  /// Discards all sessions and everything queued or in flight.
  mutating func forget() {
    sessions = []
    measuredLast = nil
    queue = []
    inFlight = nil
    lastData = nil
  }

  /// Appends a wake if the earliest deadline has changed.
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

/// Why a bring-up or a session's request failed.
package enum UCIHostFailure: Error, Equatable, Sendable {
  /// No response or STATUS arrived within 2 s, or the controller answered the third attempt with
  /// COMMAND_RETRY.
  case timedOut(group: UInt8, opcode: UInt8)
  case refused(group: UInt8, opcode: UInt8, UCIStatus, [UCIParameterStatus])
  /// The link closed, the controller is not ready, or it kept reporting ERROR.
  case lost
}
