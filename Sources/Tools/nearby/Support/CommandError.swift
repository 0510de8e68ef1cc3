import NearbyRadioLinks

/// How the command ended, after BSD's `sysexits.h`.
enum ExitCode: Int32, Equatable, Sendable {
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

/// What ends a command early: one sentence for the reader and the code for the shell.
struct CommandError: Error, Equatable, Sendable {
  var code: ExitCode
  var message: String

  static func badData(_ message: String) -> CommandError { CommandError(code: .badData, message: message) }
  static func noInput(_ message: String) -> CommandError { CommandError(code: .noInput, message: message) }
  static func unavailable(_ message: String) -> CommandError {
    CommandError(code: .unavailable, message: message)
  }
  static func inputOutput(_ message: String) -> CommandError {
    CommandError(code: .inputOutput, message: message)
  }
  static let interrupted = CommandError(code: .interrupted, message: "interrupted")
}

extension CommandError {
  /// A server's addresses, and why it does not listen there; an error that names the address itself stands alone.
  static func cannotListen(on addresses: String, _ error: LinkError) -> CommandError {
    switch error {
    case .inUse, .notLocal: .unavailable("can't listen: \(error)")
    default: .unavailable("can't listen on \(addresses): \(error)")
    }
  }
}
