/// Looks up every use of a file in the file itself, in its module, and in the modules it imports.
struct NameResolver {
  /// A name that files of this project declare, with the list of those files.
  struct Need: Sendable {
    let name: String
    let offset: Int
    /// Index into the project's lists of providers.
    let list: Int
    /// Whether the name is that of an imported module of the project.
    var isModule = false
  }

  struct Outcome: Sendable {
    var unknown: [(use: FileFacts.Use, offset: Int)] = []
    /// Names declared in modules that the file does not import, with the first such module.
    var unreached: [(use: FileFacts.Use, offset: Int, module: String)] = []
    var needs: [Need] = []
  }

  let table: ModuleTable
  let index: ProjectIndex
  /// Modules that each module's `@_exported` imports make visible in all of its files.
  let exported: [Int: ModuleTable.Modules]
  /// Modules that every file sees.
  let always: ModuleTable.Modules

  init(
    table: ModuleTable, index: ProjectIndex, facts: [(module: Int, facts: FileFacts)], implicit: [String]
  ) {
    self.table = table
    always = implicit.reduce(table.always) { $0 | (table.reach(of: $1) ?? 0) }
    self.index = index
    var exported: [Int: ModuleTable.Modules] = [:]
    for (module, one) in facts {
      for other in one.imports where other.isExported {
        exported[module, default: 0] |= table.reach(of: other.module) ?? 0
      }
    }
    self.exported = exported
  }

  func resolve(_ facts: FileFacts, inModule module: Int) -> Outcome {
    var outcome = Outcome()
    var reach = always | (exported[module] ?? 0)
    for one in facts.imports {
      reach |= table.reach(of: one.module) ?? 0
      if let list = index.files(ofModule: one.module, importedBy: module) {
        outcome.needs.append(.init(name: one.module, offset: one.offset, list: list, isModule: true))
      }
    }
    for (use, offset) in facts.uses {
      if isPlain(use, facts) {
        // The project may declare an underscored name, whose file must build.
        if use.name.utf8.first == UInt8(ascii: "_"), facts.exported[use.name] == nil,
          !facts.locals.contains(use.name),
          let list = index.list(use.name, module: module, topOnly: !use.isMember)
        {
          outcome.needs.append(.init(name: use.name, offset: offset, list: list))
        }
        continue
      }
      resolve(use, offset, facts, reach, module, &outcome)
    }
    return outcome
  }

  /// Whether the name is declared in the file itself or by the language.
  private func isPlain(_ use: FileFacts.Use, _ facts: FileFacts) -> Bool {
    if facts.locals.contains(use.name) { return true }
    if facts.exported[use.name] != nil { return true }
    if !use.isMember, SwiftWords.implicit.contains(use.name) { return true }
    // A property wrapper's storage, or an underscored name that the modules' tables omit.
    if use.name.utf8.first == UInt8(ascii: "_") { return true }
    return use.isMember && use.name.utf8.first.map { $0 >= 0x30 && $0 <= 0x39 } ?? false
  }

  /// Looks up one use: first in the project's top level, then in imported modules, then in the whole project.
  private func resolve(
    _ use: FileFacts.Use, _ offset: Int, _ facts: FileFacts, _ reach: ModuleTable.Modules, _ module: Int,
    _ outcome: inout Outcome
  ) {
    let isType = SwiftWords.isType(use.name)
    let known =
      use.isMember
      ? table.members(use.name) | (isType ? table.free(use.name) : 0)
      : table.free(use.name) | (use.isAttribute ? 0 : table.members(use.name))
    // The project's top-level declarations hide imported ones.
    if !use.isMember, let list = index.list(use.name, module: module, topOnly: true) {
      outcome.needs.append(.init(name: use.name, offset: offset, list: list))
      return
    }
    // A function that is not a member of a type is visible only if its module is imported.
    let isOfTop = !use.isMember && (isType || table.members(use.name) == 0)
    let isVisible = isOfTop ? known & reach != 0 : known != 0
    if isVisible { return }
    if let list = index.list(use.name, module: module, topOnly: false) {
      outcome.needs.append(.init(name: use.name, offset: offset, list: list))
    } else if index.isModule(use.name) || table.reach(of: use.name) != nil
      || facts.imports.contains(where: { $0.module == use.name })
    {
      return
    } else if let owner = table.names(of: known).first(where: { !ModuleTable.ours.contains($0) }) {
      outcome.unreached.append((use, offset, owner))
    } else if !(facts.hasDynamicMembers && use.isMember) {
      outcome.unknown.append((use, offset))
    }
  }
}

/// Which files of a project declare which names.
struct ProjectIndex {
  private struct Key: Hashable {
    let name: String
    let module: Int
    let topOnly: Bool
  }

  /// Lists of files that declare the same name; any of them is sufficient.
  private(set) var providers: [[Int]] = []
  private var lists: [Key: Int] = [:]
  private var conformanceNeeds: [Int: [NameResolver.Need]] = [:]
  private var modules: [String: Int] = [:]
  /// The list of each module's files.
  private var filesOfModules: [Int: Int] = [:]

  /// - Parameters:
  ///   - names: The names of the modules.
  ///   - facts: The facts of each file, with the index of its module.
  init(names: [String], facts: [(module: Int, facts: FileFacts)]) {
    for (index, name) in names.enumerated() where modules[name] == nil { modules[name] = index }
    var importers: [Int: Set<Int>] = [:]
    for (module, one) in facts {
      for other in one.imports.compactMap({ modules[$0.module] }) where other != module {
        importers[other, default: []].insert(module)
      }
    }
    for (file, one) in facts.enumerated() {
      add(file, ofModule: one.module)
      for (name, declared) in one.facts.exported.sorted(by: { $0.key < $1.key }) {
        add(name, declared, file, to: one.module)
        for importer in (importers[one.module] ?? []).sorted() { add(name, declared, file, to: importer) }
      }
    }
  }

  private mutating func add(_ name: String, _ declared: FileFacts.Declared, _ file: Int, to module: Int) {
    add(file, Key(name: name, module: module, topOnly: false))
    if declared == .topType || declared == .topValue {
      add(file, Key(name: name, module: module, topOnly: true))
    }
  }

  private mutating func add(_ file: Int, _ key: Key) {
    if let list = lists[key] {
      providers[list].append(file)
    } else {
      lists[key] = providers.count
      providers.append([file])
    }
  }

  private mutating func add(_ file: Int, ofModule module: Int) {
    if let list = filesOfModules[module] {
      providers[list].append(file)
    } else {
      filesOfModules[module] = providers.count
      providers.append([file])
    }
  }

  /// A list of files of which any is sufficient.
  mutating func newList(_ files: [Int]) -> Int {
    providers.append(files)
    return providers.count - 1
  }

  mutating func addNeed(_ need: NameResolver.Need, ofFile file: Int) {
    conformanceNeeds[file, default: []].append(need)
  }

  func needs(ofConformancesIn file: Int) -> [NameResolver.Need] { conformanceNeeds[file] ?? [] }

  /// The list of files of another module of the project. The compiler builds no module without files.
  func files(ofModule name: String, importedBy module: Int) -> Int? {
    guard let other = modules[name], other != module else { return nil }
    return filesOfModules[other]
  }

  func list(_ name: String, module: Int, topOnly: Bool) -> Int? {
    lists[Key(name: name, module: module, topOnly: topOnly)]
  }

  func isModule(_ name: String) -> Bool { modules[name] != nil }
}
