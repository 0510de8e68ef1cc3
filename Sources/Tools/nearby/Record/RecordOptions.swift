import NearbyCommandLine

extension RecordCommand {
  /// The options of `nearby record`.
  enum Options {
    static let world = CommandOption<String?>.optional(
      "world", "HOST:PORT", "Address of the world (default: NEARBY_WORLD)", as: .text)
    static let device = CommandOption<String?>.optional(
      "device", "NAME", "Device to record (default: NEARBY_DEVICE)", as: .text)
    static let token = CommandOption<String?>.optional(
      "token", "TEXT", "Token that the world printed (default: NEARBY_TOKEN)", as: .text)
    static let seconds = CommandOption<Duration?>.optional(
      "seconds", "TIME", "Stop after this much of the world's time (default: run until interrupted)",
      as: .duration)
  }

  static let spec = CommandSpec(
    name: "record",
    summary: "Record a device of a running world",
    discussion: """
      Writes the chip's measurements to ranges.csv, with the ground truth and, while its camera runs, the camera's
      track. 'nearby replay' and 'nearby locate' read the folder. An interrupt ends the recording and writes it.
      'nearby radio range --record' records a real chip.
      """,
    options: [
      Options.world, Options.device, Options.token, OutputFolder.out, Options.seconds, CommonOptions.force,
    ],
    examples: ["nearby record --world 127.0.0.1:7100 --device anna --out recordings/anna --seconds 30"]
  ) { try RecordCommand($0).run(in: $1) }
}
