import Dispatch
import Foundation
import NearbyConcurrency
import Synchronization

/// Turns the first SIGINT, SIGTERM or SIGHUP into a callback. A second signal exits at once.
package final class Interrupt: Sendable {
  private struct State {
    var isRaised = false
    var handler: (@Sendable () -> Void)?
  }
  private let state = Mutex(State())
  /// Keeps the sources alive. `UncheckedSendable`: nothing is called on a source after it was resumed.
  private let sources = Mutex<[UncheckedSendable<any DispatchSourceSignal>]>([])

  package init() {}

  package var isRaised: Bool { state.withLock { $0.isRaised } }
  /// Whether this instance receives the process's signals.
  package var isWatching: Bool { sources.withLock { !$0.isEmpty } }

  /// Replaces the signals' default action, which would end the process.
  package func watch() {
    let queue = DispatchQueue(label: "nearby.interrupt")
    for number in [SIGINT, SIGTERM, SIGHUP] {
      let before = signal(number, SIG_IGN)
      // Already ignored by the parent, `nohup` for instance, so that the process outlives its terminal.
      if number == SIGHUP, unsafeBitCast(before, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) {
        continue
      }
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler { [weak self] in self?.raise() }
      source.resume()
      let held = UncheckedSendable<any DispatchSourceSignal>(source)
      sources.withLock { $0.append(held) }
    }
  }

  /// Sets the handler for the interrupt, replacing any earlier one. Calls it at once if the interrupt has
  /// already come.
  package func handle(_ handler: @escaping @Sendable () -> Void) {
    let isLate = state.withLock { state in
      state.handler = handler
      return state.isRaised
    }
    if isLate { handler() }
  }

  /// Calls the handler; on the second call, exits the process.
  package func raise() {
    let (wasRaised, handler) = state.withLock { state in
      defer { state.isRaised = true }
      return (state.isRaised, state.handler)
    }
    if wasRaised {
      TerminalModes.restore()
      _exit(ExitCode.interrupted.rawValue)
    }
    handler?()
  }
}
