import Foundation
import NearbyCommandLine
import NearbyRecordings

extension ReplayCommand {
  /// Whether a folder holds ranges between bodies with several antennas each, and none to single objects.
  static func holdsBodies(_ path: String) -> Bool {
    let folder = URL(fileURLWithPath: path, isDirectory: true)
    let single = folder.appendingPathComponent("ranges.csv").path
    return !FileManager.default.fileExists(atPath: single) && BodyRecording.isRecording(folder)
  }

  /// Estimates and prints the pose of each body as seen from the other.
  func runBodies(in context: CommandContext) throws(CommandError) {
    if plot != nil { throw .badData("--plot: \(options.folder) has no single distances to draw") }
    if options.object != nil || options.tag != nil {
      throw .badData("--object, --tag: \(options.folder) has ranges between bodies, not to objects")
    }
    let recording = try AnchorFolder.read(options.folder, "base1_targ2.csv") {
      folder throws(RecordingError) in
      try BodyRecording(folder: folder)
    }
    let rows = recording.replay(rangeOffset: options.rangeOffset)
    if !options.isSummaryOnly { try printBodies(rows, in: context) }
    let summary = BodyReplaySummary(recording, rows)
    switch (isJSON, options.isSummaryOnly) {
    case (false, true): context.output.write(BodyReplayText.summary(summary))
    case (false, false): context.output.write("\n" + BodyReplayText.summary(summary))
    case (true, true): context.output.line(BodyReplayText.summaryJSON(summary))
    case (true, false): break
    }
  }

  private func printBodies(_ rows: [BodyReplayRow], in context: CommandContext) throws(CommandError) {
    if !isJSON { context.output.line(BodyReplayText.header) }
    for (index, row) in rows.enumerated() {
      if index.isMultiple(of: CommandContext.lookInterval) {
        if context.interrupt.isRaised { throw .interrupted }
        if context.isOutputClosed() { return }
      }
      context.output.line(isJSON ? BodyReplayText.json(row) : BodyReplayText.line(row))
    }
  }
}
