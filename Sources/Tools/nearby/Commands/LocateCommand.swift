import Foundation
import NearbyEstimation
import NearbyRecordings

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
  /// A file of poses in TUM form that takes the tracker's place.
  private let track: String?
  private let plot: String?

  init(_ arguments: Arguments) throws(UsageError) {
    folder = arguments.positionals[0]
    isJSON = arguments.has("json")
    isSummaryOnly = arguments.has("summary")
    object = arguments.text("object")
    tag = arguments.text("tag")
    rangeOffset = try arguments.requiredValue("radio-offset", as: .number(-1000...1000, unit: "metres"))
    track = arguments.text("track")
    plot = arguments.text("plot")
    let choices = ["truth-trajectory", "vio", "track"].filter { arguments.has($0) }
    guard choices.count <= 1 else {
      throw .conflict("--\(choices[0]) and --\(choices[1]) can't both be; expected one of them")
    }
    choice = arguments.has("truth-trajectory") ? .truth : choices.isEmpty ? nil : .vio
  }

  func run(in context: CommandContext) throws(CommandError) {
    var recording = try RecordingFolder.read(folder).choosing(object: object, tag: tag, folder: folder)
    if let track { recording.trackedPath = try Self.poses(track) }
    let choice = choice ?? (recording.trackedPath.isEmpty ? .truth : .vio)
    try check(choice, in: recording)
    var summary = LocateSummary()
    var picture = LocatePicture(title: URL(fileURLWithPath: folder).lastPathComponent)
    var distances: [ReplayRow] = []
    var count = 0
    var stop: CommandError?
    if !isJSON, !isSummaryOnly { context.output.line(LocateText.header) }
    recording.locate(along: choice, rangeOffset: rangeOffset) { row in
      count += 1
      if count.isMultiple(of: 256) {
        if context.interrupt.isRaised { stop = .interrupted }
        if stop != nil || context.isOutputClosed() { return false }
      }
      summary.add(row)
      if plot != nil { picture.add(row) }
      distances.append(ReplayRow(row))
      if !isSummaryOnly { context.output.line(isJSON ? LocateText.json(row) : LocateText.line(row)) }
      return true
    }
    if let stop { throw stop }
    if let plot { try PlotFile.write(picture.finished().svg(), to: plot) }
    let score = ReplaySummary(distances, rangeOffset: 0).estimateScore
    if isJSON, isSummaryOnly { context.output.line(LocateText.summaryJSON(summary, score)) }
    if !isJSON { context.output.write((isSummaryOnly ? "" : "\n") + LocateText.summary(summary, score)) }
  }

  private static func poses(_ path: String) throws(CommandError) -> [RecordedPose] {
    do {
      return try Recording.poses(tum: URL(fileURLWithPath: path))
    } catch {
      throw CommandError(error)
    }
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
