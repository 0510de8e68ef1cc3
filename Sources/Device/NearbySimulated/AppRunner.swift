import Dispatch
import NearbyDevice

/// One thing that a world does outside its lock: calls an app, or runs a block that was scheduled.
package struct WorldWork: Sendable {
  /// The device whose app is called, if any.
  package let device: Int?
  package let body: @Sendable () -> Void
}

/// The part of a world that its app runner uses. Only one thread calls it at a time.
package protocol WorldEngine: AnyObject, Sendable {
  /// The world's time.
  var now: Duration { get }
  /// The time of the next event; `nil` if nothing will happen.
  var nextEventTime: Duration? { get }
  /// Advances to the next event that leaves work, or to `end`.
  ///
  /// - Returns: Whether there is work.
  func step(until end: Duration) -> Bool
  /// The next piece of work of the last step.
  func takeWork() -> WorldWork?
  /// The device with an index in the world.
  func device(_ index: Int) -> NearbyDevice?
}

/// Runs the apps of a world, and what they wait for, in the world's time.
package protocol AppRunner: AnyObject, Sendable {
  /// Moves the world's time to `end`. Returns once everything that was due by then has run or waits.
  func advance(to end: Duration)
  /// Runs code as a device's app on the calling thread.
  func run<Result>(as device: Int, _ body: () throws -> Result) rethrows -> Result
  /// Runs an app's code on its queue: at once if the caller is the world, otherwise in its turn. `nil` means the main
  /// queue.
  func perform(as device: Int, on queue: DispatchQueue?, _ body: @escaping @Sendable () -> Void)
  /// How often the world continued without an app whose turn lasted too long.
  var stalls: Int { get }
  /// Ends the world's apps.
  func end()
}
