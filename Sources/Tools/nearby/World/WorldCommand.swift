import Dispatch
import Foundation
import NearbyCommandLine
import NearbyRadioLinks
import NearbyScenarios
import NearbySimulator
import NearbyWorld
import NearbyWorldProtocol

/// `nearby world`.
struct WorldCommand {
  private var configuration = WorldServer.Configuration()
  private let scenarioFile: String?
  private let seed: UInt64?
  private let isTokenMade: Bool
  private let page: ListenAddress?
  private let stateFile: String?
  private let programs: [WorldPrograms.Entry]

  init(_ arguments: CommandArguments) throws(UsageError) {
    let listen = try arguments[Options.listen]
    (configuration.host, configuration.port) = (listen.host, listen.port)
    if let uci = try arguments[Options.uci] {
      (configuration.uciHost, configuration.uciPort) = (uci.host, uci.port)
    }
    page = try arguments[Options.http]
    stateFile = try arguments[Options.state]
    scenarioFile = try arguments[Options.scenario]
    programs = try arguments[Options.run]
    seed = try arguments[Options.seed]
    let token = try arguments[Options.token]
    isTokenMade = token == nil
    configuration.settings.token = token ?? WorldToken.random()
    configuration.settings.deviceLimit = try arguments[Options.limit]
    if try arguments[Options.ask] { configuration.settings.answer = nil }
  }

  /// Serves until the interrupt.
  func run(in context: CommandContext) throws(CommandError) {
    try AddressSpace.check()
    let errors = context.errors
    let file = try stateFile.map(Self.openState)
    let world = try makeWorld(file, context)
    let log = EventLog(errors)
    let server = WorldServer(world, configuration) { event in log.line("nearby: \(Self.text(event))") }
    let ports: (port: UInt16, uci: UInt16?)
    do throws(LinkError) {
      ports = try server.start()
    } catch {
      throw .cannotListen(on: addresses, error)
    }
    errors.line("listening on \(RadioAddress.text(host: configuration.host, port: ports.port))")
    if let uci = ports.uci {
      errors.line("UCI on \(RadioAddress.text(host: configuration.uciHost, port: uci))")
    }
    if isTokenMade { errors.line("NEARBY_TOKEN=\(configuration.settings.token)") }
    let shown = try show(server, errors)
    let keeper = file.map { WorldKeeper(server, $0) { errors.line("nearby: \($0)") } }
    let running = WorldPrograms()
    try start(running, ports.port, context)
    let stopped = DispatchSemaphore(value: 0)
    context.interrupt.handle { stopped.signal() }
    stopped.wait()
    // Programs take their time to end, and what the world is was decided before.
    let saved = Result { () throws(WorldStateFile.Failure) in try keeper?.stop() }
    running.end()
    shown?.stop()
    server.stop()
    log.finish()
    if case .failure(let failure) = saved { throw Self.commandError(failure) }
  }

  /// Where programs and, if it was asked for, foreign hosts connect.
  private var addresses: String {
    let own = RadioAddress.text(host: configuration.host, port: configuration.port)
    guard let port = configuration.uciPort else { return own }
    return own + " and " + RadioAddress.text(host: configuration.uciHost, port: port)
  }

  private static func openState(_ path: String) throws(CommandError) -> WorldStateFile {
    do throws(WorldStateFile.Failure) {
      return try WorldStateFile(path: path)
    } catch {
      throw commandError(error)
    }
  }

  private static func commandError(_ failure: WorldStateFile.Failure) -> CommandError {
    switch failure.kind {
    case .unreadable: .noInput(failure.description)
    case .unwritable: .inputOutput(failure.description)
    case .inUse: .unavailable(failure.description)
    }
  }

  private func makeWorld(_ file: WorldStateFile?, _ context: CommandContext) throws(CommandError)
    -> HostedWorld
  {
    if let file, let saved = try savedWorld(file, context) { return saved }
    var scenario = Scenario.empty
    if let scenarioFile { scenario = try ScenarioFile.read(scenarioFile, progress: context.errors) }
    if let seed { scenario.seed = seed }
    try checkRoom(for: scenario.devices.count, in: scenarioFile ?? "the scenario")
    return HostedWorld(scenario, settings: configuration.settings)
  }

  private func savedWorld(
    _ file: WorldStateFile, _ context: CommandContext
  ) throws(CommandError) -> HostedWorld? {
    let read: Data?
    do throws(WorldStateFile.Failure) {
      read = try file.read()
    } catch {
      throw Self.commandError(error)
    }
    guard let read else { return nil }
    let save: WorldSave
    do throws(WorldSave.Failure) {
      let progress = ReadingProgress(file.path, context.errors)
      save = try WorldSave(parsing: read, file: file.path) { progress.reached($0) }
    } catch {
      throw .badData("\(error)")
    }
    try checkRoom(for: save.deviceCount, in: file.path)
    return save.world(settings: configuration.settings)
  }

  private func checkRoom(for devices: Int, in file: String) throws(CommandError) {
    let limit = configuration.settings.deviceLimit
    guard devices > limit else { return }
    throw .badData("\(file) has \(devices) devices, and the world takes \(limit): see \(Options.limit)")
  }

  private func show(_ server: WorldServer, _ errors: any TextOutput) throws(CommandError) -> WorldPage? {
    guard let page else { return nil }
    let token = configuration.settings.token
    do {
      let shown = try WorldPage(server, token: token) { event in errors.line("nearby: \(Self.text(event))") }
      let port = try shown.start(host: page.host, port: page.port)
      let word = token.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? token
      let query = token.isEmpty ? "" : "?token=\(word)"
      errors.line("page: http://\(RadioAddress.text(host: page.host, port: port))/\(query)")
      return shown
    } catch {
      server.stop()
      throw .unavailable("\(error)")
    }
  }

  private func start(
    _ running: WorldPrograms, _ port: UInt16, _ context: CommandContext
  ) throws(CommandError) {
    // Where the world listens everywhere, its own programs are on this machine.
    let host = ["0.0.0.0", "::"].contains(configuration.host) ? "127.0.0.1" : configuration.host
    let output = context.output
    let lock = NSLock()
    try running.start(
      programs, world: RadioAddress.text(host: host, port: port), token: configuration.settings.token,
      context.environment
    ) { line in
      lock.withLock {
        output.line(line)
        context.flush()
      }
    }
  }

  private static func text(_ event: WorldPage.Event) -> String {
    switch event {
    case .crowded(let limit): "the page has its \(limit) connections; new ones wait until one ends"
    case .acceptFailed(let error): "new connections of the page wait: \(error)"
    }
  }

  static func text(_ event: WorldServer.Event) -> String {
    switch event {
    case .joined(let device, let program): "\(device) joined: \(program)"
    case .left(let device): "\(device) left"
    case .dropped(let reason): "connection dropped: \(reason)"
    case .acceptFailed(let error): "new connections wait: \(error)"
    }
  }
}
