import NearbyWorldProtocol

/// The time of a world that can be paused, slowed down and sped up.
///
/// Real time at a rate, without what nobody was there for: after the process was stopped or the machine slept,
/// the world goes on where it was.
struct RatedClock: Sendable {
  /// A longer gap of real time than this counts as this.
  static let longestStep = Duration.seconds(1)
  private var latest = SuspendingClock.now
  private var elapsed: Duration
  private(set) var rate = WorldRate(1)

  init(startingAt time: Duration = .zero) { elapsed = time }

  mutating func now() -> Duration {
    let instant = SuspendingClock.now
    elapsed += min(max(instant - latest, .zero), Self.longestStep) * rate.secondsPerSecond
    latest = instant
    return elapsed
  }

  mutating func set(_ rate: WorldRate) {
    _ = now()
    self.rate = rate
  }

  /// Goes on by a piece of the world's time at once.
  mutating func skip(_ duration: Duration) { elapsed += max(.zero, duration) }

  /// Real time until the world's time is `time`; `nil` while it stands still.
  func wait(until time: Duration) -> Duration? {
    guard rate.secondsPerSecond > 0 else { return nil }
    return max(.zero, time - elapsed) / rate.secondsPerSecond
  }
}
