/// Generates a command's help from its table.
package enum HelpText {
  /// The complete help of the command at `path`.
  package static func text(for path: [String], in root: CommandSpec) -> String {
    let command = path.reduce(root) { $0.subcommand($1) ?? $0 }
    let name = ([root.name] + path).joined(separator: " ")
    var sections = ["\(command.summary)."]
    sections.append("usage: \(usage(of: command, named: name))")
    if !command.discussion.isEmpty { sections.append(command.discussion) }
    sections += lists(of: command, isRoot: path.isEmpty)
    if !command.examples.isEmpty {
      sections.append("examples:\n" + command.examples.map { "  " + $0 }.joined(separator: "\n"))
    }
    if !command.subcommands.isEmpty {
      sections.append("'\(name) <command> --help' says more about one command.")
    }
    return sections.joined(separator: "\n\n") + "\n"
  }

  private static func usage(of command: CommandSpec, named name: String) -> String {
    if !command.subcommands.isEmpty { return "\(name) <command> …" }
    let options = command.options.isEmpty ? [] : ["[options]"]
    return ([name] + command.positionals.map { $0.isOptional ? "[\($0.name)]" : $0.name } + options).joined(
      separator: " ")
  }

  /// Maximum width of the first column. A longer name shifts only its own line.
  private static let widestName = 30

  private static func lists(of command: CommandSpec, isRoot: Bool) -> [String] {
    var sections: [String] = []
    func add(_ title: String, _ rows: [(String, String)]) {
      guard !rows.isEmpty else { return }
      let width = min(rows.map(\.0.count).max() ?? 0, widestName)
      let lines = rows.map { name, help in
        let pad = String(repeating: " ", count: max(0, width - name.count))
        return "  \(name)\(pad)  \(help)"
      }
      sections.append("\(title):\n" + lines.joined(separator: "\n"))
    }
    add("arguments", command.positionals.map { ($0.name, $0.help) })
    add("commands", command.subcommands.map { ($0.name, $0.summary) })
    let version: [OptionSpec] = isRoot ? [.version] : []
    add(
      "options",
      (command.options + version + [.help]).map { option in
        let value = option.placeholder.map { " \($0)" } ?? ""
        let fallback = option.fallback.map { " (default: \($0))" } ?? ""
        return ("--\(option.name)\(value)", option.help + fallback)
      })
    return sections
  }
}
