import NearbyCommandLine

extension CercaCommand {
  /// The options of `nearby cerca`.
  enum Options {
    static let name = CommandOption<String?>.optional(
      "as", "NAME", "Own name, or with --scenario the device (default: NEARBY_DEVICE, else the host's name)",
      as: OptionReader(expected: "a name of 1 to 63 octets") { (1...63).contains($0.utf8.count) ? $0 : nil })
    static let scenario = CommandOption<String?>.optional(
      "scenario", "FILE", "Use a virtual chip in this simulated world", as: .file)
    static let seconds = CommandOption<Duration?>.optional(
      "seconds", "TIME",
      "Stop after this long; exits with 69 if nobody was found (default: run until interrupted)",
      as: .duration)
  }

  static let spec = CommandSpec(
    name: "cerca",
    summary: "Find another device and show its distance and direction",
    discussion: """
      Finds another 'nearby cerca' on the network, exchanges tokens with it and ranges. It uses the UWB chip
      NEARBY_RADIO, or the device NEARBY_DEVICE of the world NEARBY_WORLD, or with --scenario a virtual chip;
      your processes with the same scenario and seed share one simulated world. A process that is stopped
      (Ctrl-Z) counts as an app in the background.
      """,
    options: [
      Options.name, Options.scenario, CommonOptions.seed, Options.seconds, CommonOptions.json,
      CommonOptions.plain,
    ],
    examples: [
      "nearby cerca --scenario Examples/Scenarios/two-phones-meet.json --as anna",
      "NEARBY_RADIO=serial:/dev/ttyACM0 nearby cerca --as Ben",
    ]
  ) { try CercaCommand($0).run(in: $1) }

  /// The arguments of a process that reports as JSON.
  static func words(as name: String) -> [String] {
    [spec.name, "\(Options.name)", name, "\(CommonOptions.json)"]
  }

  /// The arguments of a process in a scenario's world that reports as JSON.
  static func words(as name: String, scenario: String, seed: UInt64) -> [String] {
    words(as: name) + ["\(Options.scenario)", scenario, "\(CommonOptions.seed)", String(seed)]
  }
}
