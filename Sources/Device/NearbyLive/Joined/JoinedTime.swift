import NearbyWorldProtocol

/// A world's time, as a device knows it from the frames that come, and what has passed since.
package struct JoinedTime: Sendable {
  /// Longest time between two frames that is believed; then the world is taken to have stopped.
  static let longestGap = Duration.seconds(2)
  private var base = Duration.zero
  private var offset = Duration.zero
  private var instant: ContinuousClock.Instant
  private var latest = Duration.zero
  private var rate = WorldRate.real

  package init(at instant: ContinuousClock.Instant) { self.instant = instant }

  /// The device's time: the world's, shifted where another world took over. It never goes backwards, and ends at
  /// `WorldTime.latest` however many worlds claim to be late.
  package mutating func now(at instant: ContinuousClock.Instant) -> Duration {
    let passed = rate.worldTime(in: min(instant - self.instant, Self.longestGap))
    latest = max(latest, WorldTime.bounded(base + offset + passed))
    return latest
  }

  /// A frame came that was made at `time` of the world.
  package mutating func heard(_ time: Duration, at instant: ContinuousClock.Instant) {
    base = WorldTime.bounded(time)
    self.instant = instant
    _ = now(at: instant)
  }

  /// A world was joined whose time is `time`; the device's goes on from where it is.
  package mutating func joined(_ time: Duration, _ rate: WorldRate, at instant: ContinuousClock.Instant) {
    let now = now(at: instant)
    offset = now - WorldTime.bounded(time)
    self.rate = rate
    heard(time, at: instant)
  }

  package mutating func set(_ rate: WorldRate) { self.rate = rate }

  package func wait(until time: Duration) -> Duration? { rate.realTime(for: time - latest) }
}
