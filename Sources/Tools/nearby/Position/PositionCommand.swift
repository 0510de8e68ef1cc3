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
  private let bias: String?
  private let lesson: String?

  init(_ arguments: CommandArguments) throws(UsageError) {
    folder = try arguments[Options.folder]
    isJSON = try arguments[Options.json]
    usesInertial = try !arguments[Options.withoutInertial]
    plot = try arguments[Options.plot]
    bias = try arguments[Options.bias]
    lesson = try arguments[Options.learn]
    if lesson != nil, isJSON || plot != nil || bias != nil {
      throw .conflict("\(Options.learn) can't be combined with --json, --plot or --bias")
    }
  }

  func run(in context: CommandContext) throws(CommandError) {
    if let lesson { return try learn(lesson, context) }
    let recording = try AnchorFolder.read(folder, "tdoa.csv or ranges.csv") { url throws(RecordingError) in
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

  /// Learns the anchors' lasting errors and writes them to a file.
  private func learn(_ path: String, _ context: CommandContext) throws(CommandError) {
    let lesson = try BiasLesson(folder, context)
    try BiasFile(lesson.bias).write(to: path)
    context.output.line(
      "\(path): biases of \(lesson.bias.entries.count) anchors from \(lesson.used) differences of "
        + "\(lesson.recordings) recordings")
  }

  private func replay(_ recording: PositionRecording) throws(CommandError) -> PositionReplay {
    let learned = try bias.map { path throws(CommandError) in try BiasFile.read(path) }
    do throws(PositionError) {
      return try PositionReplay(recording, usesInertial: usesInertial, bias: learned)
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
      "FOLDER", "Folder with tdoa.csv or ranges.csv, and anchors.csv", as: .folder)
    static let json = CommandOption<Bool>.flag("json", "Print only one JSON object per line")
    static let withoutInertial = CommandOption<Bool>.flag("without-imu", "Ignore imu.csv")
    static let plot = CommandOption<String?>.optional(
      "plot", "FILE.svg", "Also draw the plan and the errors over time", as: .svgFile)
    static let learn = CommandOption<String?>.optional(
      "learn", "FILE", "Learn the anchors' lasting errors, and write them to FILE", as: .file)
    static let bias = CommandOption<String?>.optional(
      "bias", "FILE", "Subtract the errors that --learn wrote to FILE", as: .file)
  }

  static let spec = CommandSpec(
    name: "position",
    summary: "Compute where a recorded tag was among anchors",
    discussion: """
      Reads time differences between anchors (tdoa.csv), two-way ranges to them (ranges.csv) or both, the
      anchors' places (anchors.csv) and optionally inertial readings (imu.csv), and computes the tag's position
      after each measurement from those before it. Without --json it prints a summary, with errors if the
      recording has the ground truth (truth.csv). --learn computes no positions but learns each anchor's error
      in each direction from recordings with the ground truth: FOLDER may then be a folder of recordings. Learn
      and use it in the same room with the same anchors.
      """,
    arguments: [Options.folder],
    options: [
      Options.json, Options.withoutInertial, Options.plot, Options.learn, Options.bias,
    ],
    examples: [
      "nearby position recordings/flight", "nearby position recordings/flight --json",
      "nearby position recordings/flight --plot flight.svg",
      "nearby position recordings --learn room.json",
      "nearby position recordings/flight --bias room.json",
    ]
  ) { try PositionCommand($0).run(in: $1) }
}
