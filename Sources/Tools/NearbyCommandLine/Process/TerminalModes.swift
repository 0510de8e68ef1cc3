import Dispatch
import Foundation
import NearbyConcurrency
import Synchronization

/// What must be undone before the process leaves the terminal to the shell.
package enum TerminalModes {
  private static let isAlternate = Mutex(false)
  package static let enterSequence = "\u{1B}[?1049h\u{1B}[?25l"
  package static let leaveSequence = "\u{1B}[?25h\u{1B}[?1049l"

  /// Made once: a library may end the process, for instance when its device is another program's.
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

  /// Undoes `enterPicture`; harmless at any other time.
  package static func restore() {
    isAlternate.withLock { isAlternate in
      guard isAlternate else { return }
      isAlternate = false
      put(leaveSequence)
      // Not while somebody else watches: it would take the signal from the source.
      if hooks.withLock({ $0 == nil }) {
        signal(SIGTSTP, SIG_DFL)
        isDefault.withLock { $0 = true }
      }
    }
  }

  // MARK: Ctrl-Z

  /// What a command does before the process stops, and when it goes on.
  package struct SuspensionHooks: Sendable {
    let before: @Sendable () -> Void
    let after: @Sendable () -> Void

    package init(before: @escaping @Sendable () -> Void, after: @escaping @Sendable () -> Void) {
      self.before = before
      self.after = after
    }
  }

  /// Only kept alive: nothing is called on the source after it was resumed.
  private static let suspension = Mutex<UncheckedSendable<any DispatchSourceSignal>?>(nil)
  private static let hooks = Mutex<SuspensionHooks?>(nil)
  /// Whether the signal stops the process without anybody's doing.
  private static let isDefault = Mutex(false)

  /// Calls back around each stop of the process, with a picture and without.
  package static func watchSuspension(_ hooks: SuspensionHooks) {
    Self.hooks.withLock { $0 = hooks }
    watchSuspension()
  }

  /// Takes over SIGTSTP while the picture is up, so that the shell gets the terminal as it was.
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

  private static func suspend() {
    let isPicture = isAlternate.withLock { $0 }
    let hooks = hooks.withLock { $0 }
    guard isPicture || hooks != nil else { return }
    hooks?.before()
    restore()
    // To this thread, which stops here and goes on after SIGCONT; sent to the process, another one might take it.
    _ = raise(SIGSTOP)
    if isPicture { enterPicture() }
    hooks?.after()
  }

  private static func put(_ text: String) {
    let octets = Array(text.utf8)
    _ = octets.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
  }
}
