import Foundation
import NearbyCommandLine
import NearbyScenarios
import NearbyTextForms
import Synchronization

/// `nearby demo`.
struct DemoCommand {
  /// Real time between two pictures, or two checks for an interrupt; 20 per second look smooth.
  private static let frame = Duration.milliseconds(50)
  /// Simulated time between two checks for an interrupt at full speed.
  private static let burst = Duration.seconds(1)

  private let scene: Scene
  private let duration: Duration?
  private let seed: UInt64?
  private let speed: PlaybackSpeed
  private let scenarioFile: String?
  private let isJSON: Bool
  private let isPlain: Bool

  init(_ arguments: CommandArguments) throws(UsageError) {
    scene = try arguments[Options.scene] ?? .meeting
    duration = try arguments[Options.seconds]
    seed = try arguments[Options.seed]
    speed = try arguments[CommonOptions.speed]
    scenarioFile = try arguments[Options.scenario]
    isJSON = try arguments[CommonOptions.json]
    isPlain = try arguments[CommonOptions.plain]
    try checkScene()
    if isJSON, isPlain { throw CommonOptions.jsonAndPlain }
  }

  /// Rejects options that the scene does not support.
  private func checkScene() throws(UsageError) {
    let (scenario, speedOption) = (Options.scenario, CommonOptions.speed)
    switch scene {
    case .museum where scenarioFile != nil:
      throw .conflict("\(scenario) can't be used with museum, which has its own world")
    case .cerca where scenarioFile != nil || speed != .times(1):
      throw .conflict(
        "\(scenario) and \(speedOption) can't be used with cerca, which has its own world and runs in real time"
      )
    case .world where speed != .times(1):
      throw .conflict(
        "\(speedOption) can't be used with world, which runs in real time")
    case .radar where scenarioFile != nil, .position where scenarioFile != nil,
      .site where scenarioFile != nil:
      throw .conflict("\(scenario) can't be used with \(scene.rawValue), which has its own world")
    case .meeting, .museum, .position, .cerca, .world, .radar, .site: break
    }
  }

  func run(in context: CommandContext) throws {
    switch scene {
    case .cerca:
      try CercaDemo(seed: seed, length: duration, isJSON: isJSON, isPlain: isPlain).run(in: context)
    case .world:
      try WorldDemo(
        scenarioFile: scenarioFile, seed: seed, length: duration, isJSON: isJSON, isPlain: isPlain
      ).run(in: context)
    case .radar:
      try TreasureDemo(
        seed: seed ?? 1, length: duration, speed: speed, isJSON: isJSON, isPlain: isPlain
      ).run(in: context)
    case .position:
      try FloorDemo(
        seed: seed ?? 1, length: duration, speed: speed, isJSON: isJSON, isPlain: isPlain
      ).run(in: context)
    case .site:
      try SiteDemo(seed: seed ?? 1, length: duration, speed: speed, isJSON: isJSON).run(in: context)
    case .meeting, .museum: try playHere(in: context)
    }
  }

  /// Plays a scene inside this process.
  private func playHere(in context: CommandContext) throws {
    let reports = Mutex<[DemoReport]>([])
    let (world, length) = try makeWorld { report in reports.withLock { $0.append(report) } }
    let drain = {
      reports.withLock { reports in
        defer { reports.removeAll(keepingCapacity: true) }
        return reports
      }
    }
    let hasPicture = !isJSON && !isPlain && context.terminal() != nil
    try play(
      world, length, in: context, screen: hasPicture ? DemoScreen(world, speed: speed) : nil, drain)
  }

  private func makeWorld(
    _ report: @escaping (DemoReport) -> Void
  ) throws -> (any DemoScene, Duration) {
    if scene == .museum {
      return (MuseumScene(seed: seed ?? 1, report: report), duration ?? .seconds(30))
    }
    guard let scenarioFile else {
      let length = duration ?? .seconds(10)
      return (try DemoWorld(seed: seed ?? 1, lasting: length, report: report), length)
    }
    var scenario = try ScenarioFile.read(scenarioFile)
    if let seed { scenario.seed = seed }
    guard !scenario.pairs.isEmpty else {
      throw CommandError.badData("\(scenarioFile): no pair of devices that range; add pairs to the scenario")
    }
    return (try DemoWorld(scenario, report: report), duration ?? scenario.duration)
  }

  /// Advances time to the end, in real time or not, and shows what happens.
  private func play(
    _ world: any DemoScene, _ length: Duration, in context: CommandContext, screen: DemoScreen?,
    _ drain: () -> [DemoReport]
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
      let reports = drain()
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

  /// Simulated time between two pictures.
  private var step: Duration {
    switch speed {
    case .times(let factor): Self.frame * factor
    case .max: Self.burst
    }
  }
}
