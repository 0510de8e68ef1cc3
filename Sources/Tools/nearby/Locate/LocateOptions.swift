import NearbyCommandLine

extension LocateCommand {
  /// What `nearby locate` takes beside `RecordingOptions`.
  enum Options {
    static let json = CommandOption<Bool>.flag("json", "Print only one JSON object a line and range")
    static let truth = CommandOption<Bool>.flag("truth-trajectory", "Use the true track, traj_gt.csv")
    static let vio = CommandOption<Bool>.flag(
      "vio", "Use the tracker's track, traj_vio_semisynthetic.csv")
    static let track = CommandOption<String?>.optional(
      "track", "FILE", "Use these poses, a line 'timestamp tx ty tz qx qy qz qw' each", as: .file)
    static let plot = CommandOption<String?>.optional(
      "plot", "FILE.svg", "Also draw the plan, and errors over time", as: .file)
  }

  static let spec = CommandSpec(
    name: "locate",
    summary: "Find where the objects of a recording are",
    discussion: """
      Runs each antenna's ranges to each object through the locator, along the device's recorded track, and
      tells after every range where the object is, how sure that is, and what the search still lacks. The
      track is that of the tracker (traj_vio_semisynthetic.csv) where there is one, else the true one.
      """,
    arguments: [RecordingOptions.folder],
    options: [
      Options.json, Options.truth, Options.vio, Options.track, Options.plot, RecordingOptions.object,
      RecordingOptions.tag, RecordingOptions.rangeOffset, RecordingOptions.summary,
    ],
    examples: [
      "nearby locate recordings/loop-2d_s5 --truth-trajectory --summary",
      "nearby locate recordings/loop-2d_s5 --vio --object 4 --json",
      "nearby locate recordings/loop-2d_s5 --plot loop.svg --summary",
    ]
  ) { try LocateCommand($0).run(in: $1) }
}
