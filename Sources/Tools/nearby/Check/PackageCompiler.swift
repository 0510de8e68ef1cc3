import Foundation
import NearbyCommandLine
import NearbySourceCheck

/// Compiles the modules of a written package, one at a time, against swift-nearby's built modules.
struct PackageCompiler {
  /// The package's folder; the compiler's paths are relative to it.
  let folder: String
  /// Options for swift-nearby's modules.
  private let options: [String]
  private let work: URL
  private let deadline: Date

  /// Limit on one run of the compiler, seconds; a module of a thousand files takes less than half of it.
  static let moduleLimit = 180
  /// Limit on building swift-nearby, seconds.
  private static let buildLimit = 2400
  /// Limit on all trials of a package together, seconds.
  private static let totalLimit = 1800.0

  /// Builds swift-nearby's modules with the package's own settings, unless they are prebuilt.
  ///
  /// - Parameter scratch: SwiftPM's folder for build products. If it is the package's own, `swift test` uses them again.
  init(folder: String, scratch: String, manifest: CheckManifest) throws(CommandError) {
    self.folder = folder
    let place = URL(fileURLWithPath: scratch).appendingPathComponent("nearby-check")
    let package = place.appendingPathComponent("Dependencies")
    work = place.appendingPathComponent("Modules")
    do {
      let sources = package.appendingPathComponent("Sources/Dependencies")
      try FileManager.default.createDirectory(at: sources, withIntermediateDirectories: true)
      try Data().write(to: sources.appendingPathComponent("Empty.swift"))
      try Data(manifest.dependenciesText.utf8).write(to: package.appendingPathComponent("Package.swift"))
      try? FileManager.default.removeItem(at: work)
      try FileManager.default.createDirectory(at: work, withIntermediateDirectories: true)
    } catch {
      throw .inputOutput("\(place.path): can't be written: \(error.localizedDescription)")
    }
    options =
      if case .prebuilt(let modules) = manifest.location {
        modules.compilerOptions + ["-module-cache-path", place.path + "/ModuleCache"]
      } else {
        try Self.built(manifest, package: package.path, scratch: scratch)
      }
    deadline = Date(timeIntervalSinceNow: Self.totalLimit)
  }

  /// Builds swift-nearby's modules.
  ///
  /// - Returns: The compiler's options for them.
  private static func built(
    _ manifest: CheckManifest, package: String, scratch: String
  ) throws(CommandError) -> [String] {
    let words = ["build", "--package-path", package, "--scratch-path", scratch]
    let build = try SwiftRun(program: "swift", arguments: words, limit: buildLimit).result()
    guard build.isSuccess else { throw failure(build) }
    let path = try SwiftRun(program: "swift", arguments: words + ["--show-bin-path"], limit: 60).result()
    let lines = path.output.split(whereSeparator: \.isNewline)
    guard path.isSuccess, let bin = lines.last(where: { $0.hasPrefix("/") }) else { throw failure(path) }
    let source =
      if case .folder(let folder) = manifest.location {
        folder
      } else {
        scratch + "/checkouts/" + manifest.packageName
      }
    return ["-I", bin + "/Modules", "-module-cache-path", bin + "/ModuleCache"]
      + moduleMaps(below: source + "/Sources").flatMap { ["-Xcc", "-fmodule-map-file=" + $0] }
  }

  private static func failure(_ run: SwiftRun.Result) -> CommandError {
    let lines = run.output.split(whereSeparator: \.isNewline)
    let first = lines.first { $0.contains("error:") } ?? lines.last ?? "no output"
    return .unavailable(
      "can't build swift-nearby for the check: \(first.prefix(300)); --fast checks without the compiler")
  }

  private static func moduleMaps(below folder: String) -> [String] {
    let found = FileManager.default.enumerator(atPath: folder)
    var maps: [String] = []
    while let path = found?.nextObject() as? String {
      if path.hasSuffix("/module.modulemap") { maps.append(folder + "/" + path) }
    }
    return maps.sorted()
  }

  /// Compiles a target's files as SwiftPM will, except for machine code.
  ///
  /// - Parameters:
  ///   - name: The module's name.
  ///   - files: Paths below the package's folder.
  ///   - isImplicit: Whether the modules that Foundation brings along are imported.
  ///   - aliases: `old=new` for each module that is imported under another name.
  func compile(
    _ name: String, _ files: [String], isImplicit: Bool, aliases: [String] = []
  ) throws(CommandError) -> ModuleTrial.Outcome {
    let left = Int(deadline.timeIntervalSinceNow)
    guard left > 0 else { return .timedOut(seconds: Int(Self.totalLimit)) }
    let limit = min(left, Self.moduleLimit)
    let list = work.appendingPathComponent(name + ".files")
    do {
      let quoted = files.map { "'" + $0.replacingOccurrences(of: "'", with: "'\\''") + "'" }
      try Data(quoted.joined(separator: "\n").utf8).write(to: list)
    } catch {
      throw .inputOutput("\(list.path): can't be written: \(error.localizedDescription)")
    }
    let hasMain = files.contains { $0.hasSuffix("/main.swift") }
    var words = [
      "-module-name", name, "-emit-module", "-emit-module-path", work.path + "/" + name + ".swiftmodule",
      "-wmo", "-Onone", "-enable-testing", "-swift-version", "5", "-DSWIFT_PACKAGE", "-DDEBUG",
      "-I", work.path, "-suppress-warnings", "-diagnostic-style", "llvm", "-package-name", "app",
    ]
    words += options
    if !hasMain { words.append("-parse-as-library") }
    if isImplicit {
      for module in CheckManifest.implicitImports {
        words += ["-Xfrontend", "-import-module", "-Xfrontend", module]
      }
    }
    for alias in aliases { words += ["-module-alias", alias] }
    let run = try SwiftRun(
      program: "swiftc", arguments: words + ["@" + list.path], folder: folder, limit: limit
    ).result()
    return Self.outcome(run, limit)
  }

  private static func outcome(_ run: SwiftRun.Result, _ limit: Int) -> ModuleTrial.Outcome {
    switch run.ending {
    case .exited(0): .accepted
    case .timedOut: .timedOut(seconds: limit)
    case .signalled: .crashed(output: run.output)
    case .exited:
      run.output.contains("Stack dump:")
        ? .crashed(output: run.output) : .rejected(CompilerMessage.errors(in: run.output))
    }
  }
}
