import NearbyCommandLine

extension DemoCommand {
  /// A scene of the demo.
  enum Scene: String, CaseIterable {
    case meeting, museum, position, cerca, world, radar, site
  }

  /// The options of `nearby demo`.
  enum Options {
    static let scene = PositionalArgument<Scene?>.optional(
      "SCENE", "meeting (default), museum, position, cerca, world, radar or site",
      as: .choice(Scene.allCases.map { ($0.rawValue, $0) }))
    static let seconds = CommandOption<Duration?>.optional(
      "seconds", "TIME",
      "Simulated time (default: 10; museum 30, position 45, cerca 24, radar 120; else no end)",
      as: .duration)
    static let seed = CommandOption<UInt64?>.optional(
      "seed", "N", "Random seed; the same seed gives the same output (default: 1, or the scenario's)",
      as: .seed)
    static let scenario = CommandOption<String?>.optional(
      "scenario", "FILE", "Scenario to play instead of the built-in meeting", as: .file)
  }

  static let spec = CommandSpec(
    name: "demo",
    summary: "Show simulated phones that meet and range",
    discussion: """
      On a terminal it draws a live picture of distance, direction and trend. Otherwise it prints one line per
      update, or one JSON object per line with --json.

      meeting  two phones exchange tokens and range
      museum   camera assistance leads a visitor to an exhibit and places a sphere at it
      position a visitor's phone listens to anchors and shows in which room of a museum it is
      cerca    two 'nearby cerca' processes find each other on the network; one is lost and found again
      world    a museum with its page, and two processes that are devices in it
      radar    a treasure hunt by beacons: walk with the arrow keys; without a terminal, a script walks
      site     a building with 20 tags, its page, and what Home Assistant would receive
      """,
    arguments: [Options.scene],
    options: [
      Options.seconds, Options.seed, CommonOptions.speed, Options.scenario, CommonOptions.json,
      CommonOptions.plain,
    ],
    examples: [
      "nearby demo", "nearby demo --seconds 10 --speed max --json", "nearby demo museum",
      "nearby demo position", "nearby demo cerca", "nearby demo world", "nearby demo radar",
      "nearby demo site",
    ]
  ) { try DemoCommand($0).run(in: $1) }
}
