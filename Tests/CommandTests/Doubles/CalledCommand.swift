import NearbyCommandLine

@testable import nearby

/// The exit code and the output of a call of the command.
typealias CalledCommand = (code: ExitCode, output: String, errors: String)

/// Runs the command on words, inside the test's process.
///
/// - Parameter terminal: `nil` if the output is a pipe.
func run(_ words: [String], terminal: TerminalInfo? = nil) -> CalledCommand {
  let (context, output, errors) = CommandContext.recording(terminal: terminal)
  let code = NearbyCommand.run(words, in: context)
  return (code, output.text, errors.text)
}

/// Runs the command on words, inside the test's process.
func run(_ words: String...) -> CalledCommand { run(words) }
