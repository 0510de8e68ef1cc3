import NearbySourceCheck
import NearbyTextForms

/// The output of `nearby check`.
enum CheckText {
  /// Number of files by state. A file in several targets counts once, with its best state.
  struct Counts: Equatable {
    var builds = 0
    var views = 0
    var blocked = 0
    var waiting = 0
    var lines = 0
    var all: Int { builds + views + blocked + waiting }

    init(_ report: CheckReport) {
      var best: [String: FileVerdict] = [:]
      for file in report.files {
        if let known = best[file.path], known.state.rank <= file.state.rank { continue }
        best[file.path] = file
      }
      for file in best.values {
        lines += file.lineCount
        switch file.state {
        case .builds: builds += 1
        case .view: views += 1
        case .blocked: blocked += 1
        case .waits: waiting += 1
        }
      }
    }
  }

  // MARK: For people

  static func files(_ report: CheckReport) -> String {
    var text = ""
    for module in report.modules {
      let files = module.files.filter {
        $0.state != .builds || !$0.switchedOff.isEmpty || !$0.uncalled.isEmpty
      }
      guard !files.isEmpty else { continue }
      text += "\(module.name): \(module.count(.builds)) of \(module.files.count) files build\n"
      for file in files where file.state != .view { text += obstacles(of: file) }
      let views = files.filter { $0.state == .view }
      if !views.isEmpty { text += "  Views, which can't build on Linux:\n" }
      for file in views { text += view(file) }
      for file in files where file.state != .view { text += switchedOff(file) + uncalled(file) }
      text += "\n"
    }
    return text
  }

  private static func obstacles(of file: FileVerdict) -> String {
    var text = ""
    for obstacle in file.obstacles {
      let times = obstacle.count > 1 ? " (\(obstacle.count) times)" : ""
      let place = "\(file.path):\(obstacle.place.line):\(obstacle.place.column)"
      text += "  \(place): \(sentence(obstacle))\(times)\n"
      text += "      \(obstacle.advice)\n"
    }
    return text
  }

  private static func sentence(_ obstacle: BuildObstacle) -> String {
    switch obstacle.kind {
    case .dependency:
      let file = obstacle.provider?.split(separator: "/").last.map(String.init) ?? "a file"
      return "needs \(obstacle.symbol) of \(file), which does not build"
    case .compiler: return obstacle.reason
    case .module: return "import \(obstacle.symbol): \(obstacle.reason)"
    case .objectiveC, .view, .symbol, .missingImport, .inactive, .syntax, .unreadable:
      return "\(obstacle.symbol) \(obstacle.reason)"
    }
  }

  private static func view(_ file: FileVerdict) -> String {
    let names = file.obstacles.filter { $0.kind == .view }.map(\.symbol)
    let shown = names.prefix(4).joined(separator: ", ") + (names.count > 4 ? ", …" : "")
    let place = file.obstacles.first { $0.kind == .view }?.place ?? SourcePlace(line: 1, column: 1)
    return "  \(file.path):\(place.line):\(place.column): \(shown)\n"
  }

  /// What Linux leaves out of a file because it is for iOS.
  private static func switchedOff(_ file: FileVerdict) -> String {
    file.switchedOff.map { part in
      let lines = part.lineCount == 1 ? "1 line" : "\(part.lineCount) lines"
      let subject = part.subjects.isEmpty ? "" : " of " + part.subjects.joined(separator: ", ")
      let verb = part.lineCount == 1 ? "is" : "are"
      return "  \(file.path):\(part.line): \(lines)\(subject) \(verb) for iOS only\n"
    }.joined()
  }

  /// Delegate methods that iOS calls and this package does not.
  private static func uncalled(_ file: FileVerdict) -> String {
    file.uncalled.map { one in
      "  \(file.path):\(one.place.line):\(one.place.column): \(one.method) is declared with `\(one.declared)`; "
        + "here only `\(one.called)` is called\n"
    }.joined()
  }

  private static func uncalledSummary(_ report: CheckReport) -> String {
    var methods: [String: Int] = [:]
    for file in report.files where file.state == .builds && !file.uncalled.isEmpty {
      methods[file.path] = file.uncalled.count
    }
    let count = methods.values.reduce(0, +)
    guard count > 0 else { return "" }
    return "\(count) delegate \(count == 1 ? "method" : "methods") in \(methods.count) of these files "
      + "\(count == 1 ? "is" : "are") never called here; --package with --copy adds methods that call them.\n"
  }

  /// The sentence about all code for iOS in files that otherwise build.
  private static func switchedOffSummary(_ report: CheckReport) -> String {
    var parts: [String: Int] = [:]
    for file in report.files where file.state == .builds && !file.switchedOff.isEmpty {
      parts[file.path] = file.switchedOff.reduce(0) { $0 + $1.lineCount }
    }
    guard !parts.isEmpty else { return "" }
    let lines = parts.values.reduce(0, +)
    return "\(lines) \(lines == 1 ? "line" : "lines") in \(parts.count) of these files "
      + "\(lines == 1 ? "is" : "are") for iOS only; --package with --copy compiles the code that can build.\n"
  }

