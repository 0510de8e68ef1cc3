/// `nearby completion SHELL`.
enum CompletionCommand {
  static func run(_ arguments: Arguments, in context: CommandContext) throws(UsageError) {
    let found = arguments.positionals[0]
    guard let shell = CompletionShell(rawValue: found) else {
      throw .invalidValue(option: "SHELL", found: found, expected: "bash, zsh or fish")
    }
    context.output.write(Completion.script(for: shell, root: CommandTable.root))
  }
}
