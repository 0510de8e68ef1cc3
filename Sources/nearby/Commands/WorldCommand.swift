import Dispatch
import Foundation
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
  private let page: (host: String, port: UInt16)?
  private let stateFile: String?
  private let programs: [WorldPrograms.Entry]

  init(_ arguments: Arguments) throws {
    let listen = try arguments.required("listen")
    (configuration.host, configuration.port) = try Self.address(listen, of: "--listen")
    if let uci = arguments.text("uci") {
      let (host, port) = try Self.address(uci, of: "--uci")
      configuration.uciHost = host
      configuration.uciPort = port
    }
    page = try arguments.text("http").map { try Self.address($0, of: "--http") }
    stateFile = arguments.text("state")
    scenarioFile = arguments.positionals.first
    programs = try arguments.texts("run").map(Self.program)
    seed = try arguments.value("seed", as: .seed)
    isTokenMade = arguments.text("token") == nil
    configuration.settings.token = arguments.text("token") ?? WorldToken.random()
    configuration.settings.deviceLimit = try arguments.requiredValue("limit", as: .integer(1...10_000))
    if arguments.has("ask") { configuration.settings.answer = nil }
  }

  /// Serves until the interrupt.
  func run(in context: CommandContext) throws(CommandError) {
    let errors = context.errors
    let world = try makeWorld()
    let server = WorldServer(world, configuration) { event in errors.line("nearby: \(Self.text(event))") }
    let ports: (port: UInt16, uci: UInt16?)
    do throws(LinkError) {
      ports = try server.start()
    } catch {
      throw .unavailable(
        "can't listen on \(RadioAddress.text(host: configuration.host, port: configuration.port)): \(error)")
    }
    errors.line("listening on \(RadioAddress.text(host: configuration.host, port: ports.port))")
    if let uci = ports.uci {
      errors.line("UCI on \(RadioAddress.text(host: configuration.uciHost, port: uci))")
    }
    if isTokenMade { errors.line("NEARBY_TOKEN=\(configuration.settings.token)") }
    let shown = try show(server, errors)
    let running = WorldPrograms()
    try start(running, ports.port, context)
    let stopped = DispatchSemaphore(value: 0)
    context.interrupt.handle { stopped.signal() }
    stopped.wait()
    running.end()
    shown?.stop()
    let save = server.withWorld { WorldSave($0) }
    server.stop()
    try write(save)
  }

  private func makeWorld() throws(CommandError) -> HostedWorld {
    if let stateFile, let data = FileManager.default.contents(atPath: stateFile) {
      do throws(WorldSave.Failure) {
        return try WorldSave(parsing: data, file: stateFile).world(
          settings: configuration.settings, file: stateFile)
      } catch {
        throw .badData("\(error)")
      }
    }
    var scenario = Scenario.empty
    if let scenarioFile { scenario = try ScenarioFile.read(scenarioFile) }
    if let seed { scenario.seed = seed }
    return HostedWorld(scenario, settings: configuration.settings)
  }

  private func show(_ server: WorldServer, _ errors: any TextOutput) throws(CommandError) -> WorldPage? {
    guard let page else { return nil }
    let token = configuration.settings.token
    let shown = WorldPage(server, token: token)
    do throws(WebServer.Failure) {
      let port = try shown.start(host: page.host, port: page.port)
      let query = token.isEmpty ? "" : "?token=\(token)"
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

  private static func program(_ text: String) throws(UsageError) -> WorldPrograms.Entry {
    let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
    guard parts.count == 2, (1...64).contains(parts[0].utf8.count) else {
      throw .invalidValue(option: "--run", found: text, expected: "DEVICE=COMMAND")
    }
    return WorldPrograms.Entry(device: parts[0], command: parts[1])
  }

  private func write(_ save: WorldSave) throws(CommandError) {
    guard let stateFile else { return }
    do {
      try save.data().write(to: URL(fileURLWithPath: stateFile), options: .atomic)
    } catch {
      throw .inputOutput("\(stateFile) can't be written: \(error.localizedDescription)")
    }
  }

  private static func address(_ text: String, of option: String) throws -> (String, UInt16) {
    do throws(LinkError) {
      return try RadioAddress.hostAndPort(text, allowsPortZero: true)
    } catch {
      throw UsageError.invalidValue(
        option: option, found: text, expected: "HOST:PORT such as 127.0.0.1:7100 or [::1]:0")
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
