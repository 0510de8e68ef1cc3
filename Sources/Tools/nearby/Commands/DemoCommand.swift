import Foundation
import NearbyScenarios
import NearbyTextForms
import Synchronization

/// `nearby demo`.
struct DemoCommand {
  /// Real time between two pictures, or two looks at the interrupt.
  private static let frame = Duration.milliseconds(50)
  /// Simulated time between two looks at the interrupt at full speed.
  private static let burst = Duration.seconds(1)

  private let scene: String
  private let duration: Duration?
  private let seed: UInt64?
  private let speed: PlaybackSpeed
  private let scenarioFile: String?
  private let isJSON: Bool
  private let isPlain: Bool

  init(_ arguments: Arguments) throws(UsageError) {
    scene = arguments.positionals.first ?? "meeting"
    duration = try arguments.value("seconds", as: .duration)
    seed = try arguments.value("seed", as: .seed)
    speed = try arguments.requiredValue("speed", as: .speed)
    scenarioFile = arguments.text("scenario")
    isJSON = arguments.has("json")
    isPlain = arguments.has("plain")
    if scene == "museum", scenarioFile != nil {
      throw .conflict("the museum has a world of its own: --scenario goes with the meeting")
    }
    if scene == "cerca", scenarioFile != nil || speed != .times(1) {
      throw .conflict("cerca has a world of its own, by the clock: --scenario and --speed go with the others")
    }
    if scene == "world", speed != .times(1) {
      throw .conflict("a world that processes share goes by the clock: --speed goes with meeting and museum")
    }
    if scene == "radar", scenarioFile != nil {
      throw .conflict("the radar has a world of its own: --scenario goes with the meeting")
    }
    if isJSON, isPlain { throw .conflict("--json and --plain exclude each other") }
  }

  func run(in context: CommandContext) throws {
    if scene == "cerca" {
      return try CercaDemo(seed: seed, length: duration, isJSON: isJSON, isPlain: isPlain).run(in: context)
    }
    if scene == "world" {
      return try WorldDemo(
        scenarioFile: scenarioFile, seed: seed, length: duration, isJSON: isJSON, isPlain: isPlain
      ).run(in: context)
    }
    if scene == "radar" {
      return try TreasureDemo(
        seed: seed ?? 1, length: duration, speed: speed, isJSON: isJSON, isPlain: isPlain
      ).run(in: context)
    }
    let reports = Mutex<[DemoReport]>([])
    let (world, length) = try makeWorld { report in reports.withLock { $0.append(report) } }
    let take = {
      reports.withLock { reports in
        defer { reports.removeAll(keepingCapacity: true) }
        return reports
      }
    }
    if !isJSON, !isPlain, context.terminal() != nil {
      try play(world, length, in: context, screen: DemoScreen(world, speed: speed), take)
    } else {
      try play(world, length, in: context, screen: nil, take)
    }
  }

  private func makeWorld(
    _ report: @escaping (DemoReport) -> Void
  ) throws -> (any DemoScene, Duration) {
    if scene == "museum" {
      return (MuseumScene(seed: seed ?? 1, report: report), duration ?? .seconds(30))
    }
    guard let scenarioFile else {
      let length = duration ?? .seconds(10)
      return (try DemoWorld(seed: seed ?? 1, lasting: length, report: report), length)
    }
    var scenario = try ScenarioFile.read(scenarioFile)
    if let seed { scenario.seed = seed }
    guard !scenario.pairs.isEmpty else {
      throw CommandError.badData("\(scenarioFile): no two devices that range")
    }
    return (try DemoWorld(scenario, report: report), duration ?? scenario.duration)
  }

  /// Moves time to the end, in real time or not, and shows what happens.
  private func play(
    _ world: any DemoScene, _ length: Duration, in context: CommandContext, screen: DemoScreen?,
    _ take: () -> [DemoReport]
  ) throws(CommandError) {
    var screen = screen
    let bell = Mailbox<Void>()
    context.interrupt.handle { bell.post(()) }
    if screen != nil { TerminalModes.enterPicture() }
    defer { TerminalModes.restore() }
    var next = ContinuousClock.now
    while world.now < length, !context.isOutputClosed() {
      if context.interrupt.isRaised { throw .interrupted }
      world.advance(by: min(step, length - world.now))
      let reports = take()
      if screen != nil {
        screen?.draw(reports, at: world.now, in: context)
      } else {
        for report in reports {
          context.output.line(isJSON ? DemoText.json(report) : DemoText.line(report))
        }
      }
      guard case .times = speed else { continue }
      context.flush()
      next += Self.frame
      if bell.next(until: next) != nil { throw .interrupted }
    }
    if let screen {
      TerminalModes.restore()
      context.output.line(screen.farewell)
    }
  }

  /// Simulated time from one look to the next.
  private var step: Duration {
    switch speed {
    case .times(let factor): Self.frame * factor
    case .max: Self.burst
    }
  }
}

/// The live picture on a terminal.
struct DemoScreen {
  private var state: LiveState
  private var updates = 0
  /// Of the museum's app.
  private var phase = ""

  init(_ world: any DemoScene, speed: PlaybackSpeed) {
    state = LiveState(observer: world.observer, peer: world.peer)
    let pace =
      switch speed {
      case .times(let factor): "×\(NumberFormat.fixed(factor, factor == factor.rounded() ? 0 : 2))"
      case .max: "as fast as it goes"
      }
    state.footer = "seed \(world.seed) · \(pace) · Ctrl-C ends"
  }

  mutating func draw(_ reports: [DemoReport], at time: Duration, in context: CommandContext) {
    for report in reports where report.observer == state.observer && report.peer == state.peer {
      take(report)
    }
    state.time = time
    guard let terminal = context.terminal() else { return }
    let canvas = LiveView.canvas(state, columns: terminal.columns, rows: terminal.rows)
    context.output.draw(canvas, hasColour: terminal.hasColour)
    context.flush()
  }

  private mutating func take(_ report: DemoReport) {
    switch report.event {
    case .update(let distance, let direction):
      updates += 1
      state.updated(
        at: report.time, distance: distance.map(Double.init), direction: direction.map(SIMD3<Double>.init))
    case .guidance(let guidance): take(guidance, at: report.time)
    case .running, .removed, .suspended, .suspensionEnded, .invalidated:
      state.happened(
        "\(NumberFormat.fixed(report.time / .seconds(1), 1)) s  \(DemoText.words(report))", at: report.time)
      if case .removed = report.event { state.updated(at: report.time, distance: nil, direction: nil) }
    }
  }

  private mutating func take(_ guidance: DemoReport.Guidance, at time: Duration) {
    updates += 1
    let ahead = guidance.angle.map { angle in
      SIMD3(Trigonometry.sine(Double(angle)), 0, -Trigonometry.cosine(Double(angle)))
    }
    state.updated(at: time, distance: guidance.distance.map(Double.init), direction: ahead)
    state.headline = DemoText.instruction(guidance)
    guard guidance.phase != phase else { return }
    phase = guidance.phase
    state.happened("\(NumberFormat.fixed(time / .seconds(1), 1)) s  \(phase)", at: time)
  }

  /// What stays on the terminal when the picture is gone.
  var farewell: String {
    let seconds = NumberFormat.fixed(state.time / .seconds(1), 1)
    let last = "\(LiveView.distanceText(state.distance)) m  \(LiveView.directionText(state))"
    let end = state.headline.isEmpty ? "(\(updates) updates)" : state.headline
    return "\(state.observer) → \(state.peer) after \(seconds) s: \(last)  \(end)"
  }
}
