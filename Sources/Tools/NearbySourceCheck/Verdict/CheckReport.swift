/// The verdict on a module's files.
package struct ModuleVerdict: Equatable, Sendable {
  package var name: String
  package var isTest: Bool
  package var files: [FileVerdict]

  package func count(_ state: FileVerdict.State) -> Int { files.count { $0.state == state } }
}

/// A change, and how many files build once it is made.
package struct Fix: Equatable, Sendable {
  /// What to change, as a sentence without a full stop.
  package var title: String
  /// How many files more build.
  package var freedCount: Int
  /// Where to begin.
  package var path: String
  package var place: SourcePlace
}

/// What the check tells.
package struct CheckReport: Equatable, Sendable {
  package var modules: [ModuleVerdict]
  /// The change that frees most comes first.
  package var fixes: [Fix]

  package var files: [FileVerdict] { modules.flatMap(\.files) }

  package func count(_ state: FileVerdict.State) -> Int { files.count { $0.state == state } }
}
