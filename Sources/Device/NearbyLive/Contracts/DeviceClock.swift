/// The clock of a live device. It never goes backwards.
package protocol DeviceClock: AnyObject, Sendable {
  /// Time since the device was made.
  func now() -> Duration
  /// Real time until the clock reaches `time`; `nil` while the clock is paused.
  func wait(until time: Duration) -> Duration?
}

/// Real time.
final class SteadyClock: DeviceClock {
  private let start = ContinuousClock.now
  func now() -> Duration { ContinuousClock.now - start }
  func wait(until time: Duration) -> Duration? { max(.zero, time - now()) }
}
