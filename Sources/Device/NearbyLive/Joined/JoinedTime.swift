import NearbyWorldProtocol

/// A world's time, extrapolated from the last frame received.
package struct JoinedTime: Sendable {
  /// Longest extrapolation after a frame; beyond it the world counts as stopped.
  static let longestGap = Duration.seconds(2)
  private var base = Duration.zero
  private var offset = Duration.zero
  private var instant: ContinuousClock.Instant
  private var latest = Duration.zero
  private var rate = WorldRate.real

  package init(at instant: ContinuousClock.Instant) { self.instant = instant }

  /// The device's time: the world's, shifted after each change of worlds. It never goes backwards, and is at most
  /// `WorldTime.latest` whatever worlds claim.
  package mutating func now(at instant: ContinuousClock.Instant) -> Duration {
    let passed = rate.worldTime(in: min(instant - self.instant, Self.longestGap))
    latest = max(latest, WorldTime.bounded(base + offset + passed))
    return latest
  }

  /// Receives a frame that the world made at `time`.
  package mutating func heard(_ time: Duration, at instant: ContinuousClock.Instant) {
    base = WorldTime.bounded(time)
    self.instant = instant
    _ = now(at: instant)
  }

  /// Joins a world whose time is `time`; the device's time continues.
  package mutating func joined(_ time: Duration, _ rate: WorldRate, at instant: ContinuousClock.Instant) {
    let now = now(at: instant)
    offset = now - WorldTime.bounded(time)
    self.rate = rate
    heard(time, at: instant)
  }

  package mutating func set(_ rate: WorldRate) { self.rate = rate }

  package func wait(until time: Duration) -> Duration? { rate.realTime(for: time - latest) }
}
