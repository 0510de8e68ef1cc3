import Foundation

/// How a loop waits: asleep, but where answers come one upon the other it looks again and again for a moment first.
///
/// To wake a thread whose core has gone idle costs several times what a message does. Each moment in which nothing
/// came is followed by ever more waits without one, so that what comes now and then, and an idle loop, cost nothing.
package struct LoopPace {
  /// An answer that comes within this time of the question comes soon, nanoseconds.
  package static let soon: UInt64 = 120_000
  /// So long it looks, nanoseconds.
  package static let moment: UInt64 = 50_000
  private static let mostSkipped = 63

  private var isQuick = false
  /// Waits without a look that a look in vain costs, and how many of them are left.
  private var price = 0
  private var skipped = 0

  package init() {}

  /// - Parameters:
  ///   - milliseconds: The longest time; negative for any.
  ///   - now: The time, nanoseconds.
  ///   - look: Waits for so many milliseconds, and says how much came.
  package mutating func wait(
    upTo milliseconds: Int32, now: () -> UInt64 = { LoopWatch.now }, _ look: (Int32) -> Int32
  ) -> Int32 {
    guard milliseconds != 0 else { return look(0) }
    let start = now()
    if isQuick {
      isQuick = false
      repeat {
        let count = look(0)
        if count != 0 {
          price = 0
          isQuick = count > 0
          return count
        }
        // Whoever else has something to do comes first.
        sched_yield()
      } while now() < start + Self.moment
      price = min(2 * price + 1, Self.mostSkipped)
      skipped = price
    }
    let count = look(milliseconds)
    if skipped > 0 {
      skipped -= 1
    } else {
      isQuick = count > 0 && now() < start + Self.soon
    }
    return count
  }
}
