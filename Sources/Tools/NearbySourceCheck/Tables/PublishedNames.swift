/// What a module's own sources declare in public; the tables of this package's modules are made of it.
package struct PublishedNames: Equatable, Sendable {
  /// In alphabetical order, as the others.
  package var free: [String]
  package var members: [String]
  /// Modules that an import of this one brings along.
  package var exports: [String]

  package init(of files: [SourceFile], modules: Set<String>) {
    let conditions = BuildConditions(modules: modules)
    var free: Set<String> = []
    var members: Set<String> = []
    var exports: Set<String> = []
    for file in files {
      let facts = FileScanner.facts(of: file.octets, conditions)
      for one in facts.imports where one.isExported { exports.insert(one.module) }
      for (name, declared) in facts.published where name.utf8.first != UInt8(ascii: "_") {
        switch declared {
        case .topType, .topValue: free.insert(name)
        case .nestedType, .member: members.insert(name)
        }
      }
    }
    self.free = free.sorted()
    self.members = members.sorted()
    self.exports = exports.sorted()
  }

  /// The table as it stands for a module now; `nil` for a module that has none.
  package init?(inTableOf module: String) {
    guard let found = FacadeNames.modules.first(where: { $0.module == module }) else { return nil }
    free = found.free.split(separator: " ").map(String.init)
    members = found.members.split(separator: " ").map(String.init)
    exports = found.exports
  }

  /// Modules that the tables know as this package's.
  package static var modulesOfTable: [String] { FacadeNames.modules.map(\.module) }

  /// The table's source for a module.
  package func source(module: String) -> [String] {
    let exported = exports.map { "\"\($0)\"" }.joined(separator: ", ")
    return ["    ModuleNames(", "      \"\(module)\",", "      free: \"\"\""] + Self.wrapped(free)
      + ["        \"\"\",", "      members: \"\"\""] + Self.wrapped(members)
      + ["        \"\"\",", "      exports: [\(exported)]),"]
  }

  private static func wrapped(_ names: [String]) -> [String] {
    var lines: [String] = []
    var line = "       "
    for name in names {
      if line.utf8.count + name.utf8.count > 106 {
        lines.append(line + " \\")
        line = "       "
      }
      line += " " + name
    }
    return lines + [names.isEmpty ? "" : line]
  }
}
