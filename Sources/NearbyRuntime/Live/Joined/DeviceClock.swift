import NearbyWorldProtocol

/// The time that a live device goes by. Never backwards.
package protocol DeviceClock: AnyObject, Sendable {
  /// Since the device was made.
  func now() -> Duration
  /// Real time until the clock says `time`; `nil` while it stands still.
  func wait(until time: Duration) -> Duration?
}

/// Real time.
final class SteadyClock: DeviceClock {
  private let start = ContinuousClock.now
  func now() -> Duration { ContinuousClock.now - start }
  func wait(until time: Duration) -> Duration? { max(.zero, time - now()) }
}

/// A world's time, as a device knows it from the frames that come, and what has passed since.
struct JoinedTime: Sendable {
  /// Longest time between two frames that is believed; then the world is taken to have stopped.
  static let longestGap = Duration.seconds(2)
  private var base = Duration.zero
  private var offset = Duration.zero
  private var instant: ContinuousClock.Instant
  private var latest = Duration.zero
  private var rate = WorldRate(1)

  init(at instant: ContinuousClock.Instant) { self.instant = instant }

  /// The device's time: the world's, shifted where another world took over, never backwards.
  mutating func now(at instant: ContinuousClock.Instant) -> Duration {
    let passed = min(max(.zero, instant - self.instant), Self.longestGap)
    latest = max(latest, base + offset + passed * rate.secondsPerSecond)
    return latest
  }

  /// A frame came that was made at `time` of the world.
  mutating func heard(_ time: Duration, at instant: ContinuousClock.Instant) {
    base = time
    self.instant = instant
    _ = now(at: instant)
  }

  /// A world was joined whose time is `time`; the device's goes on from where it is.
  mutating func joined(_ time: Duration, _ rate: WorldRate, at instant: ContinuousClock.Instant) {
    let now = now(at: instant)
    offset = now - time
    self.rate = rate
    heard(time, at: instant)
  }

  mutating func set(_ rate: WorldRate) { self.rate = rate }

  func wait(until time: Duration) -> Duration? {
    rate.secondsPerSecond > 0 ? max(.zero, time - latest) / rate.secondsPerSecond : nil
  }
}
