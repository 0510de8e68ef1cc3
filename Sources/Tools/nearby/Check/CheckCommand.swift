import Foundation
import NearbyCommandLine
import NearbySourceCheck

/// `nearby check PATH`.
struct CheckCommand {
  private let path: String
  private let isJSON: Bool
  private let isSummaryOnly: Bool
  private let isStrict: Bool
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
    package = try arguments[Options.package].map {
      CheckPackage(
        folder: $0, nearby: nearby, copies: copies, mayOverwrite: mayOverwrite, isFast: isFast,
        scratch: scratch)
    }
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
    let report = ProjectCheck.report(sources.modules, table: table, implicit: implicit)
    if !isJSON {
      if !isSummaryOnly { context.output.write(CheckText.files(report)) }
      context.output.write(CheckText.summary(report))
    }
    let written: CheckPackage.Written?
    do throws(CommandError) {
      written = try write(report, sources, folder.root, table, in: context)
      if isJSON { context.output.line(CheckText.json(report, written)) }
    } catch {
      if isJSON { context.output.line(CheckText.json(report)) }
      throw error
    }
    if let written, written.fileCount == 0, let package {
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
    let written = try package.write(report, sources, root: root, table: table) { context.errors.line($0) }
    if !isJSON { context.output.write(CheckText.written(written, to: package.folder)) }
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
