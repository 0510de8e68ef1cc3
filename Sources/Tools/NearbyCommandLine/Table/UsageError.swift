/// A mistake in how the command was called.
package enum UsageError: Error, Equatable, Sendable {
  case unknownCommand(String, suggestion: String?)
  case missingCommand(group: String)
  case unknownOption(String, suggestion: String?)
  case missingValue(option: String, placeholder: String)
  case unexpectedValue(option: String, found: String)
  case repeatedOption(String)
  case missingArgument(String)
  case unexpectedArgument(String)
  case missingOption(String, placeholder: String)
  case invalidValue(option: String, found: String, expected: String)
  case conflict(String)

  /// One sentence, without the program's name in front.
  package var message: String {
    switch self {
    case .unknownCommand(let name, let suggestion):
      "unknown command '\(name)'\(Self.hint(suggestion))"
    case .missingCommand(let group): "'\(group)' needs a command"
    case .unknownOption(let name, let suggestion):
      "unknown option '--\(name)'\(Self.hint(suggestion.map { "--" + $0 }))"
    case .missingValue(let option, let placeholder): "option '--\(option)' needs a value: \(placeholder)"
    case .unexpectedValue(let option, let found):
      "option '--\(option)' takes no value, found '\(found)'"
    case .repeatedOption(let option): "option '--\(option)' may be given once"
    case .missingArgument(let name): "missing argument: \(name)"
    case .unexpectedArgument(let found): "unexpected argument '\(found)'"
    case .missingOption(let option, let placeholder): "missing option: --\(option) \(placeholder)"
    case .invalidValue(let option, let found, let expected):
      "\(option): found '\(found)', expected \(expected)"
    case .conflict(let text): text
    }
  }

  /// The error for a required option that is missing.
  package static func missing(_ option: OptionSpec) -> UsageError {
    .missingOption(option.name, placeholder: option.placeholder ?? "")
  }

  /// The error for a required option that is missing.
  package static func missing(_ option: some DeclaredOption) -> UsageError { missing(option.spec) }

  private static func hint(_ suggestion: String?) -> String {
    suggestion.map { "; did you mean '\($0)'?" } ?? ""
  }
}
