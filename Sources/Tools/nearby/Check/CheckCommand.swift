import Foundation
import NearbyCommandLine
import NearbySourceCheck

/// `nearby check PATH`.
struct CheckCommand {
  private let path: String
  private let isJSON: Bool
  private let isSummaryOnly: Bool
  private let isStrict: Bool
  /// Whether the package is only tried and then removed.
  private let isTrial: Bool
  private let package: CheckPackage?

  init(_ arguments: CommandArguments) throws(UsageError) {
    path = try arguments[Options.path]
    isJSON = try arguments[Options.json]
    isSummaryOnly = try arguments[Options.summary]
    isStrict = try arguments[Options.strict]
    let nearby = try arguments[Options.nearby]
    let copies = try arguments[Options.copy]
    let mayOverwrite = try arguments[CommonOptions.force]
    let isFast = try arguments[Options.fast]
    let scratch = try arguments[Options.scratch]
    let folder = try arguments[Options.package]
    isTrial = try arguments[Options.compile] && folder == nil
    if isFast, isTrial {
      throw UsageError.conflict("\(Options.compile) and \(Options.fast) exclude each other")
    }
    package = (isTrial ? Self.trialFolder() : folder).map {
      CheckPackage(
        folder: $0, nearby: nearby, copies: copies, mayOverwrite: mayOverwrite, isFast: isFast,
        scratch: scratch)
    }
  }

  /// A folder for a package that is removed in the end.
  private static func trialFolder() -> String {
    FileManager.default.temporaryDirectory.appendingPathComponent("nearby-check-" + UUID().uuidString).path
  }

  func run(in context: CommandContext) throws(CommandError) {
    let folder = try ProjectFolder(path)
    folder.remarks.forEach { context.errors.line("nearby: \($0)") }
    let table = try Self.table()
    // What the package imports by itself need not be in the sources.
    let implicit = package == nil ? [] : CheckManifest.implicitImports
    let sources =
      package?.copies == true
      ? PlatformAnswers(folder.modules, table: table, implicit: implicit)
      : PlatformAnswers(plain: folder.modules)
    let scan = ProjectCheck.report(sources.modules, table: table, implicit: implicit)
    if !isJSON, !isSummaryOnly { context.output.write(CheckText.files(scan)) }
    let written: CheckPackage.Written?
    do throws(CommandError) {
      written = try write(scan, sources, folder.root, table, in: context)
    } catch {
      context.output.write(isJSON ? CheckText.json(scan) + "\n" : CheckText.summary(scan))
      throw error
    }
    let report = written.map { scan.compiled(dropped: $0.dropped, accepted: $0.paths) } ?? scan
    context.output.write(isJSON ? CheckText.json(report, written) + "\n" : CheckText.summary(report))
    try judge(report, written)
  }

  private func judge(_ report: CheckReport, _ written: CheckPackage.Written?) throws(CommandError) {
    if let written, written.fileCount == 0, let package, !isTrial {
      throw .badData("\(package.folder): not written, because the compiler rejects every file")
    }
    let counts = CheckText.Counts(report)
    if isStrict, counts.blocked + counts.waiting > 0 {
      throw .badData("\(counts.blocked + counts.waiting) files do not build on Linux yet")
    }
  }

  private func write(
    _ report: CheckReport, _ sources: PlatformAnswers, _ root: String, _ table: ModuleTable,
    in context: CommandContext
  ) throws(CommandError) -> CheckPackage.Written? {
    guard let package else { return nil }
    // Nothing to ask the compiler about.
    if isTrial, report.count(.builds) == 0 { return nil }
    defer { if isTrial { try? FileManager.default.removeItem(atPath: package.folder) } }
    let written = try package.write(report, sources, root: root, table: table) { context.errors.line($0) }
    if !isJSON { context.output.write(CheckText.written(written, to: isTrial ? nil : package.folder)) }
    return written
  }

  private static func table() throws(CommandError) -> ModuleTable {
    do throws(NameTableError) {
      return try ModuleTable.linux()
    } catch {
      throw .noInput("\(error)")
    }
  }
}
