/// The results for a module's files.
package struct ModuleVerdict: Equatable, Sendable {
  package var name: String
  package var isTest: Bool
  package var files: [FileVerdict]

  package func count(_ state: FileVerdict.State) -> Int { files.count { $0.state == state } }
}

/// A suggested change, and its effect.
package struct Fix: Equatable, Sendable {
  /// The change as a sentence without a full stop.
  package var title: String
  /// Number of additional files that build after the change.
  package var freedCount: Int
  /// Where to start.
  package var path: String
  package var place: SourcePlace
}

/// The result of a check.
package struct CheckReport: Equatable, Sendable {
  package var modules: [ModuleVerdict]
  /// Sorted by effect, the largest first.
  package var fixes: [Fix]

  package var files: [FileVerdict] { modules.flatMap(\.files) }

  package func count(_ state: FileVerdict.State) -> Int { files.count { $0.state == state } }
}
