/// Describes a file's obstacles.
struct ObstacleFinder {
  let table: ModuleTable
  let facts: FileFacts
  let lines: LineTable
  let isProjectModule: (String) -> Bool
  /// The file in whose inactive branch a type is declared, if any.
  let inactive: (String) -> String?

  static let tooLarge = BuildObstacle(
    kind: .unreadable, symbol: "file", place: SourcePlace(line: 1, column: 1), count: 1,
    reason: "more than 8 MiB, which no person wrote", advice: KnownGaps.leaveOut, group: "unreadable")

  static let notText = BuildObstacle(
    kind: .unreadable, symbol: "file", place: SourcePlace(line: 1, column: 1), count: 1,
    reason: "is not text in UTF-8", advice: "save it in UTF-8", group: "unreadable")

  func obstacles(_ outcome: NameResolver.Outcome) -> [BuildObstacle] {
    var result = facts.findings.map(obstacle)
    let names = outcome.unknown.map { obstacle($0.use, $0.offset) }
    result += names
    result += outcome.unreached.map { use, offset, module in
      inactive(use.name) != nil ? obstacle(use, offset) : missingImport(use, offset, module)
    }
    // The frameworks' delegate protocols have default implementations here instead of optional methods.
    result += facts.optionalCalls.filter { table.members($0.key) & table.frameworks != 0 }.map {
      obstacle(.init(rule: .optionalCall, symbol: $0.key + "?(", offset: $0.value))
    }
    result += testCases()
    result += facts.imports.compactMap { module($0, isUsed: !names.isEmpty) }
    return merged(result)
  }

  /// Conformances of XCTest's cases to the frameworks' delegate protocols. XCTestCase is no NSObject on Linux.
  private func testCases() -> [BuildObstacle] {
    let cases = Set(facts.parents.filter { $0.parent == "XCTestCase" }.map(\.type))
    return facts.parents.filter { type, parent in
      cases.contains(type) && parent.hasSuffix("Delegate") && table.free(parent) & table.frameworks != 0
    }.map { _, parent in
      let offset = facts.uses.first { $0.use.name == parent }?.offset ?? 0
      return make(
        .objectiveC, parent, offset, "requires an NSObject, which XCTestCase is not on Linux",
        "conform a class of its own, which the test creates", group: "objective-c")
    }
  }

  /// Required methods of the frameworks' delegate protocols that a type lacks.
  func obstacles(_ missing: [DelegateMethods.Missing]) -> [BuildObstacle] {
    missing.map { one in
      let offset = facts.uses.first { $0.use.name == one.delegate }?.offset ?? 0
      let types = one.method.parameters.map(\.type.text).joined(separator: ", ")
      return make(
        .symbol, one.method.title, offset,
        "is required by \(one.delegate), and \(one.type) has no such method with (\(types))",
        "declare it with these labels and types", group: "delegate " + one.delegate)
    }
  }

  /// Overrides of methods that the project's classes declare in extensions.
  func obstacles(overriding methods: [DeclaredMethod]) -> [BuildObstacle] {
    methods.map { method in
      make(
        .objectiveC, "override \(method.signature.title)", method.offset,
        "replaces a method of an extension, which only Objective-C's methods allow",
        "move the method from the extension into the class", group: "objective-c")
    }
  }

  /// Overrides of what no class above declares.
  func obstacles(baseless names: [(name: String, offset: Int)]) -> [BuildObstacle] {
    names.map { name, offset in
      make(
        .symbol, "override " + name, offset, "overrides nothing that is declared here",
        "put it into `#if canImport(Darwin)`, or leave this file out", group: "override " + name)
    }
  }

  /// Calls without the label that the function's declaration asks for.
  func obstacles(unlabelled calls: [(name: String, offset: Int)]) -> [BuildObstacle] {
    calls.map { name, offset in
      make(
        .syntax, name + "(", offset, "is called without the label of its first argument, as until Swift 2",
        "write the label", group: "label " + name)
    }
  }

  private func make(
    _ kind: BuildObstacle.Kind, _ symbol: String, _ offset: Int, _ reason: String, _ advice: String,
    group: String,
    count: Int = 1
  ) -> BuildObstacle {
    BuildObstacle(
      kind: kind, symbol: symbol, place: lines.place(of: offset), count: count, reason: reason,
      advice: advice,
      group: group)
  }

  /// Merges obstacles with the same symbol, keeping the first place, and sorts them in file order.
  private func merged(_ obstacles: [BuildObstacle]) -> [BuildObstacle] {
    var first: [String: Int] = [:]
    var result: [BuildObstacle] = []
    for obstacle in obstacles {
      let key = "\(obstacle.kind.rawValue) \(obstacle.symbol)"
      if let known = first[key] {
        result[known].count += obstacle.count
        result[known].place = min(result[known].place, obstacle.place)
      } else {
        first[key] = result.count
        result.append(obstacle)
      }
    }
    return result.sorted { ($0.place, $0.symbol) < ($1.place, $1.symbol) }
  }

  // MARK: Syntax

