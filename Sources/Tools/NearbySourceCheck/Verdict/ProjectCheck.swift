/// Determines which files of a project build on Linux with this package, and why the others do not.
///
/// It works on names: each name that a file uses must be declared in the file, in a file of its module that
/// builds, or in a module that exists on Linux. Types are not inferred, so a result can be wrong if a name
/// has several meanings.
package struct ProjectCheck {
  /// Files larger than this are not checked, octets; no person wrote them.
  package static let largestFile = 8 << 20

  struct File {
    let module: Int
    let path: String
    let facts: FileFacts
    let lines: LineTable
    let lineCount: Int
    var obstacles: [BuildObstacle]
    var needs: [NameResolver.Need]
    var switchedOff: [SwitchedOff]
    var uncalled: [UncalledMethod]
  }

  private let table: ModuleTable
  private let modules: [SourceModule]
  private let index: ProjectIndex
  private(set) var files: [File] = []

  /// - Parameter implicit: Modules that every file sees without importing them.
  package static func report(
    _ modules: [SourceModule], table: ModuleTable, implicit: [String] = []
  ) -> CheckReport {
    ProjectCheck(modules, table, implicit).report()
  }

  private init(_ modules: [SourceModule], _ table: ModuleTable, _ implicit: [String]) {
    self.table = table
    self.modules = modules
    let names = table.moduleNames.union(modules.map(\.name))
    let conditions = BuildConditions(modules: names)
    let frameworks = table.frameworks
    var read: [(module: Int, file: SourceFile, facts: FileFacts)] = []
    for (number, module) in modules.enumerated() {
      for file in module.files {
        let isReadable = Self.unreadable(file) == nil
        read.append((number, file, isReadable ? FileScanner.facts(of: file.octets, conditions) : FileFacts()))
      }
    }
    let facts = read.map { (module: $0.module, facts: $0.facts) }
    var index = ProjectIndex(names: modules.map(\.name), facts: facts)
    let inactive = InactiveTypes(read.map { ($0.module, $0.file.path, $0.facts) })
    let calls = UnlabelledCalls(facts.map(\.facts)) { table.members($0) != 0 || table.free($0) != 0 }
    let inheritance = Inheritance(facts.map(\.facts))
    let delegates = DelegateMethods(table.delegates, facts.map(\.facts), inheritance)
    index.addConformances(facts, inheritance, table.delegates)
    let resolver = NameResolver(table: table, index: index, facts: facts, implicit: implicit)
    self.index = index
    for (module, file, facts) in read {
      let outcome = resolver.resolve(facts, inModule: module)
      let lines = LineTable(file.octets)
      let finder = ObstacleFinder(
        table: table, facts: facts, lines: lines, isProjectModule: index.isModule,
        inactive: { inactive.place(of: $0, in: module) })
      var obstacles = finder.obstacles(outcome)
      obstacles += finder.obstacles(delegates.missing(in: facts))
      obstacles += finder.obstacles(overriding: inheritance.unmovable(in: facts))
      obstacles += finder.obstacles(unlabelled: calls.found(in: facts))
      // If anything else is missing, the class above is likely missing too.
      if obstacles.isEmpty {
        obstacles = finder.obstacles(
          baseless: inheritance.baseless(in: facts) { table.members($0) != 0 || table.free($0) != 0 })
      }
      if let unreadable = Self.unreadable(file) { obstacles = [unreadable] }
      let count = lines.place(of: max(0, file.octets.count - 1)).line
      files.append(
        File(
          module: module, path: file.path, facts: facts, lines: lines,
          lineCount: file.octets.isEmpty ? 0 : count,
          obstacles: obstacles, needs: outcome.needs + index.needs(ofConformancesIn: files.count),
          switchedOff: SwitchedOff.all(
            Self.branches(of: file, modules: names), in: file.octets,
            isFramework: { table.free($0) & frameworks != 0 && SwiftWords.isType($0) }),
          uncalled: delegates.uncalled(in: facts).map { UncalledMethod($0, lines) }))
    }
  }

  /// Why a file can't be checked.
  private static func unreadable(_ file: SourceFile) -> BuildObstacle? {
    if file.octets.count > largestFile { return ObstacleFinder.tooLarge }
    let isText = !file.octets.contains(0) && String(validating: file.octets, as: UTF8.self) != nil
    return isText ? nil : ObstacleFinder.notText
  }

  /// The branches for iOS of a file that is not too large to check.
  static func branches(of file: SourceFile, modules: Set<String>) -> [PlatformBranch] {
    file.octets.count > largestFile ? [] : PlatformBranch.all(in: file.octets, modules: modules)
  }

  private func report() -> CheckReport {
    let builds = FixedPoint(files: files, providers: index.providers)
    let alive = builds.alive()
    let views = ViewTypes(files.map(\.facts))
    let verdicts = files.indices.map { verdict($0, alive, views) }
    var results: [ModuleVerdict] = []
    for (number, module) in modules.enumerated() {
      results.append(
        ModuleVerdict(
          name: module.name, isTest: module.isTest,
          files: files.indices.filter { files[$0].module == number }.map { verdicts[$0] }))
    }
    return CheckReport(modules: results, fixes: Fixes(files, verdicts, builds, alive).ranked())
  }

  /// The verdict on one file, given which files build.
  private func verdict(_ number: Int, _ alive: [Bool], _ views: ViewTypes) -> FileVerdict {
    let file = files[number]
    var obstacles = file.obstacles
    if !alive[number] { obstacles += dependencies(of: file, alive) }
    let state: FileVerdict.State =
      alive[number]
      ? .builds
      : views.isDeclared(in: file.facts) ? .view : file.obstacles.isEmpty ? .waits : .blocked
    return FileVerdict(
      path: file.path, state: state, obstacles: obstacles, lineCount: file.lineCount,
      isEntryPoint: file.facts.hasMainAttribute || file.path == "main.swift"
        || file.path.hasSuffix("/main.swift"),
      imports: file.facts.imports.map(\.module), switchedOff: file.switchedOff, uncalled: file.uncalled)
  }

  /// The names that a file needs from files that do not build.
  private func dependencies(of file: File, _ alive: [Bool]) -> [BuildObstacle] {
    var result: [BuildObstacle] = []
    for need in file.needs {
      let providers = index.providers[need.list]
      guard !providers.contains(where: { alive[$0] }), let first = providers.first else { continue }
      let path = files[first].path
      if need.isModule {
        result.append(
          BuildObstacle(
            kind: .dependency, symbol: need.name, place: file.lines.place(of: need.offset), count: 1,
            reason: "is a module of which no file builds", advice: "make one of its files build",
            group: "module " + need.name, provider: path))
        continue
      }
      result.append(
        BuildObstacle(
          kind: .dependency, symbol: need.name, place: file.lines.place(of: need.offset),
          count: file.facts.useCounts[.init(name: need.name, isMember: false)] ?? 1,
          reason: "is declared in \(Self.lastPart(path)), which does not build",
          advice: "move \(need.name) into a file of its own that builds", group: "move " + path,
          provider: path))
    }
    return result.sorted { $0.place < $1.place }
  }

  static func lastPart(_ path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }
}

/// Types declared in branches that are inactive on Linux.
private struct InactiveTypes {
  private var places: [String: String] = [:]

  init(_ files: [(module: Int, path: String, facts: FileFacts)]) {
    for (module, path, facts) in files {
      for name in facts.inactiveTypes.keys.sorted() where places["\(module) \(name)"] == nil {
        places["\(module) \(name)"] = path
      }
    }
  }

  func place(of name: String, in module: Int) -> String? { places["\(module) \(name)"] }
}
