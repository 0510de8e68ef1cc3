import NearbyCommandLine

extension SimulateCommand {
  /// The options of `nearby simulate`.
  enum Options {
    static let scenario = PositionalArgument<String>.required(
      "SCENARIO", "Scenario file, JSON with comments", as: .file)
    static let device = CommandOption<String?>.optional(
      "device", "NAME", "Device that records (default: the first of the first pair)", as: .text)
    static let seconds = CommandOption<Duration?>.optional(
      "seconds", "TIME", "How long to record (default: the scenario's duration)", as: .duration)
    static let seed = CommandOption<UInt64?>.optional(
      "seed", "N", "Random seed; the same seed gives the same output (default: the scenario's)", as: .seed)
    static let interval = CommandOption<Duration>.value(
      "interval", "TIME", "Time between two ranges of a pair", as: .duration, default: "200ms")
  }

  static let spec = CommandSpec(
    name: "simulate",
    summary: "Record a simulated world",
    discussion: """
      The devices of the scenario range through virtual chips. The chips' measurements are written to ranges.csv,
      with the ground truth. 'nearby replay' reads the folder.
      """,
    arguments: [Options.scenario],
    options: [
      OutputFolder.out, Options.device, Options.seconds, Options.seed, Options.interval, CommonOptions.force,
    ],
    examples: ["nearby simulate walk.json --out recordings/walk --seconds 60"]
  ) { try SimulateCommand($0).run(in: $1) }
}
