import Foundation

/// Everything outside that a command may touch, so that tests can stand in for it.
struct CommandContext: Sendable {
  var output: any TextOutput
  var errors: any TextOutput
  var interrupt: Interrupt
  var environment: [String: String]
  /// The terminal behind the output as it is now; `nil` when it is a pipe or a file.
  var terminal: @Sendable () -> TerminalInfo?
  /// Whether more output is pointless, because its reader has gone.
  var isOutputClosed: @Sendable () -> Bool
  /// Hands over what is gathered, before a wait.
  var flush: @Sendable () -> Void
  /// The next line of the input; blocks. `nil` is its end.
  var input: @Sendable () -> String? = { readLine() }

  /// - Parameter terminal: `nil` stands for a pipe.
  static func recording(
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
struct TerminalInfo: Equatable, Sendable {
  var columns: Int
  var rows: Int
  var hasColour: Bool

  /// The terminal of a descriptor as it is now; `nil` when it is none, or one that cannot move its cursor.
  static func current(of descriptor: Int32, environment: [String: String]) -> TerminalInfo? {
    guard isatty(descriptor) == 1, environment["TERM"] != "dumb" else { return nil }
    var size = winsize()
    let isKnown = ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 && size.ws_row > 0
    return TerminalInfo(
      columns: isKnown ? Int(size.ws_col) : 80, rows: isKnown ? Int(size.ws_row) : 24,
      hasColour: (environment["NO_COLOR"] ?? "").isEmpty)
  }
}
