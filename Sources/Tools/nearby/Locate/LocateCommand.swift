import Foundation
import NearbyCommandLine
import NearbyEstimation
import NearbyPlots
import NearbyRecordings

/// `nearby locate FOLDER`.
struct LocateCommand {
  private let options: RecordingOptions
  private let isJSON: Bool
  /// `nil` chooses the tracker's path if the recording has one, else the true path.
  private let choice: RecordedTrackChoice?
  /// A file of TUM poses that replaces the tracker's path.
  private let track: String?
  private let plot: String?

  init(_ arguments: CommandArguments) throws(UsageError) {
    options = try RecordingOptions(arguments)
    isJSON = try arguments[Options.json]
    track = try arguments[Options.track]
    plot = try arguments[Options.plot]
    let tracks: [any DeclaredOption] = [Options.truth, Options.vio, Options.track]
    let choices = tracks.filter { arguments.has($0) }.map { "--\($0.spec.name)" }
    guard choices.count <= 1 else {
      throw .conflict("\(choices[0]) and \(choices[1]) exclude each other")
    }
    choice = try arguments[Options.truth] ? .truth : choices.isEmpty ? nil : .vio
  }

  func run(in context: CommandContext) throws(CommandError) {
    var recording = try RecordingFolder.read(options.folder).choosing(options)
    if let track { recording.trackedPath = try Self.poses(track) }
    let choice = choice ?? (recording.trackedPath.isEmpty ? .truth : .vio)
    try check(choice, in: recording)
    var summary = LocateSummary()
    var picture = LocatePicture(title: URL(fileURLWithPath: options.folder).lastPathComponent)
    var distances: [ReplayRow] = []
    var count = 0
    var (hasPosition, hasTruth) = (false, false)
    var stop: CommandError?
    if !isJSON, !options.isSummaryOnly { context.output.line(LocateText.header) }
    recording.locate(
      along: choice, rangeOffset: options.rangeOffset, usesReceiverFigures: options.usesFigures
    ) { row in
      count += 1
      if count.isMultiple(of: CommandContext.lookInterval) {
        if context.interrupt.isRaised { stop = .interrupted }
        if stop != nil || context.isOutputClosed() { return false }
      }
      summary.add(row)
      if plot != nil { picture.add(row) }
      distances.append(ReplayRow(row))
      if row.estimate?.positionInWorld != nil { hasPosition = true }
      if row.truePosition != nil { hasTruth = true }
      if !options.isSummaryOnly { context.output.line(isJSON ? LocateText.json(row) : LocateText.line(row)) }
      return true
    }
    if let stop { throw stop }
    if let plot { try PlotFile.write(picture.finished().svg(), to: plot) }
    let score = ReplaySummary(distances, rangeOffset: 0).estimateScore
    if isJSON, options.isSummaryOnly { context.output.line(LocateText.summaryJSON(summary, score)) }
    if !isJSON {
      context.output.write((options.isSummaryOnly ? "" : "\n") + LocateText.summary(summary, score))
    }
    if let remark = LocateText.remark(hasPosition: hasPosition, hasTruth: hasTruth) {
      context.errors.line("nearby: \(options.folder): \(remark)")
    }
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
      throw .noInput(
        "\(options.folder): no traj_gt.csv in this folder; locating needs a track of the device, which --track can give"
      )
    case .vio where recording.trackedPath.isEmpty:
      throw .noInput(
        "\(options.folder): no traj_vio_semisynthetic.csv in this folder; use \(Options.truth) for traj_gt.csv"
      )
    case .truth, .vio: break
    }
  }
}
