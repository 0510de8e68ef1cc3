import Foundation
import NearbyTextForms

/// A program made of a tree of commands: parses a call, runs its command and reports errors.
package struct CommandProgram: Sendable {
  private let root: CommandSpec
  private let version: String
  private let topics: [HelpTopic]

  /// Maximum length of one error message, octets; it may contain text from untrusted sources.
  private static let longestMessage = 4096
  /// Octets buffered before they are written to a pipe or a file: the capacity of a Linux pipe (pipe(7)).
  private static let blockSize = 65_536

  package init(root: CommandSpec, version: String, topics: [HelpTopic] = []) {
    self.root = root
    self.version = version
    self.topics = topics
  }

  /// Runs the process's own call, with its real descriptors and signals.
  package func main(_ words: [String]) -> ExitCode {
    StandardStream.reserve()
    signal(SIGPIPE, SIG_IGN)
    let isTerminal = isatty(STDOUT_FILENO) == 1
    let output = DescriptorOutput(STDOUT_FILENO, blockSize: isTerminal ? 1 : Self.blockSize)
    let interrupt = Interrupt()
    let environment = ProcessInfo.processInfo.environment
    var context = CommandContext(
      output: output, errors: DescriptorOutput(STDERR_FILENO, blockSize: 1), interrupt: interrupt,
      environment: environment,
      terminal: { TerminalInfo.current(of: STDOUT_FILENO, environment: environment) },
      isOutputClosed: { output.isClosed }, flush: { output.flush() })
    context.errorTerminal = { TerminalInfo.current(of: STDERR_FILENO, environment: environment) }
    interrupt.watch()
    let code = run(words, in: context)
    TerminalModes.restore()
    output.flush()
    // A reader that stops reading is not an error; a full disk is.
    guard let failure = output.failure, failure != EPIPE, code == .success else { return code }
    context.errors.line("\(root.name): the output can't be written: \(String(cString: strerror(failure)))")
    return .inputOutput
  }

  /// Runs one call. All output goes through the context.
  package func run(_ words: [String], in context: CommandContext) -> ExitCode {
    do {
      switch try ArgumentParser(root: root, topics: topics.map(\.name)).parse(words) {
      case .version: context.output.line("\(root.name) \(version)")
      case .help(let path): context.output.write(HelpText.text(for: path, in: root, topics: topics))
      case .topic(let name):
        for topic in topics where topic.name == name { context.output.write(HelpText.text(for: topic)) }
      case .run(let path, let arguments):
        guard let run = arguments.command.run else {
          preconditionFailure("the command '\(path)' has nothing to run in its table")
        }
        try run(arguments, context)
      }
      return .success
    } catch {
      return report(error, of: words, in: context)
    }
  }

  /// Prints an error and returns its exit code.
  private func report(_ error: any Error, of words: [String], in context: CommandContext) -> ExitCode {
    func say(_ message: String) {
      context.errors.line("\(root.name): \(PrintableText.name(message, limit: Self.longestMessage))")
    }
    switch error {
    case let error as UsageError:
      say(error.message)
      context.errors.line("Run '\(name(of: words)) --\(OptionSpec.help.name)' for help.")
      return .usage
    case let error as CommandError:
      if error.code != .interrupted, !error.message.isEmpty { say(error.message) }
      return error.code
    default:
      context.errors.line(
        "\(root.name): internal error: \(PrintableText.name("\(error)", limit: Self.longestMessage))")
      return .internalError
    }
  }

  /// The command that a call names, as far as its words match the tree.
  private func name(of words: [String]) -> String {
    var names = [root.name]
    var command = root
    for word in words {
      guard let next = command.subcommand(word) else { break }
      names.append(word)
      command = next
    }
    return names.joined(separator: " ")
  }
}
