/// Writes manual pages (man(7)) from the same table as `--help`.
package struct ManualPage: Sendable {
  /// `nearby-radio-range.1`
  package let file: String
  package let text: String

  /// All pages of a program: one for each command, one for each topic.
  package static func pages(root: CommandSpec, topics: [HelpTopic], version: String) -> [ManualPage] {
    root.paths.map { page(for: $0.words, root: root, topics: topics, version: version) }
      + topics.map { page(for: $0, root: root, version: version) }
  }

  private static func page(
    for path: [String], root: CommandSpec, topics: [HelpTopic], version: String
  ) -> ManualPage {
    let command = path.reduce(root) { $0.subcommand($1) ?? $0 }
    let name = ([root.name] + path).joined(separator: "-")
    var text = head(name, section: 1, summary: command.summary, root: root, version: version)
    text +=
      ".SH SYNOPSIS\n.B \(escaped(HelpText.usage(of: command, named: ([root.name] + path).joined(separator: " "))))\n"
    if !command.discussion.isEmpty {
      text += ".SH DESCRIPTION\n.nf\n\(escaped(command.discussion))\n.fi\n"
    }
    for section in HelpText.lists(of: command, isRoot: path.isEmpty, topics: topics) {
      text += list(section.title, section.rows)
    }
    if !command.examples.isEmpty {
      text += ".SH EXAMPLES\n.nf\n\(command.examples.map(escaped).joined(separator: "\n"))\n.fi\n"
    }
    let below = command.subcommands.map { ".BR \(escaped(name))\\-\(escaped($0.name)) (1)" }
    let above =
      path.isEmpty ? [] : [".BR \(escaped(([root.name] + path.dropLast()).joined(separator: "-"))) (1)"]
    let other = path.isEmpty ? topics.map { ".BR \(escaped(root.name + "-" + $0.name)) (7)" } : []
    text += seeAlso(above + below + other)
    return ManualPage(file: name + ".1", text: text)
  }

  private static func page(for topic: HelpTopic, root: CommandSpec, version: String) -> ManualPage {
    let name = root.name + "-" + topic.name
    var text = head(name, section: 7, summary: topic.summary, root: root, version: version)
    for section in topic.sections {
      text += list(section.title, section.rows.map { ($0.name, $0.help) })
    }
    return ManualPage(file: name + ".7", text: text + seeAlso([".BR \(escaped(root.name)) (1)"]))
  }

  private static func head(
    _ name: String, section: Int, summary: String, root: CommandSpec, version: String
  ) -> String {
    ".TH \"\(escaped(name.uppercased()))\" \(section) \"\" \"\(root.name) \(version)\" \"swift-nearby\"\n"
      + ".SH NAME\n\(escaped(name)) \\- \(escaped(summary))\n"
  }

  private static func list(_ title: String, _ rows: [(String, String)]) -> String {
    guard !rows.isEmpty else { return "" }
    return ".SH \(escaped(title.uppercased()))\n"
      + rows.map { ".TP\n.B \(escaped($0.0))\n\(escaped($0.1))\n" }.joined()
  }

  private static func seeAlso(_ pages: [String]) -> String {
    pages.isEmpty ? "" : ".SH SEE ALSO\n" + pages.joined(separator: ",\n") + "\n"
  }

  /// Text as roff prints it unchanged: no line is taken for a request, and a hyphen stays one that can be copied.
  private static func escaped(_ text: String) -> String {
    text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
      .split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.hasPrefix(".") || $0.hasPrefix("'") ? "\\&" + $0 : String($0) }
      .joined(separator: "\n")
  }
}
