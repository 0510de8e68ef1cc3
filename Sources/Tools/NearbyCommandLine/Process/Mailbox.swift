import Dispatch
import Synchronization

/// Hands values of any thread to the one thread that waits for them, in order.
package final class Mailbox<Letter: Sendable>: Sendable {
  private struct State {
    /// `nil` where a letter was handed over; the flag says whether it was let in by `postInTurn`.
    var letters: [(letter: Letter, hasWaited: Bool)?] = []
    /// Letters at the front that were handed over already.
    var taken = 0
  }

  /// Letters of strangers that may wait: enough that the reader is never idle, and little memory.
  private static var turnLimit: Int { 64 }

  private let state = Mutex(State())
  private let count = DispatchSemaphore(value: 0)
  private let room = DispatchSemaphore(value: 0)

  package init() {
    // Counted from zero, for a semaphore may not be released below the value it was made with.
    for _ in 0..<Self.turnLimit { room.signal() }
  }

  package func post(_ letter: Letter) {
    state.withLock { $0.letters.append((letter, false)) }
    count.signal()
  }

  /// Posts a letter of a stranger, who may send any number: blocks the caller while 64 of them wait already.
  package func postInTurn(_ letter: Letter) {
    room.wait()
    state.withLock { $0.letters.append((letter, true)) }
    count.signal()
  }

  /// Posts a letter before all that wait.
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

  /// Waits for the next one; `nil` when none came until then.
  ///
  /// A letter that waits already is returned even if `end` has passed: whoever is late still gets everything.
  package func next(until end: ContinuousClock.Instant?) -> Letter? {
    if let end {
      let wait = max(0, (end - .now) / .nanoseconds(1))
      guard count.wait(timeout: .now() + .nanoseconds(Int(min(wait, 9e15)))) == .success else { return nil }
    } else {
      count.wait()
    }
    let next = state.withLock { Self.take(&$0) }
    if let next, next.hasWaited { room.signal() }
    return next?.letter
  }

  /// Waits for the next one; `nil` at `end`, however many letters wait: a flood of them does not put it off.
  package func next(before end: ContinuousClock.Instant?) -> Letter? {
    if let end, ContinuousClock.now >= end { return nil }
    return next(until: end)
  }

  /// Letters handed over after which the front of the array is given back, where it is half of it: each letter is
  /// moved once on average.
  private static var compactingCount: Int { 512 }
  /// Letters whose memory is kept for the next ones.
  private static var keptCapacity: Int { 1024 }

  private static func take(_ state: inout State) -> (letter: Letter, hasWaited: Bool)? {
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