  /// Describes the files that the compiler rejected, and the package that was written.
  ///
  /// - Parameter folder: `nil` for a package that was only tried.
  static func written(_ written: CheckPackage.Written, to folder: String?) -> String {
    var text = ""
    if !written.dropped.isEmpty {
      let files = written.dropped.count == 1 ? "1 file" : "\(written.dropped.count) files"
      text += "The compiler rejects \(files):\n"
      for one in written.dropped {
        text += "  \(one.file):\(one.place.line):\(one.place.column): \(one.reason)\n"
      }
    }
    if !written.gained.isEmpty {
      text += "The compiler accepts although the scan did not:\n"
      for file in written.gained { text += "  \(file)\n" }
    }
    if written.fileCount == 0 { return text }
    if written.forwardedCount > 0 {
      let methods =
        written.forwardedCount == 1 ? "1 delegate method" : "\(written.forwardedCount) delegate methods"
      text += "Added methods without optional parameters that call \(methods) of the app.\n"
    }
    let files = written.fileCount == 1 ? "1 file" : "\(written.fileCount) files"
    guard let folder else { return text }
    let state = written.isCompiled ? "; it compiles" : ""
    text += "\(folder): wrote a package with \(files)\(state). Next: swift test --package-path \(folder)\n"
    return text
  }

  static func summary(_ report: CheckReport) -> String {
    let counts = Counts(report)
    var text = "\(counts.builds) of \(counts.all) files build on Linux with swift-nearby"
    var rest: [String] = []
    if counts.views > 0 {
      rest.append("\(counts.views) \(counts.views == 1 ? "is a view" : "are views")")
    }
    if counts.blocked > 0 {
      rest.append("\(counts.blocked) \(counts.blocked == 1 ? "needs" : "need") a change")
    }
    if counts.waiting > 0 {
      rest.append("\(counts.waiting) only \(counts.waiting == 1 ? "depends" : "depend") on those")
    }
    text += rest.isEmpty ? ".\n" : "; " + rest.joined(separator: ", ") + ".\n"
    text += switchedOffSummary(report) + uncalledSummary(report)
    guard !report.fixes.isEmpty else { return text }
    text += "What to change first:\n"
    for fix in report.fixes.prefix(5) {
      let files = fix.freedCount == 1 ? "1 more file" : "\(fix.freedCount) more files"
      text += "  \(files): \(fix.title)\n"
      text += "      \(fix.path):\(fix.place.line)\n"
    }
    return text
  }

  // MARK: For programs

  static func json(_ report: CheckReport, _ written: CheckPackage.Written? = nil) -> String {
    let counts = Counts(report)
    var line = JSONLine()
    line.add("files", counts.all)
    line.add("builds", counts.builds)
    line.add("views", counts.views)
    line.add("blocked", counts.blocked)
    line.add("waiting", counts.waiting)
    line.add("lines", counts.lines)
    line.add("modules", json: array(report.modules.map(json)))
    line.add("fixes", json: array(report.fixes.map(json)))
    if let written { line.add("package", json: json(written)) }
    return line.closed()
  }

  private static func json(_ written: CheckPackage.Written) -> String {
    var line = JSONLine()
    line.add("files", written.fileCount)
    line.add("compiled", written.isCompiled)
    line.add("forwarded", written.forwardedCount)
    line.add("gained", json: array(written.gained.map { JSONLine.quoted($0) }))
    let dropped = written.dropped.map { one in
      var line = JSONLine()
      line.add("path", text: one.file)
      line.add("line", one.place.line)
      line.add("column", one.place.column)
      line.add("reason", text: one.reason)
      return line.closed()
    }
    line.add("dropped", json: array(dropped))
    return line.closed()
  }

  private static func json(_ part: SwitchedOff) -> String {
    var line = JSONLine()
    line.add("line", part.line)
    line.add("lines", part.lineCount)
    line.add("subjects", json: array(part.subjects.map { "\"\($0)\"" }))
    return line.closed()
  }

  private static func array(_ values: [String]) -> String { "[" + values.joined(separator: ",") + "]" }

  private static func json(_ module: ModuleVerdict) -> String {
    var line = JSONLine()
    line.add("name", text: module.name)
    line.add("test", module.isTest)
    line.add("files", json: array(module.files.map(json)))
    return line.closed()
  }

  private static func json(_ file: FileVerdict) -> String {
    var line = JSONLine()
    line.add("path", text: file.path)
    line.add("state", text: file.state.rawValue)
    line.add("lines", file.lineCount)
    line.add("obstacles", json: array(file.obstacles.map(json)))
    if !file.switchedOff.isEmpty { line.add("switchedOff", json: array(file.switchedOff.map(json))) }
    if !file.uncalled.isEmpty { line.add("uncalled", json: array(file.uncalled.map(json))) }
    return line.closed()
  }

  private static func json(_ method: UncalledMethod) -> String {
    var line = JSONLine()
    line.add("line", method.place.line)
    line.add("column", method.place.column)
    line.add("method", text: method.method)
    line.add("declared", text: method.declared)
    line.add("called", text: method.called)
    return line.closed()
  }

  private static func json(_ obstacle: BuildObstacle) -> String {
    var line = JSONLine()
    line.add("kind", text: obstacle.kind.rawValue)
    line.add("symbol", text: obstacle.symbol)
    line.add("line", obstacle.place.line)
    line.add("column", obstacle.place.column)
    line.add("count", obstacle.count)
    line.add("reason", text: obstacle.reason)
    line.add("advice", text: obstacle.advice)
    if let provider = obstacle.provider { line.add("provider", text: provider) }
    return line.closed()
  }

  private static func json(_ fix: Fix) -> String {
    var line = JSONLine()
    line.add("frees", fix.freedCount)
    line.add("title", text: fix.title)
    line.add("path", text: fix.path)
    line.add("line", fix.place.line)
    line.add("column", fix.place.column)
    return line.closed()
  }
}

extension FileVerdict.State {
  /// Lower is better.
  fileprivate var rank: Int {
    switch self {
    case .builds: 0
    case .waits: 1
    case .blocked: 2
    case .view: 3
    }
  }
}
