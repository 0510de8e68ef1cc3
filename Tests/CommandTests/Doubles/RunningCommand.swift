import Dispatch
import Foundation
import NearbyCommandLine
import Synchronization
import Testing

@testable import nearby

/// Text that a test can wait for.
final class AwaitedText: TextOutput {
  private let text = Mutex("")
  private let changes = DispatchSemaphore(value: 0)

  func writeUnchecked(_ addition: String) {
    text.withLock { $0 += addition }
    changes.signal()
  }

  var all: String { text.withLock { $0 } }

  /// Blocks until the text has a match; `nil` if nothing is written for 60 s.
  func first<Output>(_ pattern: some RegexComponent<Output>) -> Output? {
    while true {
      if let match = all.firstMatch(of: pattern) { return match.output }
      guard changes.wait(timeout: .now() + 60) == .success else { return nil }
    }
  }

  /// Blocks until the text has so many matches; fewer if nothing is written for 60 s.
  func first<Output>(_ count: Int, _ pattern: some RegexComponent<Output>) -> [Output] {
    while true {
      let matches = all.matches(of: pattern).prefix(count).map(\.output)
      if matches.count == count || changes.wait(timeout: .now() + 60) == .timedOut { return matches }
    }
  }
}

/// One call of the command on a thread of its own.
final class RunningCommand: Sendable {
  let output = AwaitedText()
  let errors = AwaitedText()
  let interrupt = Interrupt()
  private let code = Mutex<ExitCode?>(nil)
  private let done = DispatchSemaphore(value: 0)

  init(_ words: [String], environment: [String: String] = [:]) {
    let context = CommandContext(
      output: output, errors: errors, interrupt: interrupt, environment: environment, terminal: { nil },
      isOutputClosed: { false }, flush: {})
    Thread.detachNewThread { [self] in
      let result = NearbyCommand.run(words, in: context)
      code.withLock { $0 = result }
      done.signal()
    }
  }

  /// Ends a responder whose initiator has ended. It succeeds, unless the initiator's chip stopped the session
  /// first.
  func endAfterInitiator() {
    interrupt.raise()
    let code = end()
    guard code != .success else { return }
    #expect(code == .unavailable)
    #expect(errors.all.hasSuffix("the chip ended the session: SESSION_STOPPED_DUE_TO_INBAND_SIGNAL\n"))
  }

  /// Blocks until the command ends; `nil` after a minute.
  func end() -> ExitCode? {
    guard done.wait(timeout: .now() + 60) == .success else { return nil }
    return code.withLock { $0 }
  }
}

/// A chip command that listens, and its radio's address.
func chips(_ options: [String] = []) throws -> (running: RunningCommand, radio: String) {
  let running = RunningCommand(["chip", "--listen", "127.0.0.1:0"] + options)
  let port = try #require(running.errors.first(/listening on 127\.0\.0\.1:(\d+)\n/)?.1)
  return (running, "tcp:127.0.0.1:\(port)")
}
