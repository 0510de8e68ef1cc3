import Cerca
import Foundation
import TextForms

/// `nearby demo cerca`: two processes of Cerca on one air, side by side.
struct CercaDemo {
  private enum Letter: Sendable {
    case report(CercaReport)
    /// Something one of them said on its standard error.
    case trouble(String)
    case ended(String)
    case interrupted
  }

  private static let names = ["Alice", "Bob"]
  /// The script's end, where it takes that long.
  private static let length = Duration.seconds(24)
  /// How long what was found again is shown.
  private static let epilogue = Duration.seconds(1.5)

  let seed: UInt64
  let length: Duration
  let isJSON: Bool
  let isPlain: Bool

  init(seed: UInt64?, length: Duration?, isJSON: Bool, isPlain: Bool) {
    self.seed = seed ?? 1
    self.length = length ?? Self.length
    self.isJSON = isJSON
    self.isPlain = isPlain
  }

  /// Bob walks up to Alice; for a while his radio is silent, and he is lost; then he is found.
  private static let world = """
    {
      devices: [
        { name: "Alice", motion: { stand: [0, 0] }, facing: { device: "Bob" } },
        { name: "Bob", motion: { walk: [[3, 7], [0.4, 1.2]], speed: 1.1 }, facing: { device: "Alice" } },
      ],
      events: [
        { at: 2, do: "turn", device: "Alice", facing: { heading: 0 } },
        { at: 7, do: "switchOff", device: "Bob" },
        { at: 17.5, do: "switchOn", device: "Bob" },
      ],
    }
    """

