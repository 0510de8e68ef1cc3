import NearbyWorldProtocol

/// The time of a world that can be paused, slowed down and sped up.
///
/// Real time at a rate. A gap in which the process was stopped or the machine slept counts as one second. The
/// world's time ends at `WorldTime.latest`.
struct RatedClock: Sendable {
  /// A longer gap of real time than this counts as this.
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

  /// Goes on by a piece of the world's time at once.
  mutating func skip(_ duration: Duration) {
    elapsed = WorldTime.bounded(elapsed + WorldTime.bounded(duration))
  }

  /// Real time until the world's time is `time`; `nil` while it stands still.
  func wait(until time: Duration) -> Duration? {
    rate.realTime(for: time - elapsed)
  }
}
