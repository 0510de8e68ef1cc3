import NearbyCommandLine

/// The command `nearby`.
enum NearbyCommand {
  static let program = CommandProgram(
    root: CommandTable.root, version: NearbyVersion.version, topics: [EnvironmentTopic.topic])

  /// Runs one command line. All output goes through the context.
  static func run(_ words: [String], in context: CommandContext) -> ExitCode {
    program.run(words, in: context)
  }
}
