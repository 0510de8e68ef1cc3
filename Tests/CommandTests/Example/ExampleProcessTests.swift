import Foundation
import NearbyCommandLine
import NearbyScenarios
import NearbyWorld
import TestSupport
import Testing

/// Runs the examples as processes, which are devices of a world in the test's process.
@Suite(
  "nearby example, nearby world --run", .ownThreads,
  .enabled(if: ProgramRun.command != nil, "the command is not built"))
struct ExampleProcessTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static func scenario(_ name: String) -> String {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../../Examples/Scenarios/\(name)").standardized.path
  }

  private func serve(_ name: String) throws -> (server: WorldServer, port: UInt16) {
    let path = Self.scenario(name)
    let text = try Data(contentsOf: URL(fileURLWithPath: path))
    var configuration = WorldServer.Configuration()
    configuration.port = 0
    let server = WorldServer(HostedWorld(try Scenario(parsing: text, file: path)), configuration) { _ in }
    return (server, try server.start().port)
  }

  private func run(
    _ app: String, as device: String, on port: UInt16, _ environment: [String: String] = [:]
  ) throws -> ProgramRun {
    let place = ["NEARBY_WORLD": "127.0.0.1:\(port)", "NEARBY_DEVICE": device]
    return try ProgramRun(
      ["example", app, "--json"], in: folder, environment: place.merging(environment) { $1 })
  }

  private func order(_ server: WorldServer, _ order: WorldOrder) { server.withWorld { $0.perform(order) } }

  @Test("Music starts when the owner returns with the app in the background, which gets no updates there")
  func homecoming() throws {
    let (server, port) = try serve("homecoming.json")
    defer { server.stop() }
    let (speaker, app) = (
      try run("speaker", as: "Speaker", on: port), try run("speaker-app", as: "Phone", on: port)
    )
    #expect(app.line(with: "Speaker at") != nil, "\(app.text)\n\(speaker.text)")
    order(server, .foreground(device: 0, false))
    order(server, .place(device: 0, [0, -20, 1.2]))
    // The accessory continues to measure, and reports that the owner is far away.
    let away = try #require(speaker.line(with: "silent", "owner at 2"), "\(speaker.text)")
    let heard = app.all.count
    order(server, .place(device: 0, [0, 1, 1.2]))
    #expect(speaker.line(from: away, with: "playing music") != nil, "\(speaker.text)")
    // The distance was 3 m at first, and the last line may still have been in the pipe.
    let told = app.all.filter { $0.contains("Speaker at") }
    #expect(told.allSatisfy { $0.contains("Speaker at 3.") || $0.contains("Speaker at 2.") }, "\(app.text)")
    order(server, .foreground(device: 0, true))
    #expect(app.line(from: heard, with: "Speaker at 1") != nil, "\(app.text)")
    for run in [app, speaker] {
      run.signal(SIGINT)
      #expect(run.end() == 0, "\(run.text)")
    }
  }

  @Test("An app without the nearby-interaction background mode is suspended, and no music starts")
  func withoutModes() throws {
    let (server, port) = try serve("homecoming.json")
    defer { server.stop() }
    order(server, .place(device: 0, [0, -6, 1.2]))
    let speaker = try run("speaker", as: "Speaker", on: port)
    let app = try run("speaker-app", as: "Phone", on: port, ["UIBackgroundModes": "bluetooth-central"])
    #expect(app.line(with: "Speaker at") != nil, "\(app.text)\n\(speaker.text)")
    order(server, .foreground(device: 0, false))
    #expect(app.line(with: "suspended") != nil, "\(app.text)")
    order(server, .place(device: 0, [0, 1, 1.2]))
    server.step(.seconds(20))
    let before = app.all.count
    #expect(!speaker.text.contains("playing music"), "\(speaker.text)")
    order(server, .foreground(device: 0, true))
    #expect(app.line(from: before, with: "Speaker at 1") != nil, "\(app.text)")
    // Back in the foreground the app measures again, and music starts.
    #expect(speaker.line(with: "playing music") != nil, "\(speaker.text)")
  }

  @Test("The door opens when the phone comes near, and closes when it leaves")
  func entrance() throws {
    let (server, port) = try serve("entrance.json")
    defer { server.stop() }
    let (door, app) = (try run("door", as: "Door", on: port), try run("door-app", as: "Phone", on: port))
    #expect(app.line(with: "Door at") != nil, "\(app.text)")
    order(server, .place(device: 0, [0, 3, 1.2]))
    let open = try #require(door.line(with: #""line":"open""#), "\(door.text)\n\(app.text)")
    order(server, .place(device: 0, [0, 0, 1.2]))
    #expect(door.line(from: open, with: #""line":"closed""#) != nil, "\(door.text)")
  }

  @Test(
    "The finder sets up what nearby accessory --ranging offers, and measures it unless it has UWB only",
    arguments: ["channel-sounding", "both", "uwb"])
  func finder(ranging: String) throws {
    let (server, port) = try serve("keys.json")
    defer { server.stop() }
    let keys = try ProgramRun(
      ["accessory", "--ranging", ranging, "--json"], in: folder,
      environment: ["NEARBY_WORLD": "127.0.0.1:\(port)", "NEARBY_DEVICE": "Keys"])
    let app = try run("finder", as: "Phone", on: port, ["NEARBY_ACCESSORY_PICKER": "choose"])
    guard ranging != "uwb" else {
      #expect(app.line(with: "failed: the item does not support it") != nil, "\(app.text)\n\(keys.text)")
      return
    }
    #expect(app.line(with: "Keys at ") != nil, "\(app.text)\n\(keys.text)")
    app.signal(SIGINT)
    #expect(app.end() == 0, "\(app.text)")
    // The next launch knows the keys, and its picker is not asked.
    let again = try run("finder", as: "Phone", on: port, ["NEARBY_ACCESSORY_PICKER": "cancel"])
    #expect(again.line(with: "Keys at ") != nil, "\(again.text)")
    #expect(!again.text.contains("no item"), "\(again.text)")
  }

  /// Processes that were started with this test's folder as their home, except the world's own.
  private func others(than run: ProgramRun) -> [Int32] {
    let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return all.compactMap(Int32.init).filter { id in
      guard id != run.processID, let data = FileManager.default.contents(atPath: "/proc/\(id)/environ")
      else { return false }
      return String(decoding: data, as: UTF8.self).contains("HOME=\(folder.url.path)\0")
    }
  }

  private func world() throws -> ProgramRun {
    try ProgramRun(
      [
        "world", Self.scenario("treasures.json"), "--listen", "127.0.0.1:0", "--run",
        "Seeker=nearby example radar --json", "--run", "Guest=echo $NEARBY_DEVICE is here; exit 3",
      ], in: folder)
  }

  @Test("--run starts programs as devices, prints their output and exit status, and ends them")
  func programs() throws {
    let world = try world()
    #expect(world.line(with: "Guest: Guest is here") != nil, "\(world.text)")
    #expect(world.line(with: "Guest: exited with status 3") != nil, "\(world.text)")
    #expect(world.line(with: "Seeker: ", #""line":"Amber: ▮"#, "brightness") != nil, "\(world.text)")
    world.signal(SIGINT)
    #expect(world.end() == 0, "\(world.text)")
    #expect(others(than: world).isEmpty)
  }

  @Test("Killing a world also ends the programs that it started")
  func killed() throws {
    let world = try world()
    #expect(world.line(with: "Seeker: ", "Amber") != nil, "\(world.text)")
    world.signal(SIGKILL)
    #expect(world.end() == SIGKILL)
    try waitByPolling(for: "the end of all programs") {
      others(than: world)
    } until: {
      $0.isEmpty
    }
  }

  @Test(
    "--run without a device or a command is refused",
    arguments: [["--run", "Seeker"], ["--run", "=true"], ["--run", "Seeker="]])
  func refused(_ words: [String]) throws {
    let world = try ProgramRun(["world", "--listen", "127.0.0.1:0"] + words, in: folder)
    #expect(world.end() == 64, "\(world.text)")
    #expect(world.text.contains("DEVICE=COMMAND"), "\(world.text)")
  }
}
