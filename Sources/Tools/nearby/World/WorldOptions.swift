import NearbyCommandLine

extension WorldCommand {
  /// What `nearby world` takes.
  enum Options {
    static let scenario = PositionalArgument<String?>.optional(
      "SCENARIO", "Scenario file, JSON with comments; an empty place if absent", as: .file)
    static let listen = CommandOption<ListenAddress>.value(
      "listen", "HOST:PORT", "Where programs join; port 0 takes a free one", as: .address(port: 7100),
      default: "127.0.0.1:7100")
    static let uci = CommandOption<ListenAddress?>.optional(
      "uci", "HOST:PORT", "Where foreign UCI hosts connect", as: .address(port: 7100))
    static let http = CommandOption<ListenAddress?>.optional(
      "http", "HOST:PORT", "Where the page is; none if absent; on loopback only with --token ''",
      as: .address(port: 7100))
    static let state = CommandOption<String?>.optional(
      "state", "FILE", "Resume from FILE if it exists, and save to it every few seconds", as: .file)
    static let token = CommandOption<String?>.optional(
      "token", "TEXT", "What programs and the page must know; made and printed if absent, '' for none",
      as: .text)
    static let seed = CommandOption<UInt64?>.optional(
      "seed", "N", "Start of the randomness instead of the scenario's", as: .seed)
    static let limit = CommandOption<Int>.value(
      "limit", "N", "Devices at most", as: .integer(1...10_000), default: "1000")
    static let run = CommandOption<[WorldPrograms.Entry]>.list(
      "run", "DEVICE=COMMAND", "Start this as a device; may be repeated", as: .program)
    static let ask = CommandOption<Bool>.flag(
      "ask", "Leave permission questions open, for a person to answer")
  }

  static let spec = CommandSpec(
    name: "world",
    summary: "Run a simulated world that several programs can join",
    discussion: """
      Programs written against Apple's interfaces join it by their environment: NEARBY_WORLD=HOST:PORT,
      NEARBY_DEVICE=NAME (made on the spot where the scenario has none) and NEARBY_TOKEN. Foreign UCI hosts
      connect to the port of --uci and get a device each. The page of --http shows everything and lets a person
      move it. --run starts a program as a device, by the shell; what it prints comes behind its device's name,
      and it ends with the world.
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

extension OptionReader where Value == WorldPrograms.Entry {
  /// DEVICE=COMMAND.
  static var program: Self {
    Self(expected: "DEVICE=COMMAND") { text in
      let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
      // The protocol's limit on a device's name (Docs/world-protocol.md).
      guard parts.count == 2, (1...64).contains(parts[0].utf8.count) else { return nil }
      return WorldPrograms.Entry(device: parts[0], command: parts[1])
    }
  }
}
