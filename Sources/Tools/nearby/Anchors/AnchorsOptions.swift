import NearbyCommandLine
import NearbyPosition

extension AnchorsCommand {
  /// The options of `nearby anchors`.
  enum Options {
    static let layout = PositionalArgument<String>.required(
      "LAYOUT", "Scenario, anchors.csv, or a folder with one", as: .file)
    static let height = CommandOption<Double>.value(
      "height", "METRES", "Height of the tag", as: .number(-1000...1000, unit: "metres"), default: "1.2")
    static let knownHeight = CommandOption<Bool>.flag(
      "known-height", "The solver knows the height to 0.3 m; always so if all anchors are at one height")
    static let step = CommandOption<Double?>.optional(
      "step", "METRES", "Side of a cell of the floor (default: about 300 cells)",
      as: .number(0.05...10_000, unit: "metres"))
    static let margin = CommandOption<Double>.value(
      "margin", "METRES", "How far the floor extends beyond anchors and walls",
      as: .number(0...1000, unit: "metres"), default: "0")
    static let ranges = CommandOption<Bool>.flag(
      "ranges", "The tag measures two-way ranges instead of differences")
    static let round = CommandOption<Duration>.value(
      "round", "TIME", "Time in which every anchor is heard once", as: .duration, default: "200ms")
    static let runs = CommandOption<Int>.value(
      "runs", "N", "Simulated stays at each place", as: .integer(1...100), default: "4")
    static let seed = CommandOption<UInt64>.value(
      "seed", "N", "Random seed; the same seed gives the same output", as: .seed, default: "1")
    static let json = CommandOption<Bool>.flag("json", "Print only one JSON object per line")
    static let plot = CommandOption<String?>.optional(
      "plot", "FILE.svg", "Also draw both errors over the floor", as: .svgFile)
  }

  static let spec = CommandSpec(
    name: "anchors",
    summary: "Show how well a layout of anchors locates a tag",
    discussion: """
      Computes the error of a tag's position over a floor: the smallest possible one (Cramér-Rao bound) and that of
      a simulated tag whose position 'nearby position' would compute. Walls and floors of the scenario count: they
      delay or stop signals. Proposes the place where one more anchor helps most. In a scenario, anchors are the
      devices of kind accessory that stand still.
      """,
    arguments: [Options.layout],
    options: [
      Options.height, Options.knownHeight, Options.step, Options.margin, Options.ranges, Options.round,
      Options.runs, Options.seed, Options.json, Options.plot,
    ],
    examples: [
      "nearby anchors hall.json", "nearby anchors anchors.csv --step 0.5 --plot floor.svg",
      "nearby anchors hall.json --known-height --json",
    ]
  ) { try AnchorsCommand($0).run(in: $1) }
}
