import Estimation
import Foundation
import NearbyRuntime
import Recordings

/// `nearby locate FOLDER`.
struct LocateCommand {
  private let folder: String
  private let isJSON: Bool
  private let isSummaryOnly: Bool
  private let object: String?
  private let tag: String?
  /// Metres.
  private let rangeOffset: Double
  /// `nil`: the tracker's path where the recording has one, else the true one.
  private let choice: RecordedTrackChoice?

  init(_ arguments: Arguments) throws(UsageError) {
    folder = arguments.positionals[0]
    isJSON = arguments.has("json")
    isSummaryOnly = arguments.has("summary")
    object = arguments.text("object")
    tag = arguments.text("tag")
    rangeOffset = try arguments.requiredValue("radio-offset", as: .number(-1000...1000, unit: "metres"))
    choice = arguments.has("truth-trajectory") ? .truth : arguments.has("vio") ? .vio : nil
  }

  func run(in context: CommandContext) throws(CommandError) {
    let recording = try RecordingFolder.read(folder).choosing(object: object, tag: tag, folder: folder)
    let track = choice ?? (recording.trackedPath.isEmpty ? .truth : .vio)
    try check(track, in: recording)
    var summary = LocateSummary()
    var count = 0
    var stop: CommandError?
    if !isJSON, !isSummaryOnly { context.output.line(LocateText.header) }
    recording.locate(along: track, rangeOffset: rangeOffset) { row in
      count += 1
      if count.isMultiple(of: 256) {
        if context.interrupt.isRaised { stop = .interrupted }
        if stop != nil || context.isOutputClosed() { return false }
      }
      summary.add(row)
      if !isSummaryOnly { context.output.line(isJSON ? LocateText.json(row) : LocateText.line(row)) }
      return true
    }
    if let stop { throw stop }
    if isJSON, isSummaryOnly { context.output.line(LocateText.summaryJSON(summary)) }
    if !isJSON { context.output.write((isSummaryOnly ? "" : "\n") + LocateText.summary(summary)) }
  }

  private func check(_ track: RecordedTrackChoice, in recording: Recording) throws(CommandError) {
    switch track {
    case .truth where recording.truePath.isEmpty:
      throw .noInput("\(folder): no traj_gt.csv in this folder; locating needs a track of the device")
    case .vio where recording.trackedPath.isEmpty:
      throw .noInput(
        "\(folder): no traj_vio_semisynthetic.csv in this folder; --truth-trajectory uses traj_gt.csv")
    case .truth, .vio: break
    }
  }
}
