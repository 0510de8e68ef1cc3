import NearbyCampaigns
import NearbyCommandLine

/// `nearby campaign report FILE…`.
struct CampaignReportCommand {
  private enum Options {
    static let against = CommandOption<[String]>.list(
      "against", "FILE", "Results of an earlier campaign to compare with; may be repeated", as: .file)
    static let junit = CommandOption<String?>.optional(
      "junit", "FILE", "Write a JUnit report, which CI systems show", as: .file)
    static let html = CommandOption<String?>.optional(
      "html", "FILE", "Write a page with plots, which needs no other file", as: .file)
    static let files = PositionalArgument<[String]>.list(
      "FILE", "Results of 'nearby campaign run'; several are parts of one campaign", as: .file)
  }

  static let spec = CommandSpec(
    name: "report",
    summary: "Show the scores of a campaign, and the seeds that failed",
    discussion: """
      For each scenario and its settings: the median of each score with its 95 % interval by the bootstrap, the
      90th percentile, and the seeds that broke a bound, each with the command that runs it again. The command
      ends with 65 if a run broke a bound.
      """,
    arguments: [Options.files],
    options: [Options.against, Options.junit, Options.html, CommonOptions.json],
    examples: [
      "nearby campaign report results.jsonl --html report.html",
      "nearby campaign report part*.jsonl --junit junit.xml",
      "nearby campaign report new.jsonl --against old.jsonl",
    ]
  ) { try CampaignReportCommand($0).run(in: $1) }

  private let files: [String]
  private let against: [String]
  private let junit: String?
  private let html: String?
  private let isJSON: Bool

  init(_ arguments: CommandArguments) throws(UsageError) {
    files = try arguments[Options.files]
    against = try arguments[Options.against]
    junit = try arguments[Options.junit]
    html = try arguments[Options.html]
    isJSON = try arguments[CommonOptions.json]
  }

  func run(in context: CommandContext) throws(CommandError) {
    let report = try Self.report(files, context)
    let before = against.isEmpty ? nil : try Self.report(against, context)
    let comparison = before.map { CampaignComparison(before: $0, after: report) }
    if let comparison, comparison.groups.isEmpty {
      throw .badData("the campaigns have no scenario with the same settings in common")
    }
    if let junit { try PlotFile.write(JUnitReport.text(report), to: junit) }
    if let html { try PlotFile.write(HTMLReport.text(report, against: before), to: html) }
    let lines =
      isJSON
      ? comparison.map(ReportText.json) ?? ReportText.json(report)
      : ReportText.lines(report) + (comparison.map { [""] + ReportText.lines($0) } ?? [])
    for line in lines { context.output.line(line) }
    guard report.failedCount == 0 else { throw CommandError(code: .badData, message: "") }
  }

  private static func report(
    _ paths: [String], _ context: CommandContext
  ) throws(CommandError) -> CampaignReport {
    do throws(CampaignResults.Failure) {
      let results = try CampaignResults(reading: paths)
      for path in results.cutFiles {
        context.errors.line("nearby: \(path): the last line is cut and was left out")
      }
      return CampaignReport(results)
    } catch {
      switch error {
      case .system: throw .noInput("\(error)")
      case .noResult, .tooLong, .empty: throw .badData("\(error)")
      }
    }
  }
}
