/// A device's chip, as far as its sessions need to know.
enum ChipState: Sendable {
  /// The device has no chip.
  case absent
  /// Brought up, for the first time or again.
  case starting
  /// `departing` are sessions that are over for their apps and not yet closed on the chip.
  case ready(departing: [UInt32: DepartingSession])
  /// Bring-up failed, or the link is gone. The next session that runs tries again.
  case failed

  var isAbsent: Bool {
    if case .absent = self { true } else { false }
  }

  var isReady: Bool {
    if case .ready = self { true } else { false }
  }

  /// Empty unless the chip is ready: a chip that starts over has no sessions.
  var departing: [UInt32: DepartingSession] {
    if case .ready(let departing) = self { departing } else { [:] }
  }

  /// Sets or removes a departing session; without effect unless the chip is ready.
  mutating func setDeparting(_ chipID: UInt32, _ session: DepartingSession?) {
    guard case .ready(var departing) = self else { return }
    // Two references would make the dictionary be copied.
    self = .ready(departing: [:])
    departing[chipID] = session
    self = .ready(departing: departing)
  }
}

/// A session that is over for its app and not yet closed on the chip.
enum DepartingSession: Hashable, Sendable {
  /// The chip sends a goodbye to the peer. The session is closed when the chip reports that message as sent,
  /// or at the deadline.
  case sayingGoodbye(sequence: UInt16, deadline: Duration)
  /// The chip was asked to close the session.
  case closing

  var deadline: Duration? {
    if case .sayingGoodbye(_, let deadline) = self { deadline } else { nil }
  }
}

/// Where the app is.
enum AppState: Hashable, Sendable {
  case foreground
  /// Suspended sessions are invalidated at the deadline.
  case background(deadline: Duration)
  /// In the background beyond the deadline.
  case backgroundExpired

  var backgroundDeadline: Duration? {
    if case .background(let deadline) = self { deadline } else { nil }
  }
}

/// What is known of the user's permission to range.
enum Consent: Hashable, Sendable {
  case known(Permission)
  /// The question was put and is not answered.
  case asking

  var permission: Permission {
    switch self {
    case .known(let permission): permission
    case .asking: .notDetermined
    }
  }
}

/// The device as an accessory itself.
struct OwnAccessory: Sendable {
  private(set) var machine: AccessoryMachine
  /// The machine's actions are being performed. What the chip's host answers comes back to the machine, and
  /// what that causes is performed by the same loop, in order.
  private var isServing = false

  init(_ machine: AccessoryMachine) { self.machine = machine }

  /// - Returns: Whether the caller has to perform the machine's actions.
  mutating func update(_ body: (inout AccessoryMachine) -> Void) -> Bool {
    body(&machine)
    defer { isServing = true }
    return !isServing
  }

  /// The actions to be performed next; none once all are, which ends the caller's duty.
  mutating func nextActions() -> [AccessoryMachine.Action] {
    let actions = machine.takeActions()
    isServing = !actions.isEmpty
    return actions
  }
}
