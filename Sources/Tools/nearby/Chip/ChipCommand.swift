import Dispatch
import Foundation
import NearbyChipTools
import NearbyCommandLine
import NearbyRadioLinks
import NearbyScenarios
import NearbySimulator
import NearbyUCI
import Synchronization

/// `nearby chip`.
struct ChipCommand {
  private let configuration: ChipServer.Configuration
  private let scenarioFile: String?
  private let isShared: Bool

  init(_ arguments: CommandArguments) throws(UsageError) {
    var configuration = ChipServer.Configuration()
    let listen = try arguments[Options.listen]
    (configuration.host, configuration.port) = (listen.host, listen.port)
    let seed = try arguments[CommonOptions.seed]
    configuration.seed = seed
    configuration.world = SimulatedWorld(seed: seed)
    configuration.places = .line(spacing: try arguments[Options.spacing])
    scenarioFile = try arguments[Options.scenario]
    configuration.dialect = try arguments[Options.dialect]
    configuration.limit = try arguments[Options.limit]
    configuration.limitPerMachine = try arguments[Options.perMachine]
    isShared = try arguments[Options.shared]
    self.configuration = configuration
    if isShared, scenarioFile == nil { throw .missing(Options.scenario) }
  }

  /// Serves until the interrupt.
  func run(in context: CommandContext) throws(CommandError) {
    try AddressSpace.check()
    var configuration = configuration
    var air: SharedAir.Serving?
    if let scenarioFile {
      let file = try ScenarioFile.read(octetsOf: scenarioFile)
      var scenario = try ScenarioFile.parse(file, path: scenarioFile)
      scenario.seed = configuration.seed
      configuration.world = SimulatedWorld(scenario)
      configuration.places = .radios(Array(scenario.devices.indices))
      configuration.events = scenario.events
      if isShared {
        air = try SharedAir(text: file, seed: scenario.seed, environment: context.environment).serve()
      }
    }
    if let air { return try share(air, configuration, in: context) }
    let log = EventLog(context.errors)
    let server = ChipServer(configuration) { log.line("nearby: \(Self.text($0))") }
    let port: UInt16
    do throws(LinkError) {
      port = try server.start()
    } catch {
      throw .cannotListen(on: RadioAddress.text(host: configuration.host, port: configuration.port), error)
    }
    context.errors.line("listening on \(RadioAddress.text(host: configuration.host, port: port))")
    let stopped = DispatchSemaphore(value: 0)
    context.interrupt.handle { stopped.signal() }
    stopped.wait()
    server.stop()
    log.finish()
  }

  /// Serves the processes on a shared air until the last has left, or the interrupt.
  private func share(
    _ air: SharedAir.Serving, _ configuration: ChipServer.Configuration, in context: CommandContext
  ) throws(CommandError) {
    let happened = Mailbox<Bool>()
    let hasConnection = Mutex(false)
    let server = ChipServer(configuration) { event in
      // Post only the first, so that a flood of connections can't fill the mailbox.
      guard case .connected = event else { return }
      let isFirst = hasConnection.withLock { hasConnection in
        defer { hasConnection = true }
        return !hasConnection
      }
      if isFirst { happened.post(true) }
    }
    defer { air.end() }
    let ports: [UInt16]
    do throws(LinkError) {
      ports = try server.startPortPerPlace()
    } catch {
      throw .cannotListen(on: configuration.host, error)
    }
    try air.announce(ports)
    context.errors.line(
      "listening on "
        + ports.map { RadioAddress.text(host: configuration.host, port: $0) }.joined(separator: " "))
    context.interrupt.handle { happened.post(false) }
    // When started by hand, it runs before any process has joined.
    if happened.next(until: .now + Self.firstWait) != false {
      let thread = Thread {
        air.awaitLast()
        happened.post(false)
      }
      thread.start()
      while happened.next(until: nil) == true {}
    }
    server.stop()
  }

  /// How long a shared air that was started by hand waits for its first process.
  private static let firstWait = Duration.seconds(10)

  private static func text(_ event: ChipServer.Event) -> String {
    switch event {
    case .connected(let chip, let place): "chip \(chip) connected at place \(place)"
    case .left(let chip): "chip \(chip) left"
    case .dropped(let chip, let error): "chip \(chip) dropped: \(error)"
    case .silent(let chip, let time): "chip \(chip) dropped: no command within \(time / .seconds(1)) s"
    case .refused(let limit): "connection refused: all \(limit) places are taken"
    case .refusedMachine(let limit):
      "connection refused: its machine already has \(limit) connections (\(Options.perMachine))"
    case .acceptFailed(let error): "can't accept connections, retrying: \(error)"
    }
  }
}
