import Foundation
import NearbyCommandLine
import NearbyPlots
import NearbyPosition
import NearbyRecordings

/// `nearby position FOLDER`.
struct PositionCommand {
  private let folder: String
  private let isJSON: Bool
  private let usesInertial: Bool
  private let plot: String?

  init(_ arguments: CommandArguments) throws(UsageError) {
    folder = try arguments[Options.folder]
    isJSON = try arguments[Options.json]
    usesInertial = try !arguments[Options.withoutInertial]
    plot = try arguments[Options.plot]
  }

  func run(in context: CommandContext) throws(CommandError) {
    let recording = try AnchorFolder.read(folder, "tdoa.csv") { url throws(RecordingError) in
      try PositionRecording(folder: url)
    }
    var replay = try replay(recording)
    var score = PositionScore()
    var rows: [PositionReplay.Row] = []
    var isInterrupted = false
    replay.run { row in
      score.add(row)
      if plot != nil { rows.append(row) }
      if isJSON { context.output.line(PositionText.json(row.estimate)) }
      guard score.rows.isMultiple(of: CommandContext.lookInterval) else { return true }
      isInterrupted = context.interrupt.isRaised
      return !isInterrupted && !context.isOutputClosed()
    }
    if isInterrupted { throw .interrupted }
    if let plot { try PlotFile.write(picture(rows, recording), to: plot) }
    let hasInertial = usesInertial && !recording.inertial.isEmpty
    if !isJSON {
      context.output.write(PositionText.summary(score, replay.solver, hasInertial: hasInertial))
    }
    if score.positions == 0, let reason = replay.solver.estimate().unavailable {
      context.errors.line("nearby: \(folder): no position: \(reason.rawValue)")
    }
  }

  private func replay(_ recording: PositionRecording) throws(CommandError) -> PositionReplay {
    do {
      return try PositionReplay(recording, usesInertial: usesInertial)
    } catch {
      throw .badData("\(folder)/anchors.csv: \(error)")
    }
  }

  private func picture(_ rows: [PositionReplay.Row], _ recording: PositionRecording) -> String {
    PositionPlot(
      title: URL(fileURLWithPath: folder).lastPathComponent, anchors: recording.anchors, rows: rows
    ).svg()
  }
}

extension PositionCommand {
  enum Options {
    static let folder = PositionalArgument<String>.required(
      "FOLDER", "Folder with tdoa.csv and anchors.csv", as: .folder)
    static let json = CommandOption<Bool>.flag("json", "Print only one JSON object per line")
    static let withoutInertial = CommandOption<Bool>.flag("without-imu", "Ignore imu.csv")
    static let plot = CommandOption<String?>.optional(
      "plot", "FILE.svg", "Also draw the plan and the errors over time", as: .svgFile)
  }

  static let spec = CommandSpec(
    name: "position",
    summary: "Compute where a recorded tag was among anchors",
    discussion: """
      Reads time differences to anchors (tdoa.csv), the anchors' places (anchors.csv) and optionally inertial
      readings (imu.csv), and computes the tag's position after each measurement from those before it. Without
      --json it prints a summary, with errors if the recording has the ground truth (truth.csv).
      """,
    arguments: [Options.folder],
    options: [Options.json, Options.withoutInertial, Options.plot],
    examples: [
      "nearby position recordings/flight", "nearby position recordings/flight --json",
      "nearby position recordings/flight --plot flight.svg",
    ]
  ) { try PositionCommand($0).run(in: $1) }
}
