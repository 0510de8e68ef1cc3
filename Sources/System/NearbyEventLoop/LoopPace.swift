import Foundation

/// Decides how a loop waits: usually asleep, but when replies arrive in quick succession it polls for a
/// moment first.
///
/// Waking a thread whose core has gone idle costs several times as much as handling a message. After each
/// moment of polling in vain, exponentially more waits go without polling, so that sporadic traffic and an
/// idle loop cost nothing.
package struct LoopPace {
  /// A reply within this time of the start of a wait counts as quick, in nanoseconds.
  package static let soon: UInt64 = 120_000
  /// How long to poll, in nanoseconds.
  package static let moment: UInt64 = 50_000
  private static let mostSkipped = 63
  /// Whether loops poll at all. In a world that steps its time, no time passes while a program computes, so that a
  /// moment of polling would never end.
  private static let polls = getenv("NEARBY_TIME") == nil

  private var isQuick = false
  /// How many waits go without polling after polling in vain, and how many of those are left.
  private var price = 0
  private var skipped = 0

  package init() {}

  /// Waits once.
  ///
  /// - Parameters:
  ///   - milliseconds: The longest wait; negative means no limit.
  ///   - now: The current time, in nanoseconds.
  ///   - poll: Waits for the given number of milliseconds and returns the number of events.
  package mutating func wait(
    upTo milliseconds: Int32, now: () -> UInt64 = { LoopWatch.now }, _ poll: (Int32) -> Int32
  ) -> Int32 {
    guard milliseconds != 0 else { return poll(0) }
    let start = now()
    if isQuick {
      isQuick = false
      repeat {
        let count = poll(0)
        if count != 0 {
          price = 0
          isQuick = count > 0
          return count
        }
        // Let other runnable threads go first.
        sched_yield()
      } while now() < start + Self.moment
      price = min(2 * price + 1, Self.mostSkipped)
      skipped = price
    }
    let count = poll(milliseconds)
    if skipped > 0 {
      skipped -= 1
    } else {
      isQuick = Self.polls && count > 0 && now() < start + Self.soon
    }
    return count
  }
}
