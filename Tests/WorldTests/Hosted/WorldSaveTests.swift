import Foundation
import NearbyAirs
import NearbyScenarios
import NearbySimulated
import NearbySimulator
import NearbyWorldProtocol
import Testing

@testable import NearbyWorld

@Suite("Saved worlds")
struct WorldSaveTests {
  /// A world with many changes.
  private static func changed() throws -> HostedWorld {
    let museum = try WorldScenes.museum()
    var world = HostedWorld(try Scenario(parsing: museum.text, file: museum.name))
    _ = world.join(1, as: "carl")
    world.advance(to: .seconds(12.5))
    world.perform(.place(device: 0, [4, 5, 1.5]))
    world.perform(.turn(device: 0, heading: 1, pitch: 0.2, roll: 0))
    world.perform(.addWall(Wall(from: [1, 1], to: [1, 4], top: 2.5, material: .builtIn("metal"))))
    world.perform(.addDevice(name: "watch", .watch, [2, 2, 1]))
    world.perform(.foreground(device: 1, false))
    world.perform(.answer(device: 1, .nearby, .denied))
    world.perform(.answer(device: 1, .camera, .allowedOnce))
    world.perform(.answer(device: 0, .bluetooth, .denied))
    world.perform(.answer(device: 1, .bluetooth, .allowed))
    world.perform(.bluetooth(device: 1, isOn: false))
    world.perform(.light(device: 0, 40))
    world.perform(.features(device: 0, false))
    world.perform(.loss(device: 0, 0.25))
    world.perform(.radio(device: 2, isOn: false))
    return world
  }

  private static func expectSamePlaces(_ one: HostedWorld, _ other: HostedWorld) {
    #expect(one.deviceNames == other.deviceNames)
    for device in one.devices.indices {
      let way = one.place(of: device) - other.place(of: device)
      #expect((way * way).sum() < 1e-4, "\(one.deviceNames[device])")
    }
  }

  @Test("The museum is a scenario with two phones and walls")
  func museum() throws {
    let museum = try WorldScenes.museum()
    let scenario = try Scenario(parsing: museum.text, file: museum.name)
    #expect(scenario.devices.map(\.name) == ["Anna", "Ben"])
    #expect(scenario.walls.count > 5)
  }

