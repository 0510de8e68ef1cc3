import NearbyCommandLine

/// The command `nearby`.
enum NearbyCommand {
  static let version = "0.1.0"
  static let program = CommandProgram(
    root: CommandTable.root, version: version, topics: [EnvironmentTopic.topic])

  /// Runs one command line. All output goes through the context.
  static func run(_ words: [String], in context: CommandContext) -> ExitCode {
    program.run(words, in: context)
  }
}
