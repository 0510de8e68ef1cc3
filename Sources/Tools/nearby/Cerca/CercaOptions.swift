import NearbyCommandLine

extension CercaCommand {
  /// What `nearby cerca` takes.
  enum Options {
    static let name = CommandOption<String?>.optional(
      "as", "NAME", "Own name; with --scenario the device (default: NEARBY_DEVICE, else the host's name)",
      as: OptionReader(expected: "a name of 1 to 63 octets") { (1...63).contains($0.utf8.count) ? $0 : nil })
    static let scenario = CommandOption<String?>.optional(
      "scenario", "FILE", "World to be in, without a chip", as: .file)
    static let seconds = CommandOption<Duration?>.optional(
      "seconds", "TIME", "End after this time; fails if nobody was near (default: when told)", as: .duration)
  }

  static let spec = CommandSpec(
    name: "cerca",
    summary: "Find somebody nearby, and show how far and where",
    discussion: """
      Meets another 'nearby cerca' on the network, exchanges tokens with it and ranges: by the chip that
      NEARBY_RADIO names, as the device NEARBY_DEVICE of the world that NEARBY_WORLD names, or with
      --scenario by a virtual one on an air that all processes of this user with the same scenario and
      seed share. A process that is stopped (Ctrl-Z) is an app in the background.
      """,
    options: [
      Options.name, Options.scenario, CommonOptions.seed, Options.seconds, CommonOptions.json,
      CommonOptions.plain,
    ],
    examples: [
      "nearby cerca --scenario two-phones-meet.json --as anna",
      "NEARBY_RADIO=serial:/dev/ttyACM0 nearby cerca --as Ben",
    ]
  ) { try CercaCommand($0).run(in: $1) }

  /// The call of a process that reports as JSON.
  static func words(as name: String) -> [String] {
    [spec.name, "\(Options.name)", name, "\(CommonOptions.json)"]
  }

  /// The call of a process in a scenario's world that reports as JSON.
  static func words(as name: String, scenario: String, seed: UInt64) -> [String] {
    words(as: name) + ["\(Options.scenario)", scenario, "\(CommonOptions.seed)", String(seed)]
  }
}
