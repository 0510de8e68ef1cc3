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

  let fence: Int
  private(set) var phase: Phase

  static let (likely, unlikely) = (0.75, 0.25)

  init(fence: Int, at time: Double) {
    self.fence = fence
    phase = .entering(since: time)
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
}
