import Foundation
import Synchronization

/// What must be undone before the process leaves the terminal to the shell.
enum TerminalModes {
  private static let isAlternate = Mutex(false)
  static let enterSequence = "\u{1B}[?1049h\u{1B}[?25l"
  static let leaveSequence = "\u{1B}[?25h\u{1B}[?1049l"

  /// Switches to the alternate screen and hides the cursor.
  static func enterPicture() {
    isAlternate.withLock { isAlternate in
      guard !isAlternate else { return }
      isAlternate = true
      put(enterSequence)
    }
  }

  /// Undoes `enterPicture`; harmless at any other time.
  static func restore() {
    isAlternate.withLock { isAlternate in
      guard isAlternate else { return }
      isAlternate = false
      put(leaveSequence)
    }
  }

  private static func put(_ text: String) {
    let octets = Array(text.utf8)
    _ = octets.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
  }
}
