import NearbyStateOctets

/// Whether a tag is inside one fence.
///
/// Entering needs a probability of 0.75, leaving one of 0.25, each for a while: the more uncertain a position,
/// the deeper inside or the farther outside it must be. So a tag on the border does not flicker.
struct FencePresence: Equatable, Sendable {
  enum Phase: Equatable, Sendable {
    /// Probably inside since a time, but not yet reported.
    case entering(since: Double)
    case inside(since: Double, hasDwelt: Bool)
    case leaving(since: Double, inside: Double, hasDwelt: Bool)
  }

  private(set) var fence: Int
  private(set) var phase: Phase

  static let (likely, unlikely) = (0.75, 0.25)

  init(fence: Int, at time: Double) {
    self.fence = fence
    phase = .entering(since: time)
  }

  /// - Parameter fences: How many the site has.
  mutating func code(_ coder: inout StateCoder, fences: Int) {
    coder.code(&fence, in: 0...max(0, fences - 1))
    coder.require(fences > 0)
    var (kind, since, inside, hasDwelt) = parts
    coder.code(&kind, in: 0...2)
    coder.code(finite: &since)
    coder.code(finite: &inside)
    coder.code(&hasDwelt)
    guard coder.isReading, !coder.isBroken else { return }
    switch kind {
    case 0: phase = .entering(since: since)
    case 1: phase = .inside(since: since, hasDwelt: hasDwelt)
    case _: phase = .leaving(since: since, inside: inside, hasDwelt: hasDwelt)
    }
  }

  private var parts: (kind: Int, since: Double, inside: Double, hasDwelt: Bool) {
    switch phase {
    case .entering(let since): (0, since, 0, false)
    case .inside(let since, let hasDwelt): (1, since, 0, hasDwelt)
    case .leaving(let since, let inside, let hasDwelt): (2, since, inside, hasDwelt)
    }
  }

  /// Whether the entry was reported and the exit was not.
  var isInside: Bool {
    if case .entering = phase { return false }
    return true
  }

  /// When the entry was reported.
  var entered: Double? {
    switch phase {
    case .entering: nil
    case .inside(let since, _): since
    case .leaving(_, let inside, _): inside
    }
  }

  enum Change: Equatable, Sendable {
    case none, entered, dwelt(seconds: Double)
    case left(seconds: Double)
    /// It never was inside.
    case dropped
  }

  /// Advances to a time with the probability that the tag is inside.
  mutating func update(_ probability: Double, _ rule: SitePlan.Fence, at time: Double) -> Change {
    switch phase {
    case .entering(let since):
      guard probability >= Self.likely else { return .dropped }
      guard time - since >= rule.enterDelay else { return .none }
      phase = .inside(since: time, hasDwelt: false)
      return .entered
    case .inside(let since, let hasDwelt):
      if probability <= Self.unlikely {
        phase = .leaving(since: time, inside: since, hasDwelt: hasDwelt)
        return rule.exitDelay > 0 ? .none : .left(seconds: time - since)
      }
      guard let dwell = rule.dwell, !hasDwelt, time - since >= dwell else { return .none }
      phase = .inside(since: since, hasDwelt: true)
      return .dwelt(seconds: time - since)
    case .leaving(let since, let inside, let hasDwelt):
      guard probability <= Self.unlikely else {
        phase = .inside(since: inside, hasDwelt: hasDwelt)
        return .none
      }
      return time - since >= rule.exitDelay ? .left(seconds: time - inside) : .none
    }
  }
}

/// The room that a tag is in: another room must be clearly more probable, for a while.
struct RoomChoice: Equatable, Sendable {
  private(set) var room: Int?
  private var candidate: Int?
  private var since = 0.0
  private var isDecided = false

  /// By how much another room must be more probable, and for how many seconds.
  private static let (margin, patience) = (0.35, 1.0)

  /// Whether the present room changed.
  mutating func update(_ best: (room: Int?, probability: Double), own: Double, at time: Double) -> Bool {
    guard isDecided else {
      isDecided = true
      room = best.room
      return true
    }
    guard best.room != room, best.probability > own + Self.margin else {
      candidate = room
      return false
    }
    if candidate != best.room {
      candidate = best.room
      since = time
    }
    guard time - since >= Self.patience else { return false }
    room = best.room
    return true
  }

  mutating func reset() { self = RoomChoice() }

  /// - Parameter rooms: How many the site has.
  mutating func code(_ coder: inout StateCoder, rooms: Int) {
    coder.code(&room, new: 0) { $0.code(&$1, in: 0...max(0, rooms - 1)) }
    coder.code(&candidate, new: 0) { $0.code(&$1, in: 0...max(0, rooms - 1)) }
    coder.require(rooms > 0 || (room == nil && candidate == nil))
    coder.code(finite: &since)
    coder.code(&isDecided)
  }
}
