import Foundation
import NearbyCommandLine
import NearbyEstimation
import NearbyRecordings

/// `nearby nlos FEATURES.csv`.
struct NLOSCommand {
  private let file: String
  private let isJSON: Bool
  private let adapts: Bool

  init(_ arguments: CommandArguments) throws(UsageError) {
    file = try arguments[Options.file]
    isJSON = try arguments[Options.json]
    adapts = try arguments[Options.adapt]
  }

  func run(in context: CommandContext) throws(CommandError) {
    var model = BlockedPathModel()
    var summary = NLOSSummary()
    if adapts {
      let adaptation = try adaptation(of: model, in: context)
      if case .shifted(let shift) = adaptation { model.shift = shift }
      summary.adaptation = adaptation
    }
    let rows = try visit(in: context) { row, figures in
      let probability = model.probability(figures)
      summary.add(probability)
      if isJSON {
        context.output.line(NLOSText.json(row: row, probability: probability ?? BlockedPathModel.prior))
      }
    }
    guard summary.rows > 0 else { throw CommandError(RecordingError.empty(file: file)) }
    summary.missingColumns = rows.columns.missing
    summary.missingValues = rows.missingValues
    if !isJSON { context.output.write(NLOSText.summary(summary)) }
  }

  /// What the scores of the whole file say about the site; reads the file once.
  private func adaptation(
    of model: BlockedPathModel, in context: CommandContext
  ) throws(CommandError) -> BlockedPathSite.Adaptation {
    let path = URL(fileURLWithPath: file).resolvingSymlinksInPath().path
    let type = (try? FileManager.default.attributesOfItem(atPath: path))?[.type] as? FileAttributeType
    guard type == nil || type == .typeRegular || type == .typeDirectory else {
      throw .noInput("\(file): not a regular file; \(Options.adapt) has to read it twice")
    }
    var site = BlockedPathSite()
    _ = try visit(in: context) { _, figures in
      if let score = model.score(figures) { site.add(score: score) }
    }
    return site.adaptation()
  }

  /// Calls `body` with the number of each row, from 0, and its figures.
  ///
  /// - Returns: The file as it is after its last row.
  private func visit(
    in context: CommandContext, _ body: (Int, ReceiverFigures) -> Void
  ) throws(CommandError) -> ReceiverFigureFile {
    do throws(RecordingError) {
      var rows = try ReceiverFigureFile(file: URL(fileURLWithPath: file))
      var row = 0
      while !context.interrupt.isRaised, let figures = try rows.next() {
        if row.isMultiple(of: CommandContext.lookInterval), context.isOutputClosed() { break }
        body(row, figures)
        row += 1
      }
      if !context.interrupt.isRaised { return rows }
    } catch {
      throw CommandError(error)
    }
    throw .interrupted
  }
}
