import NearbyCommandLine

extension DemoCommand {
  /// What the demo shows.
  enum Scene: String, CaseIterable {
    case meeting, museum, cerca, world, radar
  }

  /// What `nearby demo` takes.
  enum Options {
    static let scene = PositionalArgument<Scene?>.optional(
      "SCENE", "meeting (default), museum, cerca, world or radar",
      as: .choice(Scene.allCases.map { ($0.rawValue, $0) }))
    static let seconds = CommandOption<Duration?>.optional(
      "seconds", "TIME", "Simulated time (default: 10; museum 30, cerca 24, radar 120; world: until told)",
      as: .duration)
    static let seed = CommandOption<UInt64?>.optional(
      "seed", "N", "Start of the randomness (default: 1, or the scenario's)", as: .seed)
    static let scenario = CommandOption<String?>.optional(
      "scenario", "FILE", "World and paths instead of the built-in meeting", as: .file)
  }

  static let spec = CommandSpec(
    name: "demo",
    summary: "Let two simulated phones meet, exchange tokens and range",
    discussion: """
      On a terminal it draws a live picture: distance, direction, trend. Elsewhere it prints a line an
      update, or one JSON object a line with --json. In the museum a visitor is led to a jetpack behind him
      by camera assistance, and a sphere is placed where it is. 'cerca' starts two processes of 'nearby
      cerca' that find each other on the network, and shows both: they meet, one is lost, and found again.
      'world' serves a museum and its page, and starts two processes that are devices of it. 'radar' is a
      treasure hunt by beacons: with the arrow keys on a terminal, elsewhere a scripted walker finds them all.
      """,
    arguments: [Options.scene],
    options: [
      Options.seconds, Options.seed, CommonOptions.speed, Options.scenario, CommonOptions.json,
      CommonOptions.plain,
    ],
    examples: [
      "nearby demo", "nearby demo --seconds 10 --speed max --json", "nearby demo museum", "nearby demo cerca",
      "nearby demo world", "nearby demo radar",
    ]
  ) { try DemoCommand($0).run(in: $1) }
}
