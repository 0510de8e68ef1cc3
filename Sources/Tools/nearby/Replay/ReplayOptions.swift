import NearbyCommandLine

extension ReplayCommand {
  /// The options of `nearby replay`, in addition to `RecordingOptions`.
  enum Options {
    static let json = CommandOption<Bool>.flag(
      "json", "Print only one JSON object per line: t, object, tag, range, distance, sigma")
    static let plot = CommandOption<String?>.optional(
      "plot", "FILE.svg", "Also draw ranges and estimates over time", as: .svgFile)
  }

  static let spec = CommandSpec(
    name: "replay",
    summary: "Estimate distances from a recording",
    discussion: """
      Prints each range, raw and estimated with its standard deviation, and a summary. If the recording has the
      ground truth, the summary compares them. FOLDER contains ranges.csv, and optionally traj_gt.csv,
      objects_gt.csv and tags.csv.

      If FOLDER contains files base1_targ2.csv, or subfolders with such files, and antennas.csv, it is a recording
      of ranges between bodies with several antennas each; prints where the target is and how it is turned, as
      seen from the base.
      """,
    arguments: [RecordingOptions.folder],
    options: [
      Options.json, Options.plot, RecordingOptions.object, RecordingOptions.tag, RecordingOptions.rangeOffset,
      RecordingOptions.ignoreFigures, RecordingOptions.summary,
    ],
    examples: [
      "nearby replay recordings/loop-2d_s5",
      "nearby replay recordings/loop-2d_s5 --object 4 --plot loop.svg --summary",
    ]
  ) { try ReplayCommand($0).run(in: $1) }
}
