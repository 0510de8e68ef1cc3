import Foundation
import NearbyCommandLine
import NearbyPlots
import NearbyRecordings

/// `nearby replay FOLDER`.
struct ReplayCommand {
  let options: RecordingOptions
  let isJSON: Bool
  let plot: String?

  init(_ arguments: CommandArguments) throws(UsageError) {
    options = try RecordingOptions(arguments)
    isJSON = try arguments[Options.json]
    plot = try arguments[Options.plot]
  }

  func run(in context: CommandContext) throws(CommandError) {
    if Self.holdsBodies(options.folder) { return try runBodies(in: context) }
    let recording = try RecordingFolder.read(options.folder).choosing(options)
    let rows = recording.replay(
      rangeOffset: options.rangeOffset, usesReceiverFigures: options.usesFigures)
    if !options.isSummaryOnly { try printRows(rows, in: context) }
    if let plot { try PlotFile.write(ReplayPlot.plot(rows, title: title).svg(), to: plot) }
    var summary = ReplaySummary(rows, rangeOffset: options.rangeOffset)
    summary.missingValues = recording.missingValues
    switch (isJSON, options.isSummaryOnly) {
    case (false, true): context.output.write(ReplayText.summary(summary))
    case (false, false): context.output.write("\n" + ReplayText.summary(summary))
    case (true, true): context.output.line(ReplayText.summaryJSON(summary))
    case (true, false): break
    }
  }

  private var title: String { URL(fileURLWithPath: options.folder).lastPathComponent }

  private func printRows(_ rows: [ReplayRow], in context: CommandContext) throws(CommandError) {
    if !isJSON { context.output.line(ReplayText.header) }
    for (index, row) in rows.enumerated() {
      if index.isMultiple(of: CommandContext.lookInterval) {
        if context.interrupt.isRaised { throw .interrupted }
        if context.isOutputClosed() { return }
      }
      context.output.line(isJSON ? ReplayText.json(row) : ReplayText.line(row))
    }
  }
}
