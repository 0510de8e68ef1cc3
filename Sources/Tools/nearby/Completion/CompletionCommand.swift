import NearbyCommandLine

/// `nearby completion SHELL`.
enum CompletionCommand {
  private static let shell = PositionalArgument<CompletionShell>.required(
    "SHELL", "bash, zsh or fish", as: .choice(CompletionShell.allCases.map { ($0.rawValue, $0) }))

  /// - Parameter root: The table that the scripts are generated from.
  static func spec(root: @escaping @Sendable () -> CommandSpec) -> CommandSpec {
    CommandSpec(
      name: "completion",
      summary: "Print a shell's completion script",
      arguments: [shell],
      examples: ["source <(nearby completion bash)", "nearby completion fish | source"]
    ) { arguments, context in
      context.output.write(CompletionScript.script(for: try arguments[shell], root: root()))
    }
  }
}
