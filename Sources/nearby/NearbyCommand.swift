import Foundation

/// The command: reads the call, runs the subcommand, says what went wrong.
enum NearbyCommand {
  static let version = "0.1.0"

  /// Runs the process's own call, with its own descriptors and signals.
  static func main(_ words: [String]) -> ExitCode {
    signal(SIGPIPE, SIG_IGN)
    let output = DescriptorOutput(STDOUT_FILENO, blockSize: isatty(STDOUT_FILENO) == 1 ? 1 : 65_536)
    let interrupt = Interrupt()
    let environment = ProcessInfo.processInfo.environment
    let context = CommandContext(
      output: output, errors: DescriptorOutput(STDERR_FILENO, blockSize: 1), interrupt: interrupt,
      environment: environment,
      terminal: TerminalInfo.current(of: STDOUT_FILENO, environment: environment),
      isOutputClosed: { output.isClosed }, flush: { output.flush() })
    interrupt.watch()
    let code = run(words, in: context)
    TerminalModes.restore()
    output.flush()
    return code
  }

  /// Runs one call; everything it says goes to the context.
  static func run(_ words: [String], in context: CommandContext) -> ExitCode {
    do {
      switch try ArgumentParser(root: CommandTable.root).parse(words) {
      case .version: context.output.line("nearby \(version)")
      case .help(let path): context.output.write(HelpText.text(for: path, in: CommandTable.root))
      case .run(let path, let arguments): try perform(path, arguments, in: context)
      }
      return .success
    } catch {
      return report(error, of: words, in: context)
    }
  }

  private static func perform(_ path: [String], _ arguments: Arguments, in context: CommandContext) throws {
    switch path.joined(separator: " ") {
    case "replay": try ReplayCommand(arguments).run(in: context)
    case "simulate": try SimulateCommand(arguments).run(in: context)
    case "chip": try ChipCommand(arguments).run(in: context)
    case "radio info": try RadioInfoCommand(arguments).run(in: context)
    case "radio range": try RadioRangeCommand(arguments).run(in: context)
    case "completion": try CompletionCommand.run(arguments, in: context)
    default: preconditionFailure("'\(path)' is in the table and has no command")
    }
  }

  private static func report(_ error: any Error, of words: [String], in context: CommandContext) -> ExitCode {
    switch error {
    case let error as UsageError:
      let name = words.prefix { !$0.hasPrefix("-") }.prefix(1).filter { name in
        CommandTable.root.subcommand(name) != nil
      }
      context.errors.line("nearby: \(error.message)")
      context.errors.line("'\((["nearby"] + name).joined(separator: " ")) --help' lists what there is.")
      return .usage
    case let error as CommandError:
      if error.code != .interrupted { context.errors.line("nearby: \(error.message)") }
      return error.code
    default:
      context.errors.line("nearby: internal error: \(error)")
      return .internalError
    }
  }
}
