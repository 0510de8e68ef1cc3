import Dispatch
import Foundation
import NearbyConcurrency
import Synchronization

/// Terminal state that must be undone before the process returns the terminal to the shell.
package enum TerminalModes {
  private static let isAlternate = Mutex(false)
  package static let enterSequence = "\u{1B}[?1049h\u{1B}[?25l"
  package static let leaveSequence = "\u{1B}[?25h\u{1B}[?1049l"

  /// Registered once, because a library may exit the process, for instance if another program holds its
  /// device.
  private static let restoreAtExit: Void = { atexit { TerminalModes.restore() } }()

  /// Switches to the alternate screen and hides the cursor.
  package static func enterPicture() {
    isAlternate.withLock { isAlternate in
      guard !isAlternate else { return }
      isAlternate = true
      restoreAtExit
      put(enterSequence)
      watchSuspension()
    }
  }

  /// Undoes `enterPicture`; otherwise has no effect.
  package static func restore() {
    isAlternate.withLock { isAlternate in
      guard isAlternate else { return }
      isAlternate = false
      put(leaveSequence)
      // Not while hooks are set: that would stop their signal source from receiving the signal.
      if hooks.withLock({ $0 == nil }) {
        signal(SIGTSTP, SIG_DFL)
        isDefault.withLock { $0 = true }
      }
    }
  }

  // MARK: Ctrl-Z

  /// Callbacks before the process stops and after it resumes.
  package struct SuspensionHooks: Sendable {
    let before: @Sendable () -> Void
    let after: @Sendable () -> Void

    package init(before: @escaping @Sendable () -> Void, after: @escaping @Sendable () -> Void) {
      self.before = before
      self.after = after
    }
  }

  /// Keeps the source alive. `UncheckedSendable`: nothing is called on it after it was resumed.
  private static let suspension = Mutex<UncheckedSendable<any DispatchSourceSignal>?>(nil)
  private static let hooks = Mutex<SuspensionHooks?>(nil)
  /// Whether the signal has its default action, which stops the process.
  private static let isDefault = Mutex(false)

  /// Calls `hooks` around each stop of the process, whether or not a picture is shown.
  package static func watchSuspension(_ hooks: SuspensionHooks) {
    Self.hooks.withLock { $0 = hooks }
    watchSuspension()
  }

  /// Intercepts SIGTSTP, so that the terminal is restored before the shell gets it.
  private static func watchSuspension() {
    suspension.withLock { held in
      let wasDefault = isDefault.withLock { isDefault in
        defer { isDefault = false }
        return isDefault
      }
      if held == nil || wasDefault { signal(SIGTSTP, SIG_IGN) }
      guard held == nil else { return }
      let source = DispatchSource.makeSignalSource(signal: SIGTSTP, queue: .global())
      source.setEventHandler { suspend() }
      source.resume()
      held = UncheckedSendable(source)
    }
  }

  /// Restores the terminal, stops the process, and sets the terminal up again when it resumes.
  private static func suspend() {
    let isPicture = isAlternate.withLock { $0 }
    let hooks = hooks.withLock { $0 }
    guard isPicture || hooks != nil else { return }
    hooks?.before()
    restore()
    // Stop this thread, which resumes here after SIGCONT; a signal to the process could reach another thread.
    _ = raise(SIGSTOP)
    if isPicture { enterPicture() }
    hooks?.after()
  }

  private static func put(_ text: String) {
    let octets = Array(text.utf8)
    _ = octets.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
  }
}
