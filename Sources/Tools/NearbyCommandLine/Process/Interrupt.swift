import Dispatch
import Foundation
import NearbyConcurrency
import Synchronization

/// Turns SIGINT, SIGTERM and SIGHUP into a call, once; a second one ends the process at once.
package final class Interrupt: Sendable {
  private struct State {
    var isRaised = false
    var handler: (@Sendable () -> Void)?
  }
  private let state = Mutex(State())
  /// Only kept alive: nothing is called on a source after it was resumed.
  private let sources = Mutex<[UncheckedSendable<any DispatchSourceSignal>]>([])

  package init() {}

  package var isRaised: Bool { state.withLock { $0.isRaised } }
  /// Whether this is the process's own: signals come to it.
  package var isWatching: Bool { sources.withLock { !$0.isEmpty } }

  /// Takes the signals over from their default, which would end the process.
  package func watch() {
    let queue = DispatchQueue(label: "nearby.interrupt")
    for number in [SIGINT, SIGTERM, SIGHUP] {
      let before = signal(number, SIG_IGN)
      // Whoever started it, nohup for instance, wants it to outlive its terminal.
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

  /// What to do at the interrupt, instead of what was to be done before; at once if it has come already.
  package func handle(_ handler: @escaping @Sendable () -> Void) {
    let isLate = state.withLock { state in
      state.handler = handler
      return state.isRaised
    }
    if isLate { handler() }
  }

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
