import NearbyCommandLine

extension ExampleCommand {
  /// The options of `nearby example`.
  enum Options {
    static let app = PositionalArgument<ExampleApp>.required(
      "APP", "radar, door, door-app, speaker, speaker-app, floor or finder",
      as: OptionReader(
        expected: ExampleApp.allCases.map(\.rawValue).joined(separator: ", "),
        kind: .choice(ExampleApp.allCases.map(\.rawValue))
      ) { ExampleApp(rawValue: $0) })
  }

  static let spec = CommandSpec(
    name: "example",
    summary: "Run an example app on this device",
    discussion: """
      radar is a treasure hunt by beacons; door and speaker are accessories, door-app and speaker-app the phone
      apps for them; floor shows where the phone is among the anchors of a museum; finder sets up an accessory with
      the system's picker and measures its distance by Channel Sounding. If NEARBY_WORLD is set, the app runs on
      the device NEARBY_DEVICE of that world; otherwise on this machine, with its UWB chip (NEARBY_RADIO) and its
      Bluetooth. Each line is what the app shows its user.
      """,
    arguments: [Options.app],
    options: [CommonOptions.seconds, CommonOptions.json],
    examples: [
      "nearby example radar",
      "NEARBY_WORLD=127.0.0.1:7100 NEARBY_DEVICE=Speaker NEARBY_TOKEN=… nearby example speaker",
    ]
  ) { try ExampleCommand($0).run(in: $1) }
}
