/// Exit codes, after BSD's `sysexits.h`.
package enum ExitCode: Int32, Equatable, Sendable {
  case success = 0
  case usage = 64
  case badData = 65
  case noInput = 66
  case unavailable = 69
  case internalError = 70
  case inputOutput = 74
  /// Stopped by an interrupt before its work was done.
  case interrupted = 130
}

/// An error that ends a command: one sentence for the user and the exit code for the shell.
package struct CommandError: Error, Equatable, Sendable {
  package var code: ExitCode
  package var message: String

  package init(code: ExitCode, message: String) {
    self.code = code
    self.message = message
  }

  package static func badData(_ message: String) -> CommandError {
    CommandError(code: .badData, message: message)
  }
  package static func noInput(_ message: String) -> CommandError {
    CommandError(code: .noInput, message: message)
  }
  package static func unavailable(_ message: String) -> CommandError {
    CommandError(code: .unavailable, message: message)
  }
  package static func inputOutput(_ message: String) -> CommandError {
    CommandError(code: .inputOutput, message: message)
  }
  package static let interrupted = CommandError(code: .interrupted, message: "interrupted")
  /// Ends the command without a message, because the cause has already been printed.
  package static let reported = CommandError(code: .unavailable, message: "")
}
