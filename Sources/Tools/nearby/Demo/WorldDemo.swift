import Foundation
import NearbyCommandLine
import NearbyRadioLinks
import NearbyScenarios
import NearbyWorld

/// `nearby demo world`: a served world with its page, and two Cerca processes that are devices of it.
struct WorldDemo {
  private let scenarioFile: String?
  private let seed: UInt64?
  private let length: Duration?
  private let isJSON: Bool
  private let isPlain: Bool

  init(scenarioFile: String?, seed: UInt64?, length: Duration?, isJSON: Bool, isPlain: Bool) {
    self.scenarioFile = scenarioFile
    self.seed = seed
    self.length = length
    self.isJSON = isJSON
    self.isPlain = isPlain
  }

  func run(in context: CommandContext) throws {
    try AddressSpace.check()
    let scenario = try readScenario()
    let names = scenario.devices.filter { $0.kind == .phone }.prefix(2).map(\.name)
    guard names.count == 2 else {
      throw CommandError.badData(
        "\(scenarioFile ?? "the scenario"): expected at least two phones, found \(names.count)")
    }
    var configuration = WorldServer.Configuration()
    configuration.port = 0
    configuration.settings.token = WorldToken.random()
    let token = configuration.settings.token
    let server = WorldServer(HostedWorld(scenario, settings: configuration.settings), configuration) { _ in }
    let port: UInt16
    do throws(LinkError) {
      port = try server.start().port
    } catch {
      throw CommandError.unavailable("can't serve a world on 127.0.0.1: \(error)")
    }
    defer { server.stop() }
    let (page, address) = try startPage(of: server, token)
    defer { page.stop() }
    context.errors.line("world: 127.0.0.1:\(port), with two processes; page: \(address)")
    let stage = CercaStage(
      names: names, length: length, endsWithStory: false, footer: "\(address) · Ctrl-C quits", isJSON: isJSON,
      isPlain: isPlain)
    try stage.run(in: context) {
      CercaCommand.words(as: $0)
    } environment: { name in
      var environment = context.environment
      for key in ["NEARBY_RADIO", "NEARBY_CAMERA"] { environment[key] = nil }
      environment["NEARBY_WORLD"] = "127.0.0.1:\(port)"
      environment["NEARBY_DEVICE"] = name
      environment["NEARBY_TOKEN"] = token
      environment["NEARBY_PEER_KEYS"] = "memory"
      return environment
    }
  }

  private func readScenario() throws(CommandError) -> Scenario {
    var scenario: Scenario
    if let scenarioFile {
      scenario = try ScenarioFile.read(scenarioFile)
    } else {
      let museum: (text: Data, name: String)
      do {
        museum = try WorldScenes.museum()
      } catch {
        throw .noInput("\(error)")
      }
      scenario = try ScenarioFile.parse(museum.text, path: museum.name)
    }
    if let seed { scenario.seed = seed }
    return scenario
  }

  private func startPage(
    of server: WorldServer, _ token: String
  ) throws(CommandError) -> (WorldPage, address: String) {
    do {
      let page = try WorldPage(server, token: token)
      return (page, "http://127.0.0.1:\(try page.start(host: "127.0.0.1", port: 0))/?token=\(token)")
    } catch {
      throw .unavailable("\(error)")
    }
  }
}
