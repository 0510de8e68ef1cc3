import Dispatch
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
      watchSuspension()
    }
  }

  /// Undoes `enterPicture`; harmless at any other time.
  static func restore() {
    isAlternate.withLock { isAlternate in
      guard isAlternate else { return }
      isAlternate = false
      put(leaveSequence)
      signal(SIGTSTP, SIG_DFL)
    }
  }

  // MARK: Ctrl-Z

  private static let suspension = Mutex<HeldSource?>(nil)

  /// Takes over SIGTSTP while the picture is up, so that the shell gets the terminal as it was.
  private static func watchSuspension() {
    signal(SIGTSTP, SIG_IGN)
    suspension.withLock { held in
      guard held == nil else { return }
      let source = DispatchSource.makeSignalSource(signal: SIGTSTP, queue: .global())
      source.setEventHandler { suspend() }
      source.resume()
      held = HeldSource(source: source)
    }
  }

  private static func suspend() {
    guard isAlternate.withLock({ $0 }) else { return }
    restore()
    // To this thread, which stops here and goes on after SIGCONT; sent to the process, another one might take it.
    _ = raise(SIGSTOP)
    enterPicture()
  }

  private static func put(_ text: String) {
    let octets = Array(text.utf8)
    _ = octets.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
  }
}
