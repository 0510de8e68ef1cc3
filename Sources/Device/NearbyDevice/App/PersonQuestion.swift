import Synchronization

/// A question with yes and no for the person at a device, answered once at most.
package final class PersonQuestion: Sendable {
  /// A sentence for a terminal, its question mark included.
  package let text: String
  private let handler: Mutex<(@Sendable (Bool) -> Void)?>

  /// - Parameter answer: Called with the first answer, on the thread that gives it; never after `withdraw`.
  package init(_ text: String, answer: @escaping @Sendable (Bool) -> Void) {
    self.text = text
    handler = Mutex(answer)
  }

  package var isOpen: Bool { handler.withLock { $0 != nil } }

  package func answer(_ isYes: Bool) { handler.withLock { $0.take() }?(isYes) }

  /// Nobody waits for the answer any more.
  package func withdraw() { handler.withLock { $0 = nil } }
}
