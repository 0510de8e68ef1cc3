/// What a module declares.
struct ModuleNames: Equatable, Sendable {
  let module: String
  /// Types, functions and variables of the top level.
  var free: [String] = []
  /// What types have in them, nested types too.
  var members: [String] = []
  /// Modules that an import of this one brings along.
  var exports: [String] = []
}
