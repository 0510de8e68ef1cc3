import Foundation
import NearbyCommandLine
import NearbyRecordings
import NearbySounding

/// `nearby sounding FOLDER`.
struct SoundingCommand {
  private let folder: String
  private let isJSON: Bool
  private let isSummaryOnly: Bool
  private let offsets: SoundingValues

  init(_ arguments: CommandArguments) throws(UsageError) {
    folder = try arguments[Options.folder]
    isJSON = try arguments[Options.json]
    isSummaryOnly = try arguments[Options.summary]
    offsets = SoundingValues(
      impulseResponse: try arguments[Options.impulseResponse],
      phaseSlope: try arguments[Options.phaseSlope], roundTrip: try arguments[Options.roundTrip])
  }

  func run(in context: CommandContext) throws(CommandError) {
    let recording = try read()
    var summary = SoundingReplaySummary()
    var isStopped = false
    if !isJSON, !isSummaryOnly { context.output.line(SoundingText.header) }
    recording.replay(offsets: offsets) { row in
      if row.index.isMultiple(of: CommandContext.lookInterval) {
        isStopped = context.interrupt.isRaised
        if isStopped || context.isOutputClosed() { return false }
      }
      summary.add(row)
      if !isSummaryOnly { context.output.line(isJSON ? SoundingText.json(row) : SoundingText.line(row)) }
      return true
    }
    if isStopped { throw .interrupted }
    switch (isJSON, isSummaryOnly) {
    case (false, true): context.output.write(SoundingText.summary(summary))
    case (false, false): context.output.write("\n" + SoundingText.summary(summary))
    case (true, true): context.output.line(SoundingText.summaryJSON(summary))
    case (true, false): break
    }
  }

  private func read() throws(CommandError) -> SoundingRecording {
    let url = try RecordingFolder.url(folder, with: SoundingRecording.fileName)
    do {
      return try SoundingRecording(folder: url)
    } catch {
      throw CommandError(error)
    }
  }
}
