/// One thing that keeps a file from building on Linux.
package struct BuildObstacle: Equatable, Sendable {
  package enum Kind: String, Equatable, Sendable, CaseIterable {
    /// An attribute or expression that needs the Objective-C runtime.
    case objectiveC = "objective-c"
    /// Draws on a screen.
    case view
    /// An import of what is not there.
    case module
    /// A name that nothing here declares.
    case symbol
    /// A name that a module here declares which the file does not import.
    case missingImport = "missing-import"
    /// Declared in a branch of `#if` that Linux does not see.
    case inactive
    /// A macro, directive or attribute that does not compile here.
    case syntax
    /// Declared in files that do not build.
    case dependency
    /// Not text, or too large.
    case unreadable
  }

  package var kind: Kind
  /// The name, attribute or module as it is written.
  package var symbol: String
  /// Where it first stands.
  package var place: SourcePlace
  package var count: Int
  /// What is in the way, without the symbol.
  package var reason: String
  package var advice: String
  /// One word for all obstacles that go away together.
  package var group: String
  /// The file that would have to build, for a dependency.
  package var provider: String?
}

/// What is known of a file after the check.
package struct FileVerdict: Equatable, Sendable {
  package enum State: String, Equatable, Sendable {
    case builds
    /// A view: nothing to do but to leave it out.
    case view
    /// Has obstacles of its own.
    case blocked
    /// Would build if the files did that declare what it needs.
    case waits
  }

  package var path: String
  package var state: State
  package var obstacles: [BuildObstacle]
  package var lineCount: Int
  /// `@main`, or the file's name is main.swift.
  package var isEntryPoint: Bool
  package var imports: [String]
}
