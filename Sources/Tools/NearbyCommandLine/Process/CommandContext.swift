import Foundation

/// Everything outside that a command may touch, so that tests can stand in for it.
package struct CommandContext: Sendable {
  /// Lines that a command with many writes between two looks at the interrupt and the reader: a moment's work.
  package static let lookInterval = 256

  package var output: any TextOutput
  package var errors: any TextOutput
  package var interrupt: Interrupt
  package var environment: [String: String]
  /// The terminal behind the output as it is now; `nil` when it is a pipe or a file.
  package var terminal: @Sendable () -> TerminalInfo?
  /// Whether more output is pointless, because its reader has gone.
  package var isOutputClosed: @Sendable () -> Bool
  /// Hands over what is gathered, before a wait.
  package var flush: @Sendable () -> Void
  /// The next line of the input; blocks. `nil` is its end.
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

/// What a picture needs to know of the terminal.
package struct TerminalInfo: Equatable, Sendable {
  package var columns: Int
  package var rows: Int
  package var hasColour: Bool

  package init(columns: Int, rows: Int, hasColour: Bool) {
    self.columns = columns
    self.rows = rows
    self.hasColour = hasColour
  }

  /// A terminal's size where it does not say: the DEC VT100's.
  private static let usualSize = (columns: 80, rows: 24)

  /// The terminal of a descriptor as it is now; `nil` when it is none, or one that cannot move its cursor.
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
