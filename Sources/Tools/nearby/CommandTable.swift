import NearbyCommandLine

/// All commands. Parsing, help and completion are generated from this table.
enum CommandTable {
  static let root: CommandSpec = CommandSpec(
    group: "nearby",
    summary: "Measure distances between devices: simulated, recorded, or with a UWB chip",
    subcommands: [
      DemoCommand.spec, CercaCommand.spec, PeerOptions.group, AccessoryCommand.spec, BeaconOptions.group,
      WorldCommand.spec, ExampleCommand.spec, RecordCommand.spec, ReplayCommand.spec, LocateCommand.spec,
      NLOSCommand.spec, PositionCommand.spec, AnchorsCommand.spec, TdoaCommand.spec, SoundingCommand.spec,
      SimulateCommand.spec, CampaignOptions.group, GatewayCommand.spec, SiteCommand.spec,
      CheckCommand.spec, RadioOptions.group, ChipCommand.spec, completion, manual,
    ])

  private static let manual: CommandSpec = ManualCommand.spec(version: NearbyVersion.version) { root }

  /// The completion scripts cover every command, including this one.
  private static let completion: CommandSpec = CompletionCommand.spec { root }
}
