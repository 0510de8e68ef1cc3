/// A reason why a file does not build on Linux.
package struct BuildObstacle: Equatable, Sendable {
  package enum Kind: String, Equatable, Sendable, CaseIterable {
    /// An attribute or expression that needs the Objective-C runtime.
    case objectiveC = "objective-c"
    /// Code that draws on a screen.
    case view
    /// An import of a module that does not exist here.
    case module
    /// A name that no module here declares.
    case symbol
    /// A name declared in a module that exists here but that the file does not import.
    case missingImport = "missing-import"
    /// A name declared in a branch of `#if` that is inactive on Linux.
    case inactive
    /// A macro, directive or attribute that does not compile here.
    case syntax
    /// A name declared only in files that do not build.
    case dependency
    /// A file that is not text, or too large.
    case unreadable
    /// An error that only the compiler found.
    case compiler
  }

  package var kind: Kind
  /// The name, attribute or module as written in the file.
  package var symbol: String
  /// Its first occurrence.
  package var place: SourcePlace
  package var count: Int
  /// What is wrong, without the symbol.
  package var reason: String
  package var advice: String
  /// Identifies all obstacles that the same change removes.
  package var group: String
  /// For a dependency, the file that would have to build.
  package var provider: String?
}

/// The result of the check for one file.
package struct FileVerdict: Equatable, Sendable {
  package enum State: String, Equatable, Sendable {
    case builds
    /// A view, which can only be left out.
    case view
    /// Has obstacles of its own.
    case blocked
    /// Would build if the files that declare what it needs did.
    case waits
  }

  package var path: String
  package var state: State
  package var obstacles: [BuildObstacle]
  package var lineCount: Int
  /// Whether the file has `@main` or is named main.swift.
  package var isEntryPoint: Bool
  package var imports: [String]
  /// Code that iOS compiles and Linux does not, in file order.
  package var switchedOff: [SwitchedOff] = []
  /// Delegate methods that are called on Apple's systems and not here, in file order.
  package var uncalled: [UncalledMethod] = []
}
