import Synchronization

/// A question for a device's user, answered at most once: by yes or no, or by a line of text.
package final class PersonQuestion: Sendable {
  private enum Handler: Sendable {
    case choice(@Sendable (Bool) -> Void)
    case line(@Sendable (String?) -> Void)
  }

  /// A sentence for a terminal; a question by yes or no includes the question mark.
  package let text: String
  /// What a terminal shows behind the text.
  let hint: String
  private let handler: Mutex<Handler?>

  /// - Parameter answer: Called with the first answer, on the thread that answers; never after `withdraw`.
  package init(_ text: String, answer: @escaping @Sendable (Bool) -> Void) {
    self.text = text
    hint = " [y]es, [n]o? "
    handler = Mutex(.choice(answer))
  }

  /// - Parameter answer: Called with the text that was typed, or with `nil` if there is no terminal, on the thread that
  ///   answers; never after `withdraw`.
  package init(forLine text: String, answer: @escaping @Sendable (String?) -> Void) {
    self.text = text
    hint = ": "
    handler = Mutex(.line(answer))
  }

  package var isOpen: Bool { handler.withLock { $0 != nil } }

  /// Answers without text; a question for a line is then left without an answer.
  package func answer(_ isYes: Bool) {
    switch handler.withLock({ $0.take() }) {
    case .choice(let handler): handler(isYes)
    case .line(let handler): handler(nil)
    case nil: break
    }
  }

  /// Answers with what was typed.
  ///
  /// - Returns: Whether that is an answer.
  func answer(line: String) -> Bool {
    let text = line.trimmingWhitespace()
    let isChoice = handler.withLock { if case .choice = $0 { true } else { false } }
    if isChoice {
      guard let isYes = TerminalQuestions.answer(text) else { return false }
      answer(isYes)
    } else if case .line(let handler)? = handler.withLock({ $0.take() }) {
      handler(text)
    }
    return true
  }

  /// Withdraws the question; a later answer has no effect.
  package func withdraw() { handler.withLock { $0 = nil } }
}

extension String {
  fileprivate func trimmingWhitespace() -> String {
    let rest = drop(while: \.isWhitespace)
    return String(rest.reversed().drop(while: \.isWhitespace).reversed())
  }
}
