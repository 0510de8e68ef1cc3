/// What one file imports, uses and declares, and which of its constructs do not compile on Linux.
struct FileFacts: Sendable {
  struct Import: Equatable, Sendable {
    var module: String
    /// `log` in `import os.log`; `nil` for a whole module or a single symbol.
    var submodule: String?
    /// Whether a single symbol is imported, as in `import class Foundation.Bundle`.
    var isOfSymbol: Bool
    /// Whether the import is `@_exported`, so that importing this file's module also imports that one.
    var isExported: Bool
    var offset: Int
  }

  enum Declared: Equatable, Sendable {
    /// A top-level type, which hides imported types of the same name.
    case topType
    case nestedType
    /// A top-level function or variable.
    case topValue
    /// A type's function, property or case, or a tuple's label.
    case member
  }

  /// A name and how it is used, which determines where it is looked up.
  struct Use: Hashable, Sendable {
    var name: String
    /// Whether the name follows a dot.
    var isMember: Bool
    /// Whether the name is an attribute's, so that a type nested in another one does not count.
    var isAttribute = false
  }

  struct Finding: Equatable, Sendable {
    var rule: SyntaxRule
    var symbol: String
    var offset: Int
  }

  var imports: [Import] = []
  /// Declarations visible to other files.
  var exported: [String: Declared] = [:]
  /// Parameters, variables and labels that other files cannot see.
  var locals: Set<String> = []
  /// Each distinct use once, in file order.
  var uses: [(use: Use, offset: Int)] = []
  /// Number of occurrences of each use.
  var useCounts: [Use: Int] = [:]
  var findings: [Finding] = []
  /// Methods of a delegate that are called with a question mark behind their name, with the first offset of each.
  var optionalCalls: [String: Int] = [:]
  /// What each declared or extended type inherits from or conforms to, by the last part of the names.
  var parents: [(type: String, parent: String)] = []
  /// The methods of types, in file order.
  var methods: [DeclaredMethod] = []
  /// Methods and properties that are marked `override`.
  var overrides: [(owner: String, name: String, offset: Int)] = []
  /// Functions by name, with whether each call must begin with a label.
  var functions: [String: Bool] = [:]
  /// Names of variables, cases, labels and closures' parameters, which may be called like functions.
  var values: Set<String> = []
  /// Calls whose first argument has no label, with their first offset.
  var unlabelledCalls: [String: Int] = [:]
  /// The classes that are declared.
  var classes: Set<String> = []
  /// The visible members of types, and what protocols require, both by the name of the type.
  var members: [String: Set<String>] = [:]
  var requirements: [String: Set<String>] = [:]
  /// Types declared in an inactive branch, with their offsets.
  var inactiveTypes: [String: Int] = [:]
  var hasMainAttribute = false
  /// Whether undeclared members may be valid.
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

/// Constructs that do not compile on Linux and that looking up names cannot detect.
enum SyntaxRule: String, Sendable {
  case objc, selector, keyPathString, interfaceBuilder, coreData, previews, colourLiteral
  case errorDirective, macro, attribute, predicateFormat, applicationMain, optionalCall, unbalanced
  case overrideInExtension, metatypeCast
}
