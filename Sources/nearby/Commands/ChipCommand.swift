import Dispatch
import Foundation
import NearbyRuntime
import RadioLinks
import Scenarios
import Simulator
import UCI

/// `nearby chip`.
struct ChipCommand {
  private let configuration: ChipServer.Configuration
  private let scenarioFile: String?

  /// What --dialect takes.
  static let dialects: [(name: String, dialect: UCIDialect)] = [("1", .v1), ("2", .v2), ("pica", .pica)]

  init(_ arguments: Arguments) throws {
    var configuration = ChipServer.Configuration()
    let listen = try arguments.required("listen")
    do throws(LinkError) {
      (configuration.host, configuration.port) = try RadioAddress.hostAndPort(
        listen, allowsPortZero: true)
    } catch {
      throw UsageError.invalidValue(
        option: "--listen", found: listen, expected: "HOST:PORT such as 127.0.0.1:7000 or [::1]:0")
    }
    let seed = try arguments.requiredValue("seed", as: .seed)
    configuration.seed = seed
    configuration.world = SimulatedWorld(seed: seed)
    let spacing = try arguments.requiredValue("spacing", as: .number(0.01...1000, unit: "metres"))
    configuration.places = .line(spacing: spacing)
    scenarioFile = arguments.text("scenario")
    let dialect = arguments.text("dialect")
    configuration.dialect = Self.dialects.first { $0.name == dialect }?.dialect ?? .v2
    configuration.limit = try arguments.requiredValue("limit", as: .integer(1...1000))
    self.configuration = configuration
  }

  /// Serves until the interrupt.
  func run(in context: CommandContext) throws(CommandError) {
    var configuration = configuration
    if let scenarioFile {
      var scenario = try ScenarioFile.read(scenarioFile)
      scenario.seed = configuration.seed
      configuration.world = SimulatedWorld(scenario)
      configuration.places = .radios(Array(scenario.devices.indices))
      configuration.events = scenario.events
    }
    let errors = context.errors
    let server = ChipServer(configuration) { event in
      errors.line("nearby: \(Self.text(event))")
    }
    let port: UInt16
    do throws(LinkError) {
      port = try server.start()
    } catch {
      throw .unavailable(
        "can't listen on \(Self.name(configuration.host, configuration.port)): \(error)")
    }
    errors.line("listening on \(Self.name(configuration.host, port))")
    let stopped = DispatchSemaphore(value: 0)
    context.interrupt.handle { stopped.signal() }
    stopped.wait()
    server.stop()
  }

  private static func name(_ host: String, _ port: UInt16) -> String {
    host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
  }

  private static func text(_ event: ChipServer.Event) -> String {
    switch event {
    case .connected(let chip, let place): "chip \(chip) connected at place \(place)"
    case .left(let chip): "chip \(chip) left"
    case .dropped(let chip, let error): "chip \(chip) dropped: \(error)"
    case .refused(let limit): "connection refused: no place left (limit \(limit))"
    case .acceptFailed(let error): "new connections wait: \(error)"
    }
  }
}
