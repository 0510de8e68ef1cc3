import NearbyCommandLine

extension RecordCommand {
  /// What `nearby record` takes.
  enum Options {
    static let world = CommandOption<String?>.optional(
      "world", "HOST:PORT", "The world; NEARBY_WORLD if absent", as: .text)
    static let device = CommandOption<String?>.optional(
      "device", "NAME", "Which device of it; NEARBY_DEVICE if absent", as: .text)
    static let token = CommandOption<String?>.optional(
      "token", "TEXT", "What the world printed; NEARBY_TOKEN if absent", as: .text)
    static let seconds = CommandOption<Duration?>.optional(
      "seconds", "TIME", "Stop after this time of the world", as: .duration)
  }

  static let spec = CommandSpec(
    name: "record",
    summary: "Write a recording of a device of a running world",
    discussion: """
      What the device's chip measures becomes ranges.csv, beside the ground truth and the track of its camera
      while that runs. 'nearby replay' and 'nearby locate' read the folder. An interrupt ends the recording,
      which is written all the same. 'nearby radio range --record' does it with a chip.
      """,
    options: [
      Options.world, Options.device, Options.token, OutputFolder.out, Options.seconds, CommonOptions.force,
    ],
    examples: ["nearby record --world 127.0.0.1:7100 --device anna --out recordings/anna --seconds 30"]
  ) { try RecordCommand($0).run(in: $1) }
}
