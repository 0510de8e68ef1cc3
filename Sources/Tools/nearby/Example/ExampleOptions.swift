import NearbyCommandLine

extension ExampleCommand {
  /// What `nearby example` takes.
  enum Options {
    static let app = PositionalArgument<ExampleApp>.required(
      "APP", "radar, door, door-app, speaker or speaker-app",
      as: OptionReader(
        expected: ExampleApp.allCases.map(\.rawValue).joined(separator: ", "),
        kind: .choice(ExampleApp.allCases.map(\.rawValue))
      ) { ExampleApp(rawValue: $0) })
  }

  static let spec = CommandSpec(
    name: "example",
    summary: "Run one of the example apps as this process's device",
    discussion: """
      radar hunts treasures by beacons; door and speaker are accessories, door-app and speaker-app the phones'
      apps for them. The device is the one that NEARBY_WORLD and NEARBY_DEVICE name, else this machine with its
      chip (NEARBY_RADIO) and its Bluetooth. Each line is what the app shows its user.
      """,
    arguments: [Options.app],
    options: [CommonOptions.seconds, CommonOptions.json],
    examples: [
      "nearby example radar",
      "NEARBY_WORLD=127.0.0.1:7100 NEARBY_DEVICE=Speaker NEARBY_TOKEN=… nearby example speaker",
    ]
  ) { try ExampleCommand($0).run(in: $1) }
}
