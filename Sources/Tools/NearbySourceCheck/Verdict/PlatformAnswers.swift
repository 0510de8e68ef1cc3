/// Decides which code for iOS to compile on Linux as well, and rewrites the sources accordingly.
///
/// It first answers `#if os(iOS)` with yes everywhere, then withdraws the answer for each branch that has an
/// obstacle, until the rest builds as far as names tell. The compiler may withdraw further answers.
package struct PlatformAnswers: Sendable {
  /// The modules with rewritten sources.
  package private(set) var modules: [SourceModule]
  private let originals: [SourceModule]
  /// The answered branches of each file, by module and file number.
  private var answered: [[[PlatformBranch]]]

  /// Adds methods to the written sources, if set.
  package var forwarding: DelegateForwarding?
  /// Numbers of modules and files to which nothing is added.
  private var plain: Set<[Int]> = []

  /// Each round withdraws an answer or ends; files rarely need more than three.
  private static let mostRounds = 10

  /// Sources without any answer.
  package init(plain modules: [SourceModule]) {
    self.modules = modules
    originals = modules
    answered = modules.map { $0.files.map { _ in [] } }
  }

  package init(_ modules: [SourceModule], table: ModuleTable, implicit: [String] = []) {
    originals = modules
    let names = table.moduleNames.union(modules.map(\.name))
    answered = modules.map { module in
      module.files.map { ProjectCheck.branches(of: $0, modules: names) }
    }
    self.modules = modules
    for module in modules.indices { for file in modules[module].files.indices { rewrite(module, file) } }
    guard answered.contains(where: { $0.contains { !$0.isEmpty } }) else { return }
    let plain = ProjectCheck.report(modules, table: table, implicit: implicit)
    for round in 0..<Self.mostRounds {
      let report = ProjectCheck.report(self.modules, table: table, implicit: implicit)
      if !withdraw(report, plain, isLast: round == Self.mostRounds - 1) { return }
    }
  }

  /// Withdraws the answers that keep a file from building.
  private mutating func withdraw(_ report: CheckReport, _ plain: CheckReport, isLast: Bool) -> Bool {
    var hasChanged = false
    for (module, verdicts) in report.modules.enumerated() {
      for (file, verdict) in verdicts.files.enumerated() where verdict.state != .builds {
        let lines = verdict.obstacles.map(\.place.line)
        let isInside = lines.contains { line in answered[module][file].contains { $0.contains(line: line) } }
        let isWorse = plain.modules[module].files[file].state == .builds
        guard !answered[module][file].isEmpty, isInside || isWorse || isLast else { continue }
        if isLast || !isInside {
          withdrawAll(module, file)
        } else {
          lines.forEach { _ = withdraw(module, file, line: $0) }
        }
        hasChanged = true
      }
    }
    return hasChanged
  }

  private mutating func withdrawAll(_ module: Int, _ file: Int) {
    answered[module][file] = []
    rewrite(module, file)
  }

  /// Withdraws the answer of the innermost branch around a line.
  ///
  /// - Returns: Whether there was one.
  package mutating func withdraw(_ module: Int, _ file: Int, line: Int) -> Bool {
    let around = answered[module][file].filter { $0.contains(line: line) }
    guard let inner = around.max(by: { $0.start < $1.start }) else { return false }
    answered[module][file].removeAll { $0 == inner }
    rewrite(module, file)
    return true
  }

  /// Leaves a file without added methods.
  ///
  /// - Returns: Whether it had any.
  package mutating func withdrawForwarding(_ module: Int, _ file: Int) -> Bool {
    written(module, file).forwardedCount > 0 && plain.insert([module, file]).inserted
  }

  /// The source of a file to write into a package, and the number of methods that were added to it.
  package func written(_ module: Int, _ file: Int) -> (octets: [UInt8], forwardedCount: Int) {
    let octets = modules[module].files[file].octets
    guard let forwarding, !plain.contains([module, file]) else { return (octets, 0) }
    let (amended, count) = forwarding.adding(to: octets)
    return (amended, count)
  }

  private mutating func rewrite(_ module: Int, _ file: Int) {
    modules[module].files[file].octets = PlatformBranch.answering(
      answered[module][file], in: originals[module].files[file].octets)
  }

  /// Number of branches that Linux compiles because of an answer.
  package var count: Int { answered.reduce(0) { $0 + $1.reduce(0) { $0 + $1.count } } }
}
