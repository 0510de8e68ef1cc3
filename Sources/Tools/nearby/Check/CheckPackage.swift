import Foundation
import NearbyCommandLine
import NearbySourceCheck

/// Writes a package of the files that build, with a first test in a simulated world.
struct CheckPackage: Equatable {
  let folder: String
  /// A folder or a git URL; `nil` searches for the package that this command was built from.
  let nearby: String?
  let copies: Bool
  let mayOverwrite: Bool
  /// Whether to trust the scan instead of compiling.
  let isFast: Bool
  /// SwiftPM's folder for build products; `nil` is `.build` in the package.
  let scratch: String?

  /// What was written, and what was not.
  struct Written: Equatable {
    /// Number of the app's files, each counted once even if several targets compile it.
    var fileCount: Int { paths.count }
    /// Files that the scan lets pass and the compiler does not, by their path in the report.
    var dropped: [ModuleTrial.Dropped]
    var isCompiled: Bool
    /// Files that the scan blocks and the compiler accepts.
    var gained: [String] = []
    /// Number of delegate methods beside which a method without optional parameters was written.
    var forwardedCount = 0
    /// Paths of the files that were written.
    var paths: Set<String> = []
  }

  /// Writes nothing but folders if the compiler rejects every file.
  ///
  /// - Parameter sources: The sources that the report is about, with their answers to `#if os(iOS)`.
  func write(
    _ report: CheckReport, _ sources: PlatformAnswers, root: String, table: ModuleTable,
    say: (String) -> Void
  ) throws(CommandError) -> Written {
    try OutputFolder(path: folder, mayOverwrite: mayOverwrite).check()
    let location = try location()
    var targets = PackageTargets.all(report, table: table, besides: location.names)
    guard !targets.isEmpty else { throw .badData("\(folder): not written, because no file builds") }
    var sources = sources
    if copies { sources.forwarding = DelegateForwarding(sources.modules, table: table) }
    for target in targets { try write(target, sources, root) }
    var dropped: [ModuleTrial.Dropped] = []
    if isFast {
      for target in targets where !target.isTest { try writeFirstTest(target, isApart: false) }
    } else {
      if location.mustBuild {
        say("nearby: building swift-nearby's modules, which takes some minutes the first time")
      }
      let compiler = try PackageCompiler(
        folder: place.path, scratch: scratch ?? place.appendingPathComponent(".build").path,
        manifest: CheckManifest(targets: targets, location: location))
      targets = try tried(targets, compiler, &sources, root, &dropped)
    }
    if !targets.isEmpty {
      try write(CheckManifest(targets: targets, location: location).text, to: "Package.swift")
    }
    let paths = Set(targets.flatMap(\.files).map(\.path))
    let blocked = Set(report.files.filter { $0.state != .builds }.map(\.path))
    let scanned = Set(report.files.filter { $0.state == .builds }.map(\.path))
    return Written(
      dropped: dropped, isCompiled: !isFast,
      gained: paths.intersection(blocked).subtracting(scanned).sorted(),
      forwardedCount: targets.flatMap(\.files).reduce(0) {
        $0 + sources.written($1.module, $1.number).forwardedCount
      }, paths: paths)
  }

  // MARK: The compiler

  /// The targets that the compiler accepts, without the files that it does not.
  private func tried(
    _ targets: [PackageTarget], _ compiler: PackageCompiler, _ sources: inout PlatformAnswers, _ root: String,
    _ dropped: inout [ModuleTrial.Dropped]
  ) throws(CommandError) -> [PackageTarget] {
    var accepted: [PackageTarget] = []
    for var target in targets {
      target.siblings.removeAll { name in !accepted.contains { $0.name == name } }
      dropped += try tryOut(&target, accepted, compiler, &sources, root)
      if !target.files.isEmpty, !target.doubtful.isEmpty {
        try tryOutDoubtful(&target, accepted, compiler, sources, root)
      }
      if target.files.isEmpty {
        try? FileManager.default.removeItem(at: url(target.folder))
      } else {
        let imports = target.imports
        target.siblings.removeAll { name in
          !accepted.contains { $0.name == name && imports.contains($0.appName) }
        }
        if !target.isTest { try writeFirstTest(target, compiler) }
        accepted.append(target)
      }
    }
    // Tests alone are no package of an app.
    guard accepted.allSatisfy(\.isTest) else { return accepted }
    let reason = "no module that these tests could import is left"
    for target in accepted {
      try? FileManager.default.removeItem(at: url(target.folder))
      let start = SourcePlace(line: 1, column: 1)
      dropped += target.files.map { ModuleTrial.Dropped(file: $0.path, place: start, reason: reason) }
    }
    return []
  }

