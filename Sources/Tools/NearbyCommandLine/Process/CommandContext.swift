import Foundation

/// A command's access to the outside world, which tests can replace.
package struct CommandContext: Sendable {
  /// How many lines a command writes between two checks for an interrupt or a closed output.
  package static let lookInterval = 256

  package var output: any TextOutput
  package var errors: any TextOutput
  package var interrupt: Interrupt
  package var environment: [String: String]
  /// The current terminal behind the output, or `nil` for a pipe or a file.
  package var terminal: @Sendable () -> TerminalInfo?
  /// The current terminal behind the errors, or `nil` for a pipe or a file.
  package var errorTerminal: @Sendable () -> TerminalInfo? = { nil }
  /// Whether more output is pointless because its reader has gone.
  package var isOutputClosed: @Sendable () -> Bool
  /// Writes buffered output; call before waiting.
  package var flush: @Sendable () -> Void
  /// Reads the next line of input, or `nil` at its end. Blocks.
  package var input: @Sendable () -> String? = { readLine() }

  package init(
    output: any TextOutput, errors: any TextOutput, interrupt: Interrupt, environment: [String: String],
    terminal: @escaping @Sendable () -> TerminalInfo?, isOutputClosed: @escaping @Sendable () -> Bool,
    flush: @escaping @Sendable () -> Void
  ) {
    self.output = output
    self.errors = errors
    self.interrupt = interrupt
    self.environment = environment
    self.terminal = terminal
    self.isOutputClosed = isOutputClosed
    self.flush = flush
  }

  /// A context for tests that records its output.
  ///
  /// - Parameter terminal: `nil` stands for a pipe.
  package static func recording(
    terminal: TerminalInfo? = nil, environment: [String: String] = [:]
  ) -> (context: CommandContext, output: TextRecorder, errors: TextRecorder) {
    let output = TextRecorder()
    let errors = TextRecorder()
    let context = CommandContext(
      output: output, errors: errors, interrupt: Interrupt(), environment: environment,
      terminal: { terminal }, isOutputClosed: { false }, flush: {})
    return (context, output, errors)
  }
}

/// The properties of a terminal that a picture depends on.
package struct TerminalInfo: Equatable, Sendable {
  package var columns: Int
  package var rows: Int
  package var hasColour: Bool

  package init(columns: Int, rows: Int, hasColour: Bool) {
    self.columns = columns
    self.rows = rows
    self.hasColour = hasColour
  }

  /// Size of a terminal that does not report one: that of the DEC VT100.
  private static let usualSize = (columns: 80, rows: 24)

  /// The current terminal of a descriptor, or `nil` if it is not a terminal or cannot move its cursor.
  package static func current(of descriptor: Int32, environment: [String: String]) -> TerminalInfo? {
    guard isatty(descriptor) == 1, environment["TERM"] != "dumb" else { return nil }
    var size = winsize()
    let isKnown = ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 && size.ws_row > 0
    return TerminalInfo(
      columns: isKnown ? Int(size.ws_col) : usualSize.columns,
      rows: isKnown ? Int(size.ws_row) : usualSize.rows,
      hasColour: (environment["NO_COLOR"] ?? "").isEmpty)
  }
}
