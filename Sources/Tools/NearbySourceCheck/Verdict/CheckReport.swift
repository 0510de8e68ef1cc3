/// The results for a module's files.
package struct ModuleVerdict: Equatable, Sendable {
  package var name: String
  package var isTest: Bool
  package var files: [FileVerdict]

  package func count(_ state: FileVerdict.State) -> Int { files.count { $0.state == state } }
}

/// A suggested change, and its effect.
package struct Fix: Equatable, Sendable {
  /// The change as a sentence without a full stop.
  package var title: String
  /// Number of additional files that build after the change.
  package var freedCount: Int
  /// Where to start.
  package var path: String
  package var place: SourcePlace
}

/// The result of a check.
package struct CheckReport: Equatable, Sendable {
  package var modules: [ModuleVerdict]
  /// Sorted by effect, the largest first.
  package var fixes: [Fix]

  package var files: [FileVerdict] { modules.flatMap(\.files) }

  package func count(_ state: FileVerdict.State) -> Int { files.count { $0.state == state } }

  /// The report with the compiler's word: files that it rejects do not build, and those that it accepts do.
  ///
  /// - Parameters:
  ///   - dropped: What the compiler rejected.
  ///   - accepted: Paths of the files that it accepted in at least one target.
  package func compiled(dropped: [ModuleTrial.Dropped], accepted: Set<String>) -> CheckReport {
    let reasons = Dictionary(dropped.map { ($0.file, $0) }, uniquingKeysWith: { first, _ in first })
    var report = self
    for module in report.modules.indices {
      for file in report.modules[module].files.indices {
        let verdict = report.modules[module].files[file]
        if accepted.contains(verdict.path) {
          report.modules[module].files[file].state = .builds
          report.modules[module].files[file].obstacles = []
          continue
        }
        guard verdict.state == .builds, let rejection = reasons[verdict.path]
        else { continue }
        report.modules[module].files[file].state = .blocked
        report.modules[module].files[file].obstacles.append(
          BuildObstacle(
            kind: .compiler, symbol: "", place: rejection.place, count: 1, reason: rejection.reason,
            advice: "The compiler says so; the scan of names found nothing.",
            group: "compiler " + verdict.path, provider: nil))
      }
    }
    report.fixes.removeAll { accepted.contains($0.path) }
    return report
  }
}
