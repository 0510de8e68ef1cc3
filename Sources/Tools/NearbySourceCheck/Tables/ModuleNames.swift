/// The declarations of a module.
struct ModuleNames: Equatable, Sendable {
  let module: String
  /// Top-level types, functions and variables.
  var free: [String] = []
  /// Members of types, including nested types.
  var members: [String] = []
  /// Modules that this one re-exports.
  var exports: [String] = []
}