  private func obstacle(_ finding: FileFacts.Finding) -> BuildObstacle {
    let (kind, reason, advice) = Self.words(finding.rule)
    let isObjectiveC = kind == .objectiveC
    return make(
      kind, finding.symbol, finding.offset, reason, advice,
      group: isObjectiveC ? "objective-c" : kind == .view ? "view" : finding.symbol)
  }

  private static func words(_ rule: SyntaxRule) -> (BuildObstacle.Kind, String, String) {
    let runtime = "needs the Objective-C runtime"
    switch rule {
    case .objc:
      return (
        .objectiveC, runtime,
        "remove it, and what it is for: a closure instead of a selector, a default in an extension instead of "
          + "`optional`"
      )
    case .selector:
      return (
        .objectiveC, runtime,
        "take the form with a closure: Timer.scheduledTimer(withTimeInterval:repeats:block:), "
          + "addObserver(forName:object:queue:using:)"
      )
    case .keyPathString: return (.objectiveC, runtime, "write a key path, `\\Type.name`")
    case .interfaceBuilder: return (.view, "is for a storyboard", KnownGaps.leaveOut)
    case .applicationMain: return (.view, "starts an app with a screen", KnownGaps.leaveOut)
    case .coreData: return (.symbol, "is Core Data's", "keep the store behind a protocol of the app's own")
    case .previews: return (.view, "draws a preview", KnownGaps.leaveOut)
    case .colourLiteral: return (.view, "is a colour or picture", KnownGaps.leaveOut)
    case .errorDirective:
      return (.syntax, "is reached on Linux", "put it into an `#if` of the systems it means")
    case .macro: return (.syntax, "is a macro that is not here", "write out what it stands for")
    case .attribute:
      return (.syntax, "is an attribute that Linux does not know", "remove it, or put it into an `#if`")
    case .unbalanced:
      return (.syntax, "has no counterpart, so the file can't be parsed", "complete it, or remove it")
    case .overrideInExtension:
      return (
        .objectiveC, "in an extension, which only Objective-C's methods allow",
        "move the method into the class itself"
      )
    case .metatypeCast:
      return (.objectiveC, runtime, "write a closure or a protocol that creates the object")
    case .optionalCall:
      return (
        .objectiveC, "calls a delegate's method as optional, which it is not here",
        "remove the question mark behind the method's name: methods that a delegate leaves out do nothing"
      )
    case .predicateFormat:
      return (.symbol, "is not in Foundation on Linux", "filter with a closure, or write #Predicate")
    }
  }

  // MARK: Names

  private func obstacle(_ use: FileFacts.Use, _ offset: Int) -> BuildObstacle {
    let count = facts.useCounts[use] ?? 1
    if SwiftWords.isType(use.name), let file = inactive(use.name) {
      return make(
        .inactive, use.name, offset,
        "is declared in a branch of \(ProjectCheck.lastPart(file)) that Linux does not see",
        "declare it for Linux too, or put its use into the same `#if`", group: "inactive " + use.name,
        count: count)
    }
    if let gap = KnownGaps.gap(use.name) {
      return make(
        gap.isView ? .view : gap.framework == "Objective-C" ? .objectiveC : .symbol, use.name, offset,
        gap.isView ? "is \(gap.framework)'s, which draws" : "is \(gap.framework)'s", gap.advice,
        group: gap.isView ? "view" : gap.framework == "Objective-C" ? "objective-c" : gap.framework,
        count: count)
    }
    let dot = use.isMember ? "." : ""
    return make(
      .symbol, dot + use.name, offset, "nothing here declares it",
      "put it into `#if canImport(Darwin)`, or behind a protocol of the app's own", group: dot + use.name,
      count: count)
  }

  private func missingImport(_ use: FileFacts.Use, _ offset: Int, _ module: String) -> BuildObstacle {
    let guarded = module == "FoundationNetworking" || module == "FoundationXML"
    let advice =
      guarded
      ? "add `#if canImport(\(module))`, `import \(module)`, `#endif`: on Apple's systems it is in Foundation"
      : "add `import \(module)`"
    return make(
      .missingImport, use.name, offset, "is in \(module) here, which the file does not import", advice,
      group: "import " + module, count: facts.useCounts[use] ?? 1)
  }

  // MARK: Modules

  private func module(_ one: FileFacts.Import, isUsed: Bool) -> BuildObstacle? {
    if let submodule = one.submodule, table.reach(of: one.module) != nil {
      if Submodules.isThere(one.module, submodule) { return nil }
      return make(
        .module, "\(one.module).\(submodule)", one.offset,
        "is a part of a module, which Swift here does not have",
        "write `import \(one.module)`", group: "import \(one.module).\(submodule)")
    }
    guard table.reach(of: one.module) == nil, !isProjectModule(one.module) else { return nil }
    let gap = KnownGaps.module(one.module)
    // A file that uses nothing from an imported view framework is not a view; removing the import is enough.
    let isView = gap.isView && isUsed
    let advice = isUsed ? gap.advice : "remove the import, nothing of it seems to be used"
    return make(
      isView ? .view : .module, one.module, one.offset, "no such module here",
      gap.isView || KnownGaps.isKnown(one.module) ? advice : gap.advice,
      group: isView ? "view" : "module " + one.module)
  }
}
