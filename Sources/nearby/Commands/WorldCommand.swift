import Dispatch
import Foundation
import NearbyWorld
import RadioLinks
import Scenarios
import Simulator
import WorldProtocol

/// `nearby world`.
struct WorldCommand {
  private var configuration = WorldServer.Configuration()
  private let scenarioFile: String?
  private let seed: UInt64?
  private let isTokenMade: Bool

  init(_ arguments: Arguments) throws {
    let listen = try arguments.required("listen")
    (configuration.host, configuration.port) = try Self.address(listen, of: "--listen")
    if let uci = arguments.text("uci") {
      let (host, port) = try Self.address(uci, of: "--uci")
      configuration.uciHost = host
      configuration.uciPort = port
    }
    scenarioFile = arguments.positionals.first
    seed = try arguments.value("seed", as: .seed)
    isTokenMade = arguments.text("token") == nil
    configuration.settings.token = arguments.text("token") ?? Self.makeToken()
    configuration.settings.deviceLimit = try arguments.requiredValue("limit", as: .integer(1...10_000))
    if arguments.has("ask") { configuration.settings.answer = nil }
  }

  /// Serves until the interrupt.
  func run(in context: CommandContext) throws(CommandError) {
    var scenario = Scenario.empty
    if let scenarioFile { scenario = try ScenarioFile.read(scenarioFile) }
    if let seed { scenario.seed = seed }
    let errors = context.errors
    let world = HostedWorld(scenario, settings: configuration.settings)
    let server = WorldServer(world, configuration) { event in errors.line("nearby: \(Self.text(event))") }
    let ports: (port: UInt16, uci: UInt16?)
    do throws(LinkError) {
      ports = try server.start()
    } catch {
      throw .unavailable("can't listen on \(Self.name(configuration.host, configuration.port)): \(error)")
    }
    errors.line("listening on \(Self.name(configuration.host, ports.port))")
    if let uci = ports.uci { errors.line("UCI on \(Self.name(configuration.uciHost, uci))") }
    if isTokenMade { errors.line("NEARBY_TOKEN=\(configuration.settings.token)") }
    let stopped = DispatchSemaphore(value: 0)
    context.interrupt.handle { stopped.signal() }
    stopped.wait()
    server.stop()
  }

  private static func address(_ text: String, of option: String) throws -> (String, UInt16) {
    do throws(LinkError) {
      return try RadioAddress.hostAndPort(text, allowsPortZero: true)
    } catch {
      throw UsageError.invalidValue(
        option: option, found: text, expected: "HOST:PORT such as 127.0.0.1:7100 or [::1]:0")
    }
  }

  /// 128 random bits.
  private static func makeToken() -> String {
    var generator = SystemRandomNumberGenerator()
    let words = [generator.next() as UInt64, generator.next()]
    return words.map { word in
      let digits = String(word, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }

  private static func name(_ host: String, _ port: UInt16) -> String {
    host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
  }

  private static func text(_ event: WorldServer.Event) -> String {
    switch event {
    case .joined(let device, let program): "\(device) joined: \(program)"
    case .left(let device): "\(device) left"
    case .dropped(let reason): "connection dropped: \(reason)"
    case .acceptFailed(let error): "new connections wait: \(error)"
    }
  }
}
