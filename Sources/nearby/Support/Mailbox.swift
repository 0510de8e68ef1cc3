import Dispatch
import Synchronization

/// Hands values of any thread to the one thread that waits for them, in order.
final class Mailbox<Letter: Sendable>: Sendable {
  private let letters = Mutex<[Letter]>([])
  private let count = DispatchSemaphore(value: 0)

  func post(_ letter: Letter) {
    letters.withLock { $0.append(letter) }
    count.signal()
  }

  /// Waits for the next one; `nil` when none came until then.
  func next(until end: ContinuousClock.Instant?) -> Letter? {
    if let end {
      let wait = max(0, (end - .now) / .nanoseconds(1))
      guard count.wait(timeout: .now() + .nanoseconds(Int(min(wait, 9e15)))) == .success else { return nil }
    } else {
      count.wait()
    }
    return letters.withLock { $0.isEmpty ? nil : $0.removeFirst() }
  }
}
