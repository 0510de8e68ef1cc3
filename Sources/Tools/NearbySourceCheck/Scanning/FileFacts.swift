/// What one file needs, gives, and has in it that does not go on Linux.
struct FileFacts: Sendable {
  struct Import: Equatable, Sendable {
    var module: String
    /// `log` of `import os.log`; `nil` for a whole module or one symbol of it.
    var submodule: String?
    /// `import class Foundation.Bundle`.
    var isOfSymbol: Bool
    /// `@_exported`: who imports this module has that one too.
    var isExported: Bool
    var offset: Int
  }

  enum Declared: Equatable, Sendable {
    /// A type of the file's top level: it hides imported ones of the same name.
    case topType
    case nestedType
    /// A function or variable of the top level.
    case topValue
    /// A type's function, property or case, or a tuple's label.
    case member
  }

  /// How a name is used; each way is looked up elsewhere.
  struct Use: Hashable, Sendable {
    var name: String
    /// Behind a dot.
    var isMember: Bool
  }

  struct Finding: Equatable, Sendable {
    var rule: SyntaxRule
    var symbol: String
    var offset: Int
  }

  var imports: [Import] = []
  /// What other files can see.
  var exported: [String: Declared] = [:]
  /// Parameters, variables and labels that no other file sees.
  var locals: Set<String> = []
  /// Each use once, in the order of the file.
  var uses: [(use: Use, offset: Int)] = []
  /// How often each is used.
  var useCounts: [Use: Int] = [:]
  var findings: [Finding] = []
  /// Types that are declared in a branch which Linux does not see.
  var inactiveTypes: [String: Int] = [:]
  var hasMainAttribute = false
  /// Members that nobody declares may be right.
  var hasDynamicMembers = false

  mutating func add(_ use: Use, at offset: Int) {
    let count = useCounts[use, default: 0]
    if count == 0 { uses.append((use, offset)) }
    useCounts[use] = count + 1
  }

  mutating func export(_ name: String, _ declared: Declared) {
    if exported[name] != .topType { exported[name] = declared }
  }
}

/// Constructs that no name tells, and which do not compile on Linux.
enum SyntaxRule: String, Sendable {
  case objc, selector, keyPathString, interfaceBuilder, coreData, previews, colourLiteral
  case errorDirective, macro, attribute, predicateFormat, applicationMain
}
