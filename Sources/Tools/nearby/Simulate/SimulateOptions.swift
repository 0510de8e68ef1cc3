import NearbyCommandLine

extension SimulateCommand {
  /// What `nearby simulate` takes.
  enum Options {
    static let scenario = PositionalArgument<String>.required(
      "SCENARIO", "Scenario file, JSON with comments", as: .file)
    static let device = CommandOption<String?>.optional(
      "device", "NAME", "Device that records; the first of the first pair if absent", as: .text)
    static let seconds = CommandOption<Duration?>.optional(
      "seconds", "TIME", "How long to record instead of the scenario's duration", as: .duration)
    static let seed = CommandOption<UInt64?>.optional(
      "seed", "N", "Start of the randomness instead of the scenario's", as: .seed)
    static let interval = CommandOption<Duration>.value(
      "interval", "TIME", "Time between two ranges of a pair", as: .duration, default: "200ms")
  }

  static let spec = CommandSpec(
    name: "simulate",
    summary: "Write a recording of a simulated world",
    discussion: """
      The devices of the scenario range through virtual chips; what the chips reported becomes ranges.csv,
      beside the ground truth. 'nearby replay' reads the folder.
      """,
    arguments: [Options.scenario],
    options: [
      OutputFolder.out, Options.device, Options.seconds, Options.seed, Options.interval, CommonOptions.force,
    ],
    examples: ["nearby simulate walk.json --out recordings/walk --seconds 60"]
  ) { try SimulateCommand($0).run(in: $1) }
}
