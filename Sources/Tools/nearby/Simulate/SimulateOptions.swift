import NearbyCommandLine
import NearbyScenarios

extension SimulateCommand {
  /// The options of `nearby simulate`.
  enum Options {
    static let scenario = PositionalArgument<String>.required(
      "SCENARIO", "Scenario file, JSON with comments, or the folder of a recording", as: .file)
    static let device = CommandOption<String?>.optional(
      "device", "NAME", "Device that records (default: the first of the first pair)", as: .text)
    static let seconds = CommandOption<Duration?>.optional(
      "seconds", "TIME", "How long to record (default: the scenario's duration)", as: .duration)
    static let seed = CommandOption<UInt64?>.optional(
      "seed", "N", "Random seed; the same seed gives the same output (default: the scenario's)", as: .seed)
    static let interval = CommandOption<Duration>.value(
      "interval", "TIME", "Time between two ranges of a pair, or in which each anchor is heard",
      as: .duration, default: "200ms")
    static let anchors = CommandOption<Scenario.AnchorOrder?>.optional(
      "anchors", "ORDER", "Listen to anchors instead: centralised or decentralised",
      as: .choice(["centralised": .centralised, "decentralised": .decentralised]))

    /// What simulates a recording's ranges.
    enum Radio: String, CaseIterable { case bluetooth, module, phone, watch }
    /// Which echoes a recording's place has.
    enum Place: String, CaseIterable { case indoors, outdoors }

    static let radio = CommandOption<Radio>.value(
      "radio", "NAME", "Of a recording: both radios",
      as: .choice(Radio.allCases.map { ($0.rawValue, $0) }), default: "module")
    static let place = CommandOption<Place>.value(
      "place", "WORD", "Of a recording: where it was made",
      as: .choice(Place.allCases.map { ($0.rawValue, $0) }), default: "indoors")
    static let radioOffset = CommandOption<Double>.value(
      "radio-offset", "METRES", "Of a recording: constant to add to every range",
      as: .number(-1000...1000, unit: "metres"), default: "0")
  }

  static let spec = CommandSpec(
    name: "simulate",
    summary: "Record a simulated world",
    discussion: """
      The devices of the scenario range through virtual chips. The chips' measurements are written to ranges.csv,
      with the ground truth. 'nearby replay' reads the folder. With --anchors, the device only listens to the
      accessories that stand still, and the differences of its distances to them are written to tdoa.csv, with the
      ground truth and inertial readings. 'nearby position' reads the folder.

      Given the folder of a recording with its true path and objects, the same path and times are simulated with the
      radios of --radio.
      """,
    arguments: [Options.scenario],
    options: [
      OutputFolder.out, Options.device, Options.seconds, Options.seed, Options.interval, Options.anchors,
      Options.radio, Options.place, Options.radioOffset, CommonOptions.force,
    ],
    examples: [
      "nearby simulate walk.json --out recordings/walk --seconds 60",
      "nearby simulate hall.json --out recordings/hall --anchors centralised --interval 25ms",
    ]
  ) { try SimulateCommand($0).run(in: $1) }
}
