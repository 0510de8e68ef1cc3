/// What completion offers for the value of an option or argument.
package enum ValueKind: Equatable, Sendable {
  case word
  case file
  case folder
  case choice([String])
}

/// One option of a command, as used by the parser, the help and the completions.
package struct OptionSpec: Equatable, Sendable {
  /// Without the dashes.
  package let name: String
  /// Name of the value in the help; `nil` for a flag.
  package let placeholder: String?
  package let kind: ValueKind
  /// One line without a full stop.
  package let help: String
  /// Default value: shown in the help, and used when the option is absent.
  package let fallback: String?
  package let isRepeatable: Bool

  /// Available on every command.
  package static let help = flag("help", "Show this help")
  /// Available on the root only.
  package static let version = flag("version", "Print the version")

  package static func flag(_ name: String, _ help: String) -> OptionSpec {
    OptionSpec(name: name, placeholder: nil, kind: .word, help: help, fallback: nil, isRepeatable: false)
  }

  package static func value(
    _ name: String, _ placeholder: String, _ help: String, kind: ValueKind = .word,
    fallback: String? = nil, isRepeatable: Bool = false
  ) -> OptionSpec {
    OptionSpec(
      name: name, placeholder: placeholder, kind: kind, help: help, fallback: fallback,
      isRepeatable: isRepeatable)
  }
}

/// One positional argument of a command.
package struct PositionalSpec: Equatable, Sendable {
  package let name: String
  package let help: String
  package let kind: ValueKind
  /// Only the last argument may be optional.
  package let isOptional: Bool
  /// Only the last argument may be given several times.
  package let isRepeatable: Bool
  package init(
    _ name: String, _ help: String, kind: ValueKind, isOptional: Bool = false, isRepeatable: Bool = false
  ) {
    self.name = name
    self.help = help
    self.kind = kind
    self.isOptional = isOptional
    self.isRepeatable = isRepeatable
  }

  /// As in the usage line.
  package var label: String {
    let name = isRepeatable ? "\(name)…" : name
    return isOptional ? "[\(name)]" : name
  }
}

/// A command or a group of commands: the single table behind parsing, help and completion.
package struct CommandSpec: Sendable {
  /// Runs a command with the options and arguments of a call.
  package typealias Run = @Sendable (CommandArguments, CommandContext) throws -> Void

  package let name: String
  /// One line without a full stop.
  package let summary: String
  /// Paragraphs below the usage line, wrapped by hand.
  package let discussion: String
  package let positionals: [PositionalSpec]
  package let options: [OptionSpec]
  package let examples: [String]
  package let subcommands: [CommandSpec]
  /// `nil` for a group.
  package let run: Run?

  package init(
    name: String, summary: String, discussion: String = "", arguments: [any DeclaredArgument] = [],
    options: [any DeclaredOption] = [], examples: [String] = [], run: @escaping Run
  ) {
    self.name = name
    self.summary = summary
    self.discussion = discussion
    positionals = arguments.map(\.spec)
    self.options = options.map(\.spec)
    self.examples = examples
    subcommands = []
    self.run = run
  }

  /// Creates a group of commands.
  package init(group name: String, summary: String, subcommands: [CommandSpec]) {
    self.name = name
    self.summary = summary
    discussion = ""
    positionals = []
    options = []
    examples = []
    self.subcommands = subcommands
    run = nil
  }

  package func subcommand(_ name: String) -> CommandSpec? { subcommands.first { $0.name == name } }
  package func option(_ name: String) -> OptionSpec? { allOptions.first { $0.name == name } }

  /// The command's own options and `--help`, which every command has.
  package var allOptions: [OptionSpec] { options + [.help] }

  /// The argument that the word at a position belongs to.
  func positional(at index: Int) -> PositionalSpec? {
    if index < positionals.count { return positionals[index] }
    return positionals.last.flatMap { $0.isRepeatable ? $0 : nil }
  }

  /// Every command of the tree with the words that lead to it; the path to this one is empty.
  package var paths: [CommandPath] {
    func walk(_ words: [String], _ command: CommandSpec) -> [CommandPath] {
      [CommandPath(words: words, command: command)]
        + command.subcommands.flatMap { walk(words + [$0.name], $0) }
    }
    return walk([], self)
  }
}

/// A command of a tree, and the words that lead to it.
package struct CommandPath: Sendable, CustomStringConvertible {
  package let words: [String]
  package let command: CommandSpec

  package var description: String { words.joined(separator: " ") }
}
