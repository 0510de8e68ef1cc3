import NearbyCommandLine
import NearbyUCI

extension ChipCommand {
  /// The options of `nearby chip`.
  enum Options {
    static let listen = CommandOption<ListenAddress>.value(
      "listen", "HOST:PORT", "Address to listen on; port 0 chooses a free port", as: .address(port: 7000),
      default: "127.0.0.1:7000")
    static let scenario = CommandOption<String?>.optional(
      "scenario", "FILE", "Scenario whose devices the chips are, in order", as: .file)
    static let spacing = CommandOption<Double>.value(
      "spacing", "METRES", "Distance between neighbouring chips", as: .number(0.01...1000, unit: "metres"),
      default: "2")
    static let dialect = CommandOption<UCIDialect>.value(
      "dialect", "N", "UCI version of the chips; pica is 2 without session handles",
      as: .choice(["1": .v1, "2": .v2, "pica": .pica]), default: "2")
    static let limit = CommandOption<Int>.value(
      "limit", "N", "Maximum number of connections", as: .integer(1...1000), default: "64")
    static let perMachine = CommandOption<Int?>.optional(
      "per-machine", "N",
      "Maximum from one machine (default: all on loopback, else a quarter)",
      as: .integer(1...1000))
    static let shared = CommandOption<Bool>.flag(
      "shared", "One port per device, for your 'nearby cerca' processes; exits with the last of them")
  }

  static let spec = CommandSpec(
    name: "chip",
    summary: "Serve virtual UWB chips over TCP to any UCI host",
    discussion: """
      Each connection is one chip; all chips share one air and range in real time. They are placed on a line, in
      order of connection, unless a scenario sets their positions.
      """,
    options: [
      Options.listen, Options.scenario, Options.spacing, CommonOptions.seed, Options.dialect, Options.limit,
      Options.perMachine, Options.shared,
    ],
    examples: ["nearby chip", "nearby chip --listen 0.0.0.0:7000 --spacing 3.5 --dialect 1"]
  ) { try ChipCommand($0).run(in: $1) }

  /// The arguments of a process that serves a scenario's air to all processes of this user.
  static func wordsToShare(scenario: String, seed: UInt64) -> [String] {
    [
      spec.name, "\(Options.shared)", "\(Options.scenario)", scenario, "\(CommonOptions.seed)", String(seed),
      "\(Options.listen)", "127.0.0.1:0",
    ]
  }
}
