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
    package = try arguments[Options.package].map {
      CheckPackage(folder: $0, nearby: nearby, copies: copies, mayOverwrite: mayOverwrite)
    }
  }

  func run(in context: CommandContext) throws(CommandError) {
    let folder = try ProjectFolder(path)
    folder.remarks.forEach { context.errors.line("nearby: \($0)") }
    let report = ProjectCheck.report(folder.modules, table: try Self.table())
    if isJSON {
      context.output.line(CheckText.json(report))
    } else {
      if !isSummaryOnly { context.output.write(CheckText.files(report)) }
      context.output.write(CheckText.summary(report))
    }
    if let package {
      let written = try package.write(report, root: folder.root)
      if !isJSON { context.output.write(written) }
    }
    let counts = CheckText.Counts(report)
    if isStrict, counts.blocked + counts.waiting > 0 {
      throw .badData("\(counts.blocked + counts.waiting) files do not build on Linux yet")
    }
  }

  private static func table() throws(CommandError) -> ModuleTable {
    do throws(NameTableError) {
      return try ModuleTable.linux()
    } catch {
      throw .noInput("\(error)")
    }
  }
}
