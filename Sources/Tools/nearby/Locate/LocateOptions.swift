import NearbyCommandLine

extension LocateCommand {
  /// The options of `nearby locate`, in addition to `RecordingOptions`.
  enum Options {
    static let json = CommandOption<Bool>.flag("json", "Print only one JSON object per range and line")
    static let truth = CommandOption<Bool>.flag("truth-trajectory", "Use the true track, traj_gt.csv")
    static let vio = CommandOption<Bool>.flag(
      "vio", "Use the tracker's track, traj_vio_semisynthetic.csv")
    static let track = CommandOption<String?>.optional(
      "track", "FILE", "Use these poses, one 'timestamp tx ty tz qx qy qz qw' per line", as: .file)
    static let plot = CommandOption<String?>.optional(
      "plot", "FILE.svg", "Also draw the plan, and the errors over time", as: .svgFile)
  }

  static let spec = CommandSpec(
    name: "locate",
    summary: "Locate the objects of a recording",
    discussion: """
      Locates each object from the ranges of each antenna along the device's recorded track. After every range it
      prints the object's position, its standard deviation, and what the search still needs. The track is the
      tracker's (traj_vio_semisynthetic.csv) if the recording has it, else the true one.
      """,
    arguments: [RecordingOptions.folder],
    options: [
      Options.json, Options.truth, Options.vio, Options.track, Options.plot, RecordingOptions.object,
      RecordingOptions.tag, RecordingOptions.rangeOffset, RecordingOptions.ignoreFigures,
      RecordingOptions.summary,
    ],
    examples: [
      "nearby locate recordings/loop-2d_s5 --truth-trajectory --summary",
      "nearby locate recordings/loop-2d_s5 --vio --object 4 --json",
      "nearby locate recordings/loop-2d_s5 --plot loop.svg --summary",
    ]
  ) { try LocateCommand($0).run(in: $1) }
}
