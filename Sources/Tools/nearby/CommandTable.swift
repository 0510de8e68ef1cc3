import NearbyCommandLine

/// Every command: parsing, help and completion read it.
enum CommandTable {
  static let root: CommandSpec = CommandSpec(
    group: "nearby",
    summary: "Ranging between devices: simulated, recorded, or by a chip",
    subcommands: [
      DemoCommand.spec, CercaCommand.spec, PeerOptions.group, AccessoryCommand.spec, BeaconOptions.group,
      WorldCommand.spec, ExampleCommand.spec, RecordCommand.spec, ReplayCommand.spec, LocateCommand.spec,
      SimulateCommand.spec, CheckCommand.spec, RadioOptions.group, ChipCommand.spec, completion, manual,
    ])

  private static let manual: CommandSpec = ManualCommand.spec { root }

  /// Its scripts offer every command, including itself.
  private static let completion: CommandSpec = CompletionCommand.spec { root }
}