  @Test("A restored world has the same state at the same time")
  func roundTrip() throws {
    let world = try Self.changed()
    let data = try WorldSave(world).data()
    let again = try WorldSave(parsing: data, file: "x").world(settings: HostedWorld.Settings())
    #expect(again.time == world.time)
    Self.expectSamePlaces(world, again)
    #expect(again.air.medium.world.obstacles == world.air.medium.world.obstacles)
    #expect(!again.devices[1].isInForeground)
    #expect(again.devices[1].permission == .denied)
    #expect(again.devices[1].cameraPermission == .notDetermined)
    #expect(
      again.devices.indices.map(again.bluetoothPermission) == [
        .denied, .allowed, .notDetermined, .notDetermined,
      ])
    #expect(again.devices.map(\.isBluetoothOn) == [true, false, true, true])
    #expect(again.devices[0].camera.surroundings.light == 40)
    #expect(again.devices[0].camera.surroundings.isFeatureless)
    #expect(abs(again.air.medium.world.extraLoss(ofRadio: again.devices[0].radio) - 0.25) < 1e-9)
    #expect(!again.air.medium.world.isOn(radio: again.devices[2].radio))
    #expect(again.plan.kinds == world.plan.kinds)
    // No device has a holder any more.
    #expect(again.devices.allSatisfy { $0.holder == nil })
    // Devices that were walking continue to walk.
    var (first, second) = (world, again)
    first.advance(to: .seconds(20))
    second.advance(to: .seconds(20))
    Self.expectSamePlaces(first, second)
  }

  @Test("A scenario saved from a world with moved devices parses again")
  func savedScenario() throws {
    let world = try Self.changed()
    let text = world.scenario().text()
    let read = try Scenario(parsing: Data(text.utf8), file: "saved.json")
    #expect(read.text() == text)
    let again = HostedWorld(read)
    #expect(again.deviceNames == world.deviceNames)
    #expect(again.air.medium.world.obstacles == world.air.medium.world.obstacles)
    #expect(again.place(of: 0) == [4, 5, 1.5])
  }

  @Test(
    "A file that is not a saved world is refused with its name",
    arguments: [
      "", "null", "[]", "{}", #"{"version":1}"#,
      #"{"version":2,"time":0,"scenario":"{}","devices":[]}"#,
      #"{"version":1,"time":-1,"scenario":"{}","devices":[]}"#,
      #"{"version":1,"time":1e300,"scenario":"{}","devices":[]}"#,
      #"{"version":1,"time":1,"scenario":"{ devices: 7 }","devices":[]}"#,
      #"{"version":1,"time":1,"scenario":"{}","devices":[{"name":"anna"}]}"#,
    ])
  func wrongFiles(_ text: String) throws {
    let error = #expect(throws: WorldSave.Failure.self) {
      _ = try WorldSave(parsing: Data(text.utf8), file: "state.json").world(settings: HostedWorld.Settings())
    }
    #expect(error?.description.contains("state.json") == true)
  }

  @Test("A world with a device named like a beacon, or with a 64-bit seed, can be saved and loaded")
  func sameNames() throws {
    let text = """
      { beacons: [{ name: "jade", uuid: "E2C56DB5-DFFB-48D2-B060-D0F5A71096E0", motion: { stand: [0, 1] } }] }
      """
    var scenario = try Scenario(parsing: Data(text.utf8), file: "x.json")
    scenario.seed = .max
    var world = HostedWorld(scenario)
    _ = world.join(1, as: "jade")
    let save = try WorldSave(parsing: try WorldSave(world).data(), file: "state.json")
    let again = save.world(settings: HostedWorld.Settings())
    #expect(again.deviceNames == ["jade"])
    #expect(again.beacons.map(\.described.name) == ["jade"])
    #expect(again.seed == .max)
  }

  @Test("Removed devices and those of UCI hosts are not saved; the others' facings and events are")
  func savedWithout() throws {
    let text = """
      { devices: [
        { name: "anna", motion: { stand: [0, 0] } }, { name: "ben", motion: { stand: [0, 3] } },
        { name: "carl", motion: { stand: [3, 3] }, facing: { device: "ben" } } ],
        events: [{ at: 30, do: "suspend", device: "anna" }, { at: 40, do: "suspend", device: "carl" },
          { at: 50, do: "turn", device: "carl", facing: { device: "anna" } }] }
      """
    var world = HostedWorld(try Scenario(parsing: Data(text.utf8), file: "x.json"))
    world.joinHost(WorldClient(number: 1))
    world.perform(.removeDevice(0))
    _ = world.join(2, as: "dora")
    let save = try WorldSave(parsing: try WorldSave(world).data(), file: "state.json")
    var again = save.world(settings: HostedWorld.Settings())
    #expect(again.deviceNames == ["ben", "carl", "dora"])
    let scenario = again.scenario()
    #expect(scenario.pairs.map { [$0.first, $0.second] } == [[0, 1]])
    #expect(scenario.devices[1].facing == .tracking(BodyID(index: 0)))
    #expect(scenario.events.map(\.device) == [1])
    again.advance(to: .seconds(45))
    #expect(!again.devices[1].isInForeground)
    #expect(again.devices[0].isInForeground)
    // Events of a removed device have no effect.
    world.advance(to: .seconds(60))
    #expect(world.deviceNames == ["ben", "carl", "uci-1", "dora"])
  }

  @Test("A world with beacons, saved after thirty years, loads immediately", .timeLimit(.minutes(1)))
  func oldWorld() throws {
    let scenario =
      "{ beacons: [{ name: 'jade', uuid: 'E2C56DB5-DFFB-48D2-B060-D0F5A71096E0', motion: { stand: [0, 1] } }] }"
    let text = #"{"version":1,"time":1e9,"scenario":"\#(scenario)","devices":[]}"#
    let world = try WorldSave(parsing: Data(text.utf8), file: "x").world(settings: HostedWorld.Settings())
    #expect(world.time == .seconds(1_000_000_000))
  }

  @Test("Values out of range are clamped or replaced by defaults, and unknown devices ignored")
  func wildValues() throws {
    let text = """
      {"version":1,"time":2,"scenario":"{ devices: [{ name: 'anna', motion: { stand: [0, 0] } }] }","devices":[
      {"name":"anna","isInForeground":true,"permission":9,"cameraPermission":1,"light":1e9,"isFeatureless":false,
      "isRadioOn":true},{"name":"nobody","isInForeground":true,"permission":1,"cameraPermission":1,"light":1,
      "isFeatureless":false,"isRadioOn":false}]}
      """
    let world = try WorldSave(parsing: Data(text.utf8), file: "x").world(settings: HostedWorld.Settings())
    #expect(world.devices[0].permission == .notDetermined)
    #expect(world.devices[0].camera.surroundings.light == 2000)
    #expect(world.deviceNames == ["anna"])
  }
}