  func run(in context: CommandContext) throws {
    let mailbox = Mailbox<Letter>()
    context.interrupt.handle { mailbox.post(.interrupted) }
    // Its own for each demo: two at a time are two airs.
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "nearby-demo-\(UUID().uuidString)")
    let scenario = folder.appendingPathComponent("cerca.json")
    do {
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      try Data("// \(folder.lastPathComponent)\n\(Self.world)".utf8).write(to: scenario)
    } catch {
      throw CommandError.inputOutput("\(folder.path): can't be written: \(FileTrouble.reason(error))")
    }
    defer { try? FileManager.default.removeItem(at: folder) }
    var environment = context.environment
    environment["XDG_RUNTIME_DIR"] = folder.path
    environment["NEARBY_PERMISSION"] = "allowedOnce"
    environment["NEARBY_PEER_KEYS"] = "memory"
    var children: [Child] = []
    defer { end(children) }
    for name in Self.names {
      let words = [
        "cerca", "--scenario", scenario.path, "--seed", String(seed), "--as", name, "--json",
        // Should this process be killed, they end all the same.
        "--seconds", "300",
      ]
      children.append(try Child(name, words, environment) { mailbox.post($0) })
    }
    try show(mailbox, in: context)
  }

  // MARK: Showing

  private func show(_ mailbox: Mailbox<Letter>, in context: CommandContext) throws {
    let hasPicture = !isJSON && !isPlain && context.terminal() != nil
    var screens = Self.names.map { CercaScreen(name: $0) }
    var story = Story(names: Self.names)
    var end = ContinuousClock.now + length
    // They would spoil the picture.
    var troubles: [String] = []
    defer { troubles.forEach(context.errors.line) }
    if hasPicture { TerminalModes.enterPicture() }
    defer { TerminalModes.restore() }
    while !context.isOutputClosed() {
      if hasPicture { draw(screens, in: context) }
      context.flush()
      guard let letter = mailbox.next(until: end) else { break }
      switch letter {
      case .interrupted: throw CommandError.interrupted
      case .trouble(let text): if hasPicture { troubles.append(text) } else { context.errors.line(text) }
      case .ended(let name): throw CommandError.unavailable("\(name)'s Cerca ended before its time")
      case .report(let report):
        for index in screens.indices where Self.names[index] == report.name { screens[index].take(report) }
        if !hasPicture { context.output.line(isJSON ? report.json : report.line) }
        if story.take(report) { end = min(end, .now + Self.epilogue) }
      }
    }
    TerminalModes.restore()
    if hasPicture { context.output.line(story.summary) }
    guard story.haveAllRanged else {
      throw CommandError.unavailable("the two did not range: \(story.summary)")
    }
  }

  private func draw(_ screens: [CercaScreen], in context: CommandContext) {
    guard let terminal = context.terminal() else { return }
    let width = (terminal.columns - 1) / 2
    var canvas = TextCanvas(columns: terminal.columns, rows: terminal.rows)
    for (index, screen) in screens.enumerated() {
      let footer = index == 0 ? "two processes, one air · Ctrl-C ends" : ""
      let half = screen.canvas(columns: width, rows: terminal.rows, footer: footer)
      canvas.put(half, column: index * (width + 1), row: 0)
    }
    for row in 0..<terminal.rows { canvas.put("│", column: width, row: row, .faint) }
    context.output.write(canvas.terminalText(hasColour: terminal.hasColour))
  }

  // MARK: Processes

  /// One Cerca in a process of its own.
  private struct Child {
    let process: Process
    let ended: DispatchSemaphore

    init(
      _ name: String, _ words: [String], _ environment: [String: String],
      post: @escaping @Sendable (Letter) -> Void
    ) throws(CommandError) {
      let (process, ended) = (Process(), DispatchSemaphore(value: 0))
      (self.process, self.ended) = (process, ended)
      process.executableURL = URL(fileURLWithPath: OwnProgram.path)
      process.arguments = words
      process.environment = environment
      let (output, errors) = (Pipe(), Pipe())
      process.standardInput = FileHandle.nullDevice
      process.standardOutput = output
      process.standardError = errors
      process.terminationHandler = { _ in
        ended.signal()
        post(.ended(name))
      }
      do {
        try process.run()
      } catch {
        throw .unavailable("\(OwnProgram.path): can't be started: \(FileTrouble.reason(error))")
      }
      Self.read(output.fileHandleForReading) { line in
        if let report = CercaReport(json: line) { post(.report(report)) }
      }
      Self.read(errors.fileHandleForReading) { post(.trouble("\(name): \($0)")) }
    }

    private static func read(_ handle: FileHandle, _ take: @escaping @Sendable (String) -> Void) {
      Thread.detachNewThread {
        var rest: [UInt8] = []
        while case let part = handle.availableData, !part.isEmpty {
          rest += part
          while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            take(String(decoding: rest[..<end], as: UTF8.self))
            rest.removeSubrange(...end)
          }
        }
      }
    }
  }

  private func end(_ children: [Child]) {
    for child in children where child.process.isRunning { kill(child.process.processIdentifier, SIGINT) }
    let limit = DispatchTime.now() + 3
    for child in children where child.ended.wait(timeout: limit) != .success {
      kill(child.process.processIdentifier, SIGKILL)
    }
  }
}

/// What has happened to the two so far.
private struct Story {
  private var chapters: [String: Chapter] = [:]
  private let names: [String]

  private struct Chapter {
    var nearest: Float?
    var hasLost = false
    var hasFoundAgain = false
  }

  init(names: [String]) { self.names = names }

  /// - Returns: Whether all that the script has in store has happened.
  mutating func take(_ report: CercaReport) -> Bool {
    var chapter = chapters[report.name] ?? Chapter()
    switch report.state {
    case .near(let sighting):
      guard let distance = sighting.distance else { break }
      chapter.nearest = min(distance, chapter.nearest ?? distance)
      chapter.hasFoundAgain = chapter.hasLost
    case .lost: if chapter.nearest != nil { chapter.hasLost = true }
    case .unsupported, .searching, .meeting, .suspended, .refused, .noNetwork, .failed: break
    }
    chapters[report.name] = chapter
    return names.allSatisfy { chapters[$0]?.hasFoundAgain == true }
  }

  var haveAllRanged: Bool { names.allSatisfy { chapters[$0]?.nearest != nil } }

  var summary: String {
    names.map { name in
      guard let chapter = chapters[name], let nearest = chapter.nearest else { return "\(name): nobody near" }
      let metres = NumberFormat.fixed(Double(nearest), 2)
      let end = chapter.hasFoundAgain ? ", lost, found again" : chapter.hasLost ? ", lost" : ""
      return "\(name): down to \(metres) m\(end)"
    }.joined(separator: "; ")
  }
}
