import Dispatch
import Synchronization

/// Passes values from any thread to the one thread that waits for them, in order.
package final class Mailbox<Letter: Sendable>: Sendable {
  private struct State {
    /// `nil` for a delivered letter. `hasWaited` is set for letters posted by `postInTurn`.
    var letters: [(letter: Letter, hasWaited: Bool)?] = []
    /// Number of delivered letters at the front.
    var taken = 0
  }

  /// Maximum number of letters from others that may wait: enough to keep the reader busy, with little memory.
  private static var turnLimit: Int { 64 }

  private let state = Mutex(State())
  private let count = DispatchSemaphore(value: 0)
  private let room = DispatchSemaphore(value: 0)

  package init() {
    // Count up from zero, because releasing a semaphore below its initial value is a fatal error.
    for _ in 0..<Self.turnLimit { room.signal() }
  }

  package func post(_ letter: Letter) {
    state.withLock { $0.letters.append((letter, false)) }
    count.signal()
  }

  /// Posts a letter from a source of unlimited rate. Blocks the caller while 64 such letters are waiting.
  package func postInTurn(_ letter: Letter) {
    room.wait()
    state.withLock { $0.letters.append((letter, true)) }
    count.signal()
  }

  /// Posts a letter ahead of all waiting ones.
  package func postFirst(_ letter: Letter) {
    state.withLock { state in
      if state.taken > 0 {
        state.taken -= 1
        state.letters[state.taken] = (letter, false)
      } else {
        state.letters.insert((letter, false), at: 0)
      }
    }
    count.signal()
  }

  /// Waits for the next letter; returns `nil` if none arrives before `end`.
  ///
  /// A letter that is already waiting is returned even after `end`, so a late reader still gets everything.
  package func next(until end: ContinuousClock.Instant?) -> Letter? {
    if let end {
      let wait = max(0, (end - .now) / .nanoseconds(1))
      guard count.wait(timeout: .now() + .nanoseconds(Int(min(wait, 9e15)))) == .success else { return nil }
    } else {
      count.wait()
    }
    let next = state.withLock { Self.popFirst(&$0) }
    if let next, next.hasWaited { room.signal() }
    return next?.letter
  }

  /// Waits for the next letter; returns `nil` after `end` even if letters are waiting, so a flood cannot
  /// delay it.
  package func next(before end: ContinuousClock.Instant?) -> Letter? {
    if let end, ContinuousClock.now >= end { return nil }
    return next(until: end)
  }

  /// Number of delivered letters from which the front of the array is removed, once it makes up half of the
  /// array. On average, each letter is moved once.
  private static var compactingCount: Int { 512 }
  /// Maximum number of letters whose memory is kept for reuse.
  private static var keptCapacity: Int { 1024 }

  private static func popFirst(_ state: inout State) -> (letter: Letter, hasWaited: Bool)? {
    guard state.taken < state.letters.count else { return nil }
    let letter = state.letters[state.taken]
    state.letters[state.taken] = nil
    state.taken += 1
    if state.taken == state.letters.count {
      state.letters.removeAll(keepingCapacity: state.taken <= keptCapacity)
      state.taken = 0
    } else if state.taken >= compactingCount, state.taken * 2 >= state.letters.count {
      state.letters.removeFirst(state.taken)
      state.taken = 0
    }
    return letter
  }
}
