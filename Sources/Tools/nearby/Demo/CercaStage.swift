import Cerca
import Foundation
import NearbyCommandLine
import NearbyTextForms

/// Starts two Cerca processes, shows them side by side, and ends them.
struct CercaStage {
  private enum Letter: Sendable {
    case word(CercaProcess.Word)
    case interrupted
  }

  /// How long to show the end of the story.
  private static let epilogue = Duration.seconds(1.5)

  /// The longest time that an option takes.
  private static let longest = Duration.seconds(86_400)
  /// How long a process may outlive its stage.
  private static let grace = Duration.seconds(60)

  let names: [String]
  /// `nil` to run until the interrupt, which is not a failure then.
  let length: Duration?
  /// Whether to end early once both have lost and found each other.
  let endsWithStory: Bool
  let footer: String
  let isJSON: Bool
  let isPlain: Bool

  /// Runs one process for each name, with the given arguments and environment, until the end.
  func run(
    in context: CommandContext, words: (String) -> [String], environment: (String) -> [String: String]
  ) throws {
    let mailbox = Mailbox<Letter>()
    context.interrupt.handle { mailbox.post(.interrupted) }
    // So that they end eventually if this process is killed.
    let time = min(Self.longest, (length ?? Self.longest) + Self.grace)
    let limit = ["\(CercaCommand.Options.seconds)", "\(time.components.seconds)"]
    var processes: [CercaProcess] = []
    defer { CercaProcess.end(processes) }
    for name in names {
      processes.append(
        try CercaProcess(name, words(name) + limit, environment(name)) { mailbox.post(.word($0)) })
    }
    try show(mailbox, in: context)
  }

  private func show(_ mailbox: Mailbox<Letter>, in context: CommandContext) throws {
    let hasPicture = !isJSON && !isPlain && context.terminal() != nil
    var screens = names.map { CercaPicture(name: $0) }
    var story = CercaStory(names: names)
    var end = length.map { ContinuousClock.now + $0 }
    // Printed at the end, because they would disturb the picture.
    var troubles: [String] = []
    defer { troubles.forEach(context.errors.line) }
    if hasPicture { TerminalModes.enterPicture() }
    defer { TerminalModes.restore() }
    loop: while !context.isOutputClosed() {
      if hasPicture { draw(screens, in: context) }
      context.flush()
      guard let letter = mailbox.next(until: end) else { break }
      switch letter {
      case .interrupted:
        if length == nil { break loop }
        throw CommandError.interrupted
      case .word(.trouble(let text)):
        if hasPicture { troubles.append(text) } else { context.errors.line(text) }
      case .word(.ended(let name)): throw CommandError.unavailable("\(name)'s process ended unexpectedly")
      case .word(.report(let report)):
        for index in screens.indices where names[index] == report.name { screens[index].update(report) }
        if !hasPicture { context.output.line(isJSON ? report.json : report.line) }
        let isOver = story.add(report)
        if isOver, endsWithStory { end = min(end ?? .now + Self.epilogue, .now + Self.epilogue) }
      }
    }
    TerminalModes.restore()
    if hasPicture { context.output.line(story.summary) }
    guard story.haveAllRanged else {
      throw CommandError.unavailable("the two devices did not range: \(story.summary)")
    }
  }

  private func draw(_ screens: [CercaPicture], in context: CommandContext) {
    guard let terminal = context.terminal() else { return }
    let width = (terminal.columns - 1) / 2
    var canvas = TextCanvas(columns: terminal.columns, rows: terminal.rows)
    for (index, screen) in screens.enumerated() {
      let half = screen.canvas(columns: width, rows: terminal.rows - 1, footer: "")
      canvas.put(half, column: index * (width + 1), row: 0)
    }
    for row in 0..<terminal.rows - 1 { canvas.put("│", column: width, row: row, .faint) }
    canvas.put(footer, column: 1, row: terminal.rows - 1, .faint)
    context.output.draw(canvas, hasColour: terminal.hasColour)
  }
}
