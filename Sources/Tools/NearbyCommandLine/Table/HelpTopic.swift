/// A subject that `help NAME` explains and that is not a command.
package struct HelpTopic: Sendable {
  /// One row of a topic's table.
  package struct Row: Sendable {
    package let name: String
    package let help: String

    package init(_ name: String, _ help: String) {
      self.name = name
      self.help = help
    }
  }

  package let name: String
  /// One line without a full stop.
  package let summary: String
  package let sections: [(title: String, rows: [Row])]

  package init(name: String, summary: String, sections: [(title: String, rows: [Row])]) {
    self.name = name
    self.summary = summary
    self.sections = sections
  }
}
