import Synchronization

/// A yes-or-no question for a device's user, answered at most once.
package final class PersonQuestion: Sendable {
  /// A sentence for a terminal, including the question mark.
  package let text: String
  private let handler: Mutex<(@Sendable (Bool) -> Void)?>

  /// - Parameter answer: Called with the first answer, on the thread that answers; never after `withdraw`.
  package init(_ text: String, answer: @escaping @Sendable (Bool) -> Void) {
    self.text = text
    handler = Mutex(answer)
  }

  package var isOpen: Bool { handler.withLock { $0 != nil } }

  package func answer(_ isYes: Bool) { handler.withLock { $0.take() }?(isYes) }

  /// Withdraws the question; a later answer has no effect.
  package func withdraw() { handler.withLock { $0 = nil } }
}