  private func tryOut(
    _ target: inout PackageTarget, _ others: [PackageTarget], _ compiler: PackageCompiler,
    _ sources: inout PlatformAnswers, _ root: String
  ) throws(CommandError) -> [ModuleTrial.Dropped] {
    let files = Dictionary(
      target.files.map { (target.path(of: $0), $0) }, uniquingKeysWith: { first, _ in first })
    var trial = ModuleTrial(files: target.files.map(target.path(of:)))
    let aliases = CheckManifest.aliases(of: target, among: others)
    while trial.state == .compiling {
      let outcome = try compiler.compile(target.name, trial.files, isImplicit: true, aliases: aliases)
      var changed: Set<String> = []
      trial.received(outcome) { path, line in
        guard copies, let file = files[path] else { return false }
        let isChanged =
          sources.withdraw(file.module, file.number, line: line)
          || sources.withdrawForwarding(file.module, file.number)
        if isChanged { changed.insert(path) }
        return isChanged
      }
      for path in changed.sorted() { if let file = files[path] { try write(file, target, sources, root) } }
    }
    for dropped in trial.dropped { try? FileManager.default.removeItem(at: url(dropped.file)) }
    target.files = trial.files.compactMap { files[$0] }
    return trial.dropped.map { dropped in
      var dropped = dropped
      dropped.file = files[dropped.file]?.path ?? dropped.file
      return dropped
    }
  }

  /// Adds the files that the scan blocks and the compiler accepts beside the others.
  private func tryOutDoubtful(
    _ target: inout PackageTarget, _ others: [PackageTarget], _ compiler: PackageCompiler,
    _ sources: PlatformAnswers, _ root: String
  ) throws(CommandError) {
    let sure = target.files
    let aliases = CheckManifest.aliases(of: target, among: others)
    for file in target.doubtful { try write(file, target, sources, root) }
    let candidates = target.doubtful.map { (target.path(of: $0), $0) }
    var trial = ModuleTrial(
      files: sure.map(target.path(of:)) + candidates.map(\.0), mostRounds: Self.doubtfulRounds)
    while trial.state == .compiling {
      trial.received(try compiler.compile(target.name, trial.files, isImplicit: true, aliases: aliases))
    }
    let left = Set(trial.files)
    let isBetter = trial.state == .accepted && sure.allSatisfy { left.contains(target.path(of: $0)) }
    if isBetter { target.files = sure + candidates.filter { left.contains($0.0) }.map(\.1) }
    for (path, file) in candidates where !target.files.contains(file) {
      try? FileManager.default.removeItem(at: url(path))
    }
    guard !isBetter else { return }
    // The module that other targets import is again that of the files which the compiler accepted first.
    _ = try compiler.compile(target.name, sure.map(target.path(of:)), isImplicit: true, aliases: aliases)
  }

  /// How often the compiler is asked about the files that the scan blocks, most of which it rejects at once.
  private static let doubtfulRounds = 6

  private func writeFirstTest(_ target: PackageTarget, _ compiler: PackageCompiler) throws(CommandError) {
    for isApart in [false, true] {
      try writeFirstTest(target, isApart: isApart)
      let paths = FirstTest.files(target, isApart: isApart).map(\.path)
      let outcome = try compiler.compile(target.firstTestName, paths, isImplicit: false)
      if outcome == .accepted { return }
    }
  }

  private func writeFirstTest(_ target: PackageTarget, isApart: Bool) throws(CommandError) {
    if mayOverwrite { try? FileManager.default.removeItem(at: url("Tests/" + target.firstTestName)) }
    for (path, text) in FirstTest.files(target, isApart: isApart) { try write(text, to: path) }
  }

  // MARK: The disk

  private var place: URL { URL(fileURLWithPath: folder).standardizedFileURL }
  private func url(_ path: String) -> URL { place.appendingPathComponent(path) }

  private func write(_ text: String, to path: String) throws(CommandError) {
    try write([UInt8](text.utf8), to: path)
  }

  private func write(_ octets: [UInt8], to path: String) throws(CommandError) {
    let place = url(path)
    do {
      try FileManager.default.createDirectory(
        at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(octets).write(to: place)
    } catch {
      throw .inputOutput("\(place.path): can't be written: \(error.localizedDescription)")
    }
  }

  private func write(
    _ target: PackageTarget, _ sources: PlatformAnswers, _ root: String
  ) throws(CommandError) {
    // Remove files of an earlier call, which may no longer build.
    if mayOverwrite { try? FileManager.default.removeItem(at: url(target.folder)) }
    for file in target.files { try write(file, target, sources, root) }
  }

  private func write(
    _ file: PackageTarget.File, _ target: PackageTarget, _ sources: PlatformAnswers, _ root: String
  ) throws(CommandError) {
    let path = target.path(of: file)
    guard !copies else {
      return try write(sources.written(file.module, file.number).octets, to: path)
    }
    let place = url(path)
    do {
      try FileManager.default.createDirectory(
        at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
      try FileManager.default.createSymbolicLink(
        atPath: place.path, withDestinationPath: root + "/" + file.path)
    } catch {
      throw .inputOutput("\(place.path): can't be written: \(error.localizedDescription)")
    }
  }
}
