import NearbyCommandLine

@testable import nearby

/// What a call of the command said, and how it ended.
typealias CalledCommand = (code: ExitCode, output: String, errors: String)

/// Runs the command on words, inside the test's process.
///
/// - Parameter terminal: `nil` stands for a pipe.
func run(_ words: [String], terminal: TerminalInfo? = nil) -> CalledCommand {
  let (context, output, errors) = CommandContext.recording(terminal: terminal)
  let code = NearbyCommand.run(words, in: context)
  return (code, output.text, errors.text)
}

/// The same, word by word.
func run(_ words: String...) -> CalledCommand { run(words) }
