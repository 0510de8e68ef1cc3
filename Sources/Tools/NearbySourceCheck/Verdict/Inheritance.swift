/// What the types of a project inherit from and conform to. Types of the same name count as one.
struct Inheritance: Sendable {
  private let parents: [String: Set<String>]
  private let classes: Set<String>
  private var members: [String: Set<String>] = [:]
  /// Names with labels of the methods that classes declare in themselves, and in extensions.
  private var ownMethods: [String: Set<String>] = [:]
  private var extensionMethods: [String: Set<String>] = [:]

  init(_ files: [FileFacts]) {
    var parents: [String: Set<String>] = [:]
    var classes: Set<String> = []
    for file in files {
      classes.formUnion(file.classes)
      for (type, names) in file.members { members[type, default: []].formUnion(names) }
      for (type, parent) in file.parents { parents[type, default: []].insert(parent) }
      for method in file.methods where !method.isOverride {
        let title = method.signature.title
        if method.isInExtension {
          extensionMethods[method.owner, default: []].insert(title)
        } else {
          ownMethods[method.owner, default: []].insert(title)
        }
      }
    }
    self.parents = parents
    self.classes = classes
  }

  /// A type, what it inherits from and conforms to, what those do, and so on.
  func ancestors(of type: String) -> Set<String> {
    var found: Set<String> = [type]
    var new = [type]
    while let next = new.popLast() {
      for parent in parents[next] ?? [] where found.insert(parent).inserted { new.append(parent) }
    }
    return found
  }

  /// The overrides of a file whose names neither a class above it in the project nor any module here declares.
  func baseless(in facts: FileFacts, isKnown: (String) -> Bool) -> [(name: String, offset: Int)] {
    facts.overrides.filter { owner, name, _ in
      guard !isKnown(name), name.utf8.first != UInt8(ascii: "_") else { return false }
      return !ancestors(of: owner).contains { $0 != owner && members[$0]?.contains(name) ?? false }
    }.map { ($0.name, $0.offset) }
  }

  /// The overrides of a file whose methods are declared only in extensions of the project's classes.
  func unmovable(in facts: FileFacts) -> [DeclaredMethod] {
    facts.methods.filter { method in
      guard method.isOverride, !method.isInExtension else { return false }
      let title = method.signature.title
      let above = ancestors(of: method.owner).subtracting([method.owner]).filter(classes.contains)
      return above.contains { extensionMethods[$0]?.contains(title) ?? false }
        && !above.contains { ownMethods[$0]?.contains(title) ?? false }
    }
  }
}
