/// Generates a command's help from its table.
package enum HelpText {
  package static func text(
    for path: [String], in root: CommandSpec, topics: [HelpTopic] = []
  ) -> String {
    let command = path.reduce(root) { $0.subcommand($1) ?? $0 }
    let name = ([root.name] + path).joined(separator: " ")
    var sections = ["\(command.summary)."]
    sections.append("usage: \(usage(of: command, named: name))")
    if !command.discussion.isEmpty { sections.append(command.discussion) }
    sections += lists(of: command, isRoot: path.isEmpty, topics: topics).map(Self.table)
    if !command.examples.isEmpty {
      sections.append("examples:\n" + command.examples.map { "  " + $0 }.joined(separator: "\n"))
    }
    if !command.subcommands.isEmpty {
      sections.append("Run '\(name) <command> --help' for the options of a command.")
    }
    return sections.joined(separator: "\n\n") + "\n"
  }

  /// The text of a topic.
  package static func text(for topic: HelpTopic) -> String {
    let tables = topic.sections.map { table(($0.title, $0.rows.map { ($0.name, $0.help) })) }
    return (["\(topic.summary)."] + tables).joined(separator: "\n\n") + "\n"
  }

  static func usage(of command: CommandSpec, named name: String) -> String {
    if !command.subcommands.isEmpty { return "\(name) <command> …" }
    let options = command.options.isEmpty ? [] : ["[options]"]
    return ([name] + command.positionals.map(\.label) + options).joined(
      separator: " ")
  }

  /// The column at which the explanations begin at most; a longer name moves only its own line.
  private static let widestName = 30

  private static func table(_ section: (title: String, rows: [(String, String)])) -> String {
    let width = min(section.rows.map(\.0.count).max() ?? 0, widestName)
    let lines = section.rows.map { name, help in
      let pad = String(repeating: " ", count: max(0, width - name.count))
      return "  \(name)\(pad)  \(help)"
    }
    return "\(section.title):\n" + lines.joined(separator: "\n")
  }

  /// The tables of a command's help, without empty ones.
  static func lists(
    of command: CommandSpec, isRoot: Bool, topics: [HelpTopic]
  ) -> [(title: String, rows: [(String, String)])] {
    let version: [OptionSpec] = isRoot ? [.version] : []
    return [
      ("arguments", command.positionals.map { ($0.name, $0.help) }),
      ("commands", command.subcommands.map { ($0.name, $0.summary) }),
      ("topics", isRoot ? topics.map { ("help " + $0.name, $0.summary) } : []),
      ("options", (command.options + version + [.help]).map { ("--" + label(of: $0), explanation(of: $0)) }),
    ].filter { !$0.rows.isEmpty }
  }

  private static func label(of option: OptionSpec) -> String {
    option.name + (option.placeholder.map { " \($0)" } ?? "")
  }

  /// The option's help, with the values that it accepts unless the placeholder or the help names them.
  private static func explanation(of option: OptionSpec) -> String {
    var text = option.help
    if case .choice(let choices) = option.kind {
      let isNamed = choices.allSatisfy { text.contains($0) || option.placeholder?.contains($0) == true }
      if !isNamed { text += ": " + OptionReader<String>.list(choices) }
    }
    return text + (option.fallback.map { " (default: \($0))" } ?? "")
  }
}
