import NearbyWorldProtocol

/// The clock of a world that can be paused, slowed down and sped up.
///
/// It runs with real time, scaled by the rate. A gap in which the process was stopped or the machine slept
/// counts as at most one second. The clock stops at `WorldTime.latest`.
struct RatedClock: Sendable {
  /// Longest gap of real time that counts in full.
  static let longestStep = Duration.seconds(1)
  private var latest = SuspendingClock.now
  private var elapsed: Duration
  private(set) var rate = WorldRate.real

  init(startingAt time: Duration = .zero) { elapsed = WorldTime.bounded(time) }

  mutating func now() -> Duration {
    let instant = SuspendingClock.now
    elapsed = WorldTime.bounded(elapsed + rate.worldTime(in: min(instant - latest, Self.longestStep)))
    latest = instant
    return elapsed
  }

  mutating func set(_ rate: WorldRate) {
    _ = now()
    self.rate = rate
  }

  /// Jumps forward by a piece of world time.
  mutating func skip(_ duration: Duration) {
    elapsed = WorldTime.bounded(elapsed + WorldTime.bounded(duration))
  }

  /// Real time until the world's time reaches `time`; `nil` while the world is paused.
  func wait(until time: Duration) -> Duration? {
    rate.realTime(for: time - elapsed)
  }
}
