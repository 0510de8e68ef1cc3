import NearbyCommandLine
import NearbySteppedWorld

extension WorldCommand {
  /// The options of `nearby world`.
  enum Options {
    static let scenario = PositionalArgument<String?>.optional(
      "SCENARIO", "Scenario file, JSON with comments (default: an empty world)", as: .file)
    static let listen = CommandOption<ListenAddress>.value(
      "listen", "HOST:PORT", "Address for programs that join; port 0 chooses a free port",
      as: .address(port: 7100),
      default: "127.0.0.1:7100")
    static let uci = CommandOption<ListenAddress?>.optional(
      "uci", "HOST:PORT", "Also serve virtual UWB chips to foreign UCI hosts at this address",
      as: .address(port: 7100))
    static let http = CommandOption<ListenAddress?>.optional(
      "http", "HOST:PORT", "Also serve the world's page at this address; with --token '' on loopback only",
      as: .address(port: 7100))
    static let state = CommandOption<String?>.optional(
      "state", "FILE", "Resume from FILE if it exists, and save to it every few seconds", as: .file)
    static let token = CommandOption<String?>.optional(
      "token", "TEXT", "Token that programs and the page need; '' for none (default: a random one, printed)",
      as: .text)
    static let seed = CommandOption<UInt64?>.optional(
      "seed", "N", "Random seed; the same seed gives the same output (default: the scenario's)", as: .seed)
    static let limit = CommandOption<Int>.value(
      "limit", "N", "Maximum number of devices", as: .integer(1...10_000), default: "1000")
    static let run = CommandOption<[ProgramEntry]>.list(
      "run", "DEVICE=COMMAND", "Start a shell command as a device; may be repeated", as: .program)
    static let ask = CommandOption<Bool>.flag(
      "ask", "Leave permission questions and accessory pickers for a person to answer on the page")
  }

  static let spec = CommandSpec(
    name: "world",
    summary: "Run a simulated world that several programs can join",
    discussion: """
      Programs that use Apple's interfaces join through their environment: NEARBY_WORLD=HOST:PORT,
      NEARBY_TOKEN, and NEARBY_DEVICE=NAME; an unknown name creates a device. The line to paste is printed at the
      start. Each foreign UCI host that connects to --uci gets a device. The page of --http shows the world and
      lets a person move things. --run starts a shell command as a device: its output is prefixed with the
      device's name, and it ends with the world. Programs keep real time: their timers and waits do not follow the
      world's clock.
      """,
    arguments: [Options.scenario],
    options: [
      Options.listen, Options.uci, Options.http, Options.state, Options.token, Options.seed, Options.limit,
      Options.run, Options.ask,
    ],
    examples: [
      "nearby world Examples/Scenarios/treasures.json --http 127.0.0.1:8080 --run 'Seeker=nearby example radar'",
      "nearby world --token ''", "nearby world office.json --listen 127.0.0.1:7100 --uci 127.0.0.1:7000",
    ]
  ) { try WorldCommand($0).run(in: $1) }
}

extension OptionReader where Value == ProgramEntry {
  /// DEVICE=COMMAND.
  static var program: Self {
    Self(expected: "DEVICE=COMMAND") { text in
      let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
      // The protocol's limit on a device's name (Docs/world-protocol.md).
      guard parts.count == 2, (1...64).contains(parts[0].utf8.count) else { return nil }
      return ProgramEntry(device: parts[0], command: parts[1])
    }
  }
}
