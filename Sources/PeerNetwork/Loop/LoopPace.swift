import Foundation

/// How a loop waits: asleep, but where answers come one upon the other it looks again and again for a moment first.
///
/// To wake a thread whose core has gone idle costs several times what a message does. A moment in which nothing came
/// ends the looking, until an answer comes soon again: an idle loop costs nothing.
struct LoopPace {
  /// An answer that comes within this time of the question comes soon, nanoseconds.
  private static let soon: UInt64 = 120_000
  /// So long it looks, nanoseconds.
  private static let moment: UInt64 = 50_000

  private var isQuick = false

  /// - Parameters:
  ///   - milliseconds: The longest time; negative for any.
  ///   - look: Waits for so many milliseconds, and says how much came.
  mutating func wait(upTo milliseconds: Int32, _ look: (Int32) -> Int32) -> Int32 {
    guard milliseconds != 0 else { return look(0) }
    let start = LoopWatch.now
    if isQuick {
      repeat {
        let count = look(0)
        if count != 0 { return count }
        // Whoever else has something to do comes first.
        sched_yield()
      } while LoopWatch.now < start + Self.moment
    }
    let count = look(milliseconds)
    isQuick = count > 0 && LoopWatch.now < start + Self.soon
    return count
  }
}
