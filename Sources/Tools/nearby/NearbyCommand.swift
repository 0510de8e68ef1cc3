import Foundation
import NearbyTextForms

/// The command: reads the call, runs the subcommand, says what went wrong.
enum NearbyCommand {
  static let version = "0.1.0"

  /// Runs the process's own call, with its own descriptors and signals.
  static func main(_ words: [String]) -> ExitCode {
    StandardStream.reserve()
    signal(SIGPIPE, SIG_IGN)
    let output = DescriptorOutput(STDOUT_FILENO, blockSize: isatty(STDOUT_FILENO) == 1 ? 1 : 65_536)
    let interrupt = Interrupt()
    let environment = ProcessInfo.processInfo.environment
    let context = CommandContext(
      output: output, errors: DescriptorOutput(STDERR_FILENO, blockSize: 1), interrupt: interrupt,
      environment: environment,
      terminal: { TerminalInfo.current(of: STDOUT_FILENO, environment: environment) },
      isOutputClosed: { output.isClosed }, flush: { output.flush() })
    interrupt.watch()
    let code = run(words, in: context)
    TerminalModes.restore()
    output.flush()
    // A reader that has seen enough is no error; a full disk is.
    guard let failure = output.failure, failure != EPIPE, code == .success else { return code }
    context.errors.line("nearby: the output can't be written: \(String(cString: strerror(failure)))")
    return .inputOutput
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

  private typealias Runner = @Sendable (Arguments, CommandContext) throws -> Void

  /// What each command of the table runs.
  private static let runners: [String: Runner] = [
    "demo": { try DemoCommand($0).run(in: $1) },
    "world": { try WorldCommand($0).run(in: $1) },
    "example": { try ExampleCommand($0).run(in: $1) },
    "record": { try RecordCommand($0).run(in: $1) },
    "cerca": { try CercaCommand($0).run(in: $1) },
    "accessory": { try AccessoryCommand($0).run(in: $1) },
    "peer browse": { try PeerWatch.browse($0).run(in: $1) },
    "peer advertise": { try PeerWatch.advertise($0).run(in: $1) },
    "peer chat": { try PeerChatCommand($0).run(in: $1) },
    "peer send": { try PeerSendCommand($0).run(in: $1) },
    "peer bench": { try PeerBenchCommand($0).run(in: $1) },
    "beacon scan": { try BeaconScanCommand($0).run(in: $1) },
    "beacon advertise": { try BeaconAdvertiseCommand($0).run(in: $1) },
    "beacon monitor": { try BeaconMonitorCommand($0).run(in: $1) },
    "beacon replay": { try BeaconReplayCommand($0).run(in: $1) },
    "replay": { try ReplayCommand($0).run(in: $1) },
    "locate": { try LocateCommand($0).run(in: $1) },
    "simulate": { try SimulateCommand($0).run(in: $1) },
    "check": { try CheckCommand($0).run(in: $1) },
    "radio info": { try RadioInfoCommand($0).run(in: $1) },
    "radio range": { try RadioRangeCommand($0).run(in: $1) },
    "chip": { try ChipCommand($0).run(in: $1) },
    "completion": { try CompletionCommand.run($0, in: $1) },
  ]

  static var commands: [String] { runners.keys.sorted() }

  private static func perform(_ path: [String], _ arguments: Arguments, in context: CommandContext) throws {
    guard let runner = runners[path.joined(separator: " ")] else {
      preconditionFailure("'\(path)' is in the table and has no code")
    }
    try runner(arguments, context)
  }

  private static func report(_ error: any Error, of words: [String], in context: CommandContext) -> ExitCode {
    switch error {
    case let error as UsageError:
      var names = ["nearby"]
      var command = CommandTable.root
      for word in words {
        guard let next = command.subcommand(word) else { break }
        names.append(word)
        command = next
      }
      context.errors.line("nearby: \(PrintableText.name(error.message, limit: 4096))")
      context.errors.line("'\(names.joined(separator: " ")) --help' lists what there is.")
      return .usage
    case let error as CommandError:
      if error.code != .interrupted {
        context.errors.line("nearby: \(PrintableText.name(error.message, limit: 4096))")
      }
      return error.code
    default:
      context.errors.line("nearby: internal error: \(PrintableText.name("\(error)", limit: 4096))")
      return .internalError
    }
  }
}
