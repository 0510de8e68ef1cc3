import NearbyEstimation

/// One session of a device: its place in its life, and what belongs to the session in every phase.
///
/// Each phase carries what only that phase has. All but the first know what `run` was last called with, since
/// even the last event of a session that ended names its peer.
struct RangingSession: Sendable {
  enum Phase: Sendable {
    /// `run` was never called.
    case new
    /// Paused, or its peer was removed; the app may call `run` again.
    case idle(PeerConfiguration)
    /// `run` was called; the user has not answered yet.
    case awaitingPermission(PeerConfiguration)
    /// Allowed. The chip is not ready, or still closes the session's last ranging, or the accessory's service
    /// is being read.
    case awaitingRadio(PeerConfiguration)
    /// The chip sets the session up or ranges, or will set it up again after it failed.
    case ranging(Boxed<Ranging>)
    /// Ranges by Bluetooth Channel Sounding.
    case sounding(Boxed<SoundingSession>)
    /// The app is in the background, or was and has not called `run` since.
    case suspended(PeerConfiguration)
    /// Over. `run` has no effect any more.
    case invalidated(PeerConfiguration?)

    /// The earliest time at which the session has something to do; `nil` while nothing can happen by itself.
    ///
    /// Asked twice a round, so it reads the fields in the box: a method of `Ranging` gets a copy of a
    /// kilobyte.
    var wake: Duration? {
      guard case .ranging(let ranging) = self else { return nil }
      var wake = ranging.value.contact?.nextCheck
      if case .starting(let deadline) = ranging.value.stage { wake.lower(to: deadline) }
      if let accessory = ranging.value.accessory {
        wake.lower(to: accessory.value.startDeadline)
        wake.lower(to: accessory.value.roundsStart)
      }
      return wake
    }
  }

  let id: SessionID
  let identity: DiscoveryIdentity
  private(set) var phase = Phase.new
  /// The user of the camera that assists the session when it runs with camera assistance.
  var camera: CameraUser?
  /// Events that the app gets when it returns to the foreground. `nil` until the session was set up with an
  /// accessory: before that no event is deferred.
  var deferredEvents: [SessionEvent]?

  init(id: SessionID, identity: DiscoveryIdentity) {
    self.id = id
    self.identity = identity
  }

  /// What `run` was last called with.
  var configuration: PeerConfiguration? {
    switch phase {
    case .new: nil
    case .idle(let last), .awaitingPermission(let last), .awaitingRadio(let last), .suspended(let last): last
    case .ranging(let ranging): ranging.value.configuration
    case .sounding(let sounding): sounding.value.configuration
    case .invalidated(let last): last
    }
  }

  /// Whether `run` is in force.
  var isActive: Bool {
    switch phase {
    case .awaitingPermission, .awaitingRadio, .ranging, .sounding: true
    case .new, .idle, .suspended, .invalidated: false
    }
  }

  /// Whether the session counts towards the limit of sessions that run at once.
  var usesRadio: Bool {
    switch phase {
    case .awaitingRadio, .ranging: true
    case .new, .idle, .awaitingPermission, .sounding, .suspended, .invalidated: false
    }
  }

  /// Whether the chip has to set the session up as soon as it can, for the first time or again.
  var isAwaitingRadio: Bool {
    switch phase {
    case .awaitingRadio: true
    case .ranging(let ranging): ranging.value.stage == .lost
    case .new, .idle, .awaitingPermission, .sounding, .suspended, .invalidated: false
    }
  }

  var isSuspended: Bool {
    if case .suspended = phase { true } else { false }
  }

  var isInvalidated: Bool {
    if case .invalidated = phase { true } else { false }
  }

  // MARK: Transitions

  /// Starts over with a configuration. The session must not range.
  mutating func begin(_ configuration: PeerConfiguration) { phase = .idle(configuration) }

  mutating func awaitPermission(_ configuration: PeerConfiguration) {
    phase = .awaitingPermission(configuration)
  }

  /// Waits for the chip; ranging that the chip lost is kept.
  mutating func awaitRadio(_ configuration: PeerConfiguration) {
    if case .ranging = phase { return }
    phase = .awaitingRadio(configuration)
  }

  mutating func startRanging(_ ranging: Ranging) { phase = .ranging(Boxed(ranging)) }

  mutating func startSounding(_ sounding: SoundingSession) { phase = .sounding(Boxed(sounding)) }

  mutating func suspend() { if let configuration { phase = .suspended(configuration) } }

  mutating func invalidate() { phase = .invalidated(configuration) }

  mutating func becomeIdle() { if let configuration { phase = .idle(configuration) } }

  // MARK: Ranging

  /// Takes the ranging out and leaves the session idle; `nil` where it does not range.
  mutating func takeRanging() -> Ranging? {
    guard case .ranging(let ranging) = phase else { return nil }
    phase = .idle(ranging.value.configuration)
    return ranging.value
  }

  /// Changes the ranging in place; `nil` where the session does not range, or `body` returns `nil`.
  @discardableResult
  mutating func updateRanging<Result>(_ body: (inout Ranging) -> Result?) -> Result? {
    guard case .ranging(var ranging) = phase else { return nil }
    // While the phase refers to the box too, changing it would copy a kilobyte.
    phase = .new
    defer { phase = .ranging(ranging) }
    return body(&ranging.value)
  }

  // MARK: Channel Sounding

  /// Leaves the session idle.
  ///
  /// - Returns: Whether it ranged by Channel Sounding.
  mutating func endSounding() -> Bool {
    guard case .sounding(let sounding) = phase else { return false }
    phase = .idle(sounding.value.configuration)
    return true
  }

  /// Changes Channel Sounding in place; `nil` in another phase.
  @discardableResult
  mutating func updateSounding<Result>(_ body: (inout SoundingSession) -> Result) -> Result? {
    guard case .sounding(var sounding) = phase else { return nil }
    phase = .new
    defer { phase = .sounding(sounding) }
    return body(&sounding.value)
  }

  /// `nil` unless the session ranges and its peer was heard.
  var contact: Ranging.Contact? {
    guard case .ranging(let ranging) = phase else { return nil }
    return ranging.value.contact
  }

  /// When the chip has failed to start the session; `nil` unless it has been asked to start it.
  var startDeadline: Duration? {
    guard case .ranging(let ranging) = phase, case .starting(let deadline) = ranging.value.stage else {
      return nil
    }
    return deadline
  }

  var isRunning: Bool {
    guard case .ranging(let ranging) = phase else { return false }
    return ranging.value.stage == .running
  }

  var rangesWithAccessory: Bool {
    guard case .ranging(let ranging) = phase else { return false }
    return ranging.value.accessory != nil
  }

  /// Whether the chip has the session under this id.
  func isOnChip(_ chipID: UInt32) -> Bool {
    guard case .ranging(let ranging) = phase else { return false }
    return ranging.value.agreement.sessionID == chipID && ranging.value.stage != .lost
  }
}

extension [RangingSession] {
  /// The session that the chip has under this id; `nil` while the chip still has to set it up again.
  func index(onChip chipID: UInt32) -> Int? {
    // Not `firstIndex`, which copies each session to ask.
    for index in indices where self[index].isOnChip(chipID) { return index }
    return nil
  }
}

extension Duration? {
  /// Lowers a time at which something is due to an earlier one; `nil` is never due.
  mutating func lower(to other: Duration?) {
    guard let other else { return }
    self = map { min($0, other) } ?? other
  }
}
