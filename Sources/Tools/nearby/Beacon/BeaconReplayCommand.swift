import Foundation
import NearbyBeacons
import NearbyCommandLine
import NearbyRecordings
import NearbyTextForms

/// `nearby beacon replay FILE`.
struct BeaconReplayCommand {
  /// Maximum number of names in an error message.
  private static let mostListed = 20

  private let file: String
  private let isJSON: Bool
  private let isSummaryOnly: Bool
  private let isAlone: Bool
  private let beacon: String?
  /// dBm at 1 m.
  private let power: Double?

  init(_ arguments: CommandArguments) throws(UsageError) {
    file = try arguments[Options.file]
    isJSON = try arguments[Options.json]
    isSummaryOnly = try arguments[Options.summary]
    isAlone = try arguments[Options.alone]
    beacon = try arguments[Options.beacon]
    power = try arguments[Options.power]
  }

  func run(in context: CommandContext) throws(CommandError) {
    let replay = BeaconReplay(try read(), power: power, isAlone: isAlone)
    // Replay all beacons, because sensors that are evaluated together need each other; print only the chosen one.
    let rows = replay.rows().filter { beacon == nil || $0.beacon == beacon }
    if !isSummaryOnly { try printRows(rows, in: context) }
    let summary = BeaconReplaySummary(rows)
    switch (isJSON, isSummaryOnly) {
    case (false, true): context.output.write(BeaconReplayText.summary(summary, of: replay))
    case (false, false): context.output.write("\n" + BeaconReplayText.summary(summary, of: replay))
    case (true, true): context.output.line(BeaconReplayText.summaryJSON(summary, of: replay))
    case (true, false): break
    }
  }

  private func read() throws(CommandError) -> RSSIRecording {
    do {
      let recording = try RSSIRecording(file: URL(fileURLWithPath: file))
      if let beacon, !recording.names.contains(beacon) {
        let known = recording.names.sorted { ($0.count, $0) < ($1.count, $1) }.prefix(Self.mostListed)
        let list = known.joined(separator: ", ")
        throw CommandError.badData(
          "\(Options.beacon): found '\(beacon)', expected one of \(list)")
      }
      return recording
    } catch let error as RecordingError {
      throw CommandError(error)
    } catch let error as CommandError {
      throw error
    } catch {
      throw CommandError.inputOutput("\(file): \(error)")
    }
  }

  private func printRows(_ rows: [BeaconReplayRow], in context: CommandContext) throws(CommandError) {
    if !isJSON { context.output.line(BeaconReplayText.header) }
    for (index, row) in rows.enumerated() {
      if index.isMultiple(of: CommandContext.lookInterval) {
        if context.interrupt.isRaised { throw .interrupted }
        if context.isOutputClosed() { return }
      }
      context.output.line(isJSON ? BeaconReplayText.json(row) : BeaconReplayText.line(row))
    }
  }
}
