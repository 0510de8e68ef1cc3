/// What a completion offers after an option or in a positional's place.
enum ValueKind: Equatable, Sendable {
  case word
  case file
  case folder
  case choice([String])
}

/// One option of a command, as the parser, the help and the completions read it.
struct OptionSpec: Equatable, Sendable {
  /// Without the dashes.
  var name: String
  /// What the help calls the value; `nil` for a flag.
  var placeholder: String?
  var kind: ValueKind
  /// One line without a full stop.
  var help: String
  /// Shown in the help, and used by the command when the option is absent.
  var fallback: String?
  var isRepeatable: Bool

  static func flag(_ name: String, _ help: String) -> OptionSpec {
    OptionSpec(name: name, placeholder: nil, kind: .word, help: help, fallback: nil, isRepeatable: false)
  }

  static func value(
    _ name: String, _ placeholder: String, _ help: String, kind: ValueKind = .word,
    fallback: String? = nil, isRepeatable: Bool = false
  ) -> OptionSpec {
    OptionSpec(
      name: name, placeholder: placeholder, kind: kind, help: help, fallback: fallback,
      isRepeatable: isRepeatable)
  }
}

/// One argument that a command takes by place.
struct PositionalSpec: Equatable, Sendable {
  var name: String
  var help: String
  var kind: ValueKind
  /// Only the last may be.
  var isOptional: Bool
  init(_ name: String, _ help: String, kind: ValueKind, isOptional: Bool = false) {
    self.name = name
    self.help = help
    self.kind = kind
    self.isOptional = isOptional
  }
}

/// A command or a group of commands: the one table that parsing, help and completion read.
struct CommandSpec: Sendable {
  var name: String
  /// One line without a full stop.
  var summary: String
  /// Paragraphs under the usage line, wrapped by hand.
  var discussion: String = ""
  var positionals: [PositionalSpec] = []
  var options: [OptionSpec] = []
  var examples: [String] = []
  var subcommands: [CommandSpec] = []

  func subcommand(_ name: String) -> CommandSpec? { subcommands.first { $0.name == name } }
  func option(_ name: String) -> OptionSpec? { allOptions.first { $0.name == name } }

  /// The command's own options and `--help`, which every command has.
  var allOptions: [OptionSpec] { options + [.flag("help", "Show this help")] }
}
