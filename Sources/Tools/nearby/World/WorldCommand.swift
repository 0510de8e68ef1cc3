import Dispatch
import Foundation
import NearbyCommandLine
import NearbyRadioLinks
import NearbyScenarios
import NearbySimulator
import NearbySteppedWorld
import NearbyWorld
import NearbyWorldProtocol

/// `nearby world`.
struct WorldCommand {
  private var configuration = WorldServer.Configuration()
  private let scenarioFile: String?
  private let seed: UInt64?
  /// The device that the line to paste creates if the world has no free one.
  private static let newDevice = "Anna"

  private let isTokenMade: Bool
  private let page: ListenAddress?
  private let stateFile: String?
  private let programs: [ProgramEntry]

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

  /// Serves the world until the interrupt.
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
      throw cannotListen(error)
    }
    errors.line("listening on \(RadioAddress.text(host: configuration.host, port: ports.port))")
    if let uci = ports.uci {
      errors.line("UCI on \(RadioAddress.text(host: configuration.uciHost, port: uci))")
    }
    if isTokenMade { errors.line("NEARBY_TOKEN=\(configuration.settings.token)") }
    let shown = try show(server, errors)
    errors.line(joinLine(server, ports.port))
    errors.line("programs that join keep real time: their timers and waits follow this machine's clock")
    let keeper = file.map { WorldKeeper(server, $0) { errors.line("nearby: \($0)") } }
    let running = WorldPrograms()
    try start(running, ports.port, context)
    let stopped = DispatchSemaphore(value: 0)
    context.interrupt.handle { stopped.signal() }
    stopped.wait()
    // Saved before the programs end, which takes a while.
    let saved = Result { () throws(WorldStateFile.Failure) in try keeper?.stop() }
    running.end()
    shown?.stop()
    server.stop()
    log.finish()
    if case .failure(let failure) = saved { throw Self.commandError(failure) }
  }

  /// The error for the one of the two addresses that can't be listened on.
  private func cannotListen(_ error: LinkError) -> CommandError {
    let own = RadioAddress.text(host: configuration.host, port: configuration.port)
    // The server reports only the first failure: if the programs' address is free, it was the UCI hosts'.
    if let port = configuration.uciPort,
      let bound = try? TCPSockets.listen(host: configuration.host, port: configuration.port)
    {
      close(bound.descriptor)
      return .cannotListen(
        on: RadioAddress.text(host: configuration.uciHost, port: port), for: "\(Options.uci)", error)
    }
    return .cannotListen(on: own, for: "\(Options.listen)", error)
  }

  /// The line to paste in order to join as a device that no program operates yet.
  private func joinLine(_ server: WorldServer, _ port: UInt16) -> String {
    let taken = Set(programs.map(\.device))
    let free = server.withWorld { $0.freeDeviceNames }.first { !taken.contains($0) }
    let token = configuration.settings.token
    var words = ["NEARBY_WORLD=\(Self.address(configuration.host, port))"]
    if !token.isEmpty { words.append("NEARBY_TOKEN=\(ShellText.quoted(token))") }
    words.append("NEARBY_DEVICE=\(ShellText.quoted(free ?? Self.newDevice))")
    return "to join: " + words.joined(separator: " ") + " ./app"
  }

  /// The address at which this machine's programs reach a server that listens on `host`.
  private static func address(_ host: String, _ port: UInt16) -> String {
    let isEverywhere = ["0.0.0.0", "::"].contains(host)
    return RadioAddress.text(host: isEverywhere ? "127.0.0.1" : host, port: port)
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
    throw .badData(
      "\(file) has \(devices) devices, but the limit is \(limit); raise it with \(Options.limit)")
  }

  private func show(_ server: WorldServer, _ errors: any TextOutput) throws(CommandError) -> WorldPage? {
    guard let page else { return nil }
    let token = configuration.settings.token
    do {
      let shown = try WorldPage(server, token: token) { event in errors.line("nearby: \(Self.text(event))") }
      let port = try shown.start(host: page.host, port: page.port)
      let word = token.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? token
      let query = token.isEmpty ? "" : "?token=\(word)"
      errors.line("page: http://\(Self.address(page.host, port))/\(query)")
      return shown
    } catch {
      server.stop()
      throw .unavailable("\(Options.http): \(error)")
    }
  }

  private func start(
    _ running: WorldPrograms, _ port: UInt16, _ context: CommandContext
  ) throws(CommandError) {
    let output = context.output
    let lock = NSLock()
    try running.start(
      programs, world: Self.address(configuration.host, port), token: configuration.settings.token,
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
    case .crowded(let limit): "the page has reached its limit of \(limit) connections; new ones wait"
    case .acceptFailed(let error): "can't accept connections to the page, retrying: \(error)"
    }
  }

  static func text(_ event: WorldServer.Event) -> String {
    switch event {
    case .joined(let device, let program): "\(device) joined: \(program)"
    case .left(let device): "\(device) left"
    case .dropped(let reason): "connection dropped: \(reason)"
    case .acceptFailed(let error): "can't accept connections, retrying: \(error)"
    }
  }
}
