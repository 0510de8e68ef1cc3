/// A source file and its contents.
package struct SourceFile: Equatable, Sendable {
  /// Path as shown in the report.
  package var path: String
  package var octets: [UInt8]

  package init(path: String, octets: [UInt8]) {
    self.path = path
    self.octets = octets
  }
}

/// Files that are compiled together: a target of a package or project, or a folder.
package struct SourceModule: Equatable, Sendable {
  package var name: String
  package var isTest: Bool
  package var files: [SourceFile]

  package init(name: String, isTest: Bool = false, files: [SourceFile]) {
    self.name = name
    self.isTest = isTest
    self.files = files
  }
}
