import CoreLocation
import Dispatch
import Foundation
import NearbyDevice
import NearbyScenarios
import NearbySimulator
import NearbyWorldProtocol
import TestSupport
import Testing

@testable import NearbyWorld

@Suite("Beacons in a shared world")
struct WorldBeaconTests {
  static let uuid = "E2C56DB5-DFFB-48D2-B060-D0F5A71096E0"

  /// - Parameter events: The scenario's events.
  static func scenario(events: String = "") throws -> Scenario {
    let text = """
      {
        seed: 3,
        devices: [{ name: "anna", motion: { stand: [0, 300] } }],
        beacons: [
          { name: "door", uuid: "\(uuid)", major: 1, minor: 7, power: -67, heardWith: -59,
            motion: { stand: [0, 0] } },
          { name: "cart", uuid: "\(uuid)", major: 2, minor: 1, power: -65, heardWith: -60, interval: 0.5, loss: 0.25,
            motion: { walk: [[-300, 4], [-290, 4]], speed: 0.5, loop: true } },
        ],
        events: [\(events)],
      }
      """
    return try Scenario(parsing: Data(text.utf8), file: "beacons.json")
  }

  private static let events = """
    { at: 5, do: "switchOff", beacon: "cart" }, { at: 6, do: "place", beacon: "door", to: [3, 0] },
    { at: 7, do: "switchOn", beacon: "cart" }, { at: 8, do: "lose", share: 0.5, beacon: "cart" },
    { at: 9, do: "walk", through: [[3, 10]], speed: 1, beacon: "door" },
    """

  /// The entries that the page receives under a key.
  private static func entries(_ key: String, _ text: String) throws -> [[String: Any]] {
    let read = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
    return try #require(read?[key] as? [[String: Any]], "\(text)")
  }

  @Test("The page receives beacons' identities and positions, also after the scenario's events")
  func told() throws {
    var world = HostedWorld(try Self.scenario(events: Self.events))
    let layout = try Self.entries("beacons", world.layoutText())
    #expect(layout.map { $0["name"] as? String } == ["door", "cart"])
    #expect(layout[0]["uuid"] as? String == Self.uuid)
    #expect(layout.map { $0["major"] as? Int } == [1, 2])
    #expect(layout.map { $0["minor"] as? Int } == [7, 1])
    #expect(layout.map { $0["power"] as? Int } == [-67, -65])
    func state(_ seconds: Double) throws -> [[String: Any]] {
      world.advance(to: .seconds(seconds))
      return try Self.entries("beacons", world.stateText())
    }
    #expect(try state(1).map { $0["on"] as? Bool } == [true, true])
    let early = try state(5.5)
    #expect(early.map { $0["on"] as? Bool } == [true, false])
    #expect(early[0]["p"] as? [Double] == [0, 0, 1.2])
    #expect(try state(6.5)[0]["p"] as? [Double] == [3, 0, 1.2])
    #expect(try state(8.5).map { $0["on"] as? Bool } == [true, true])
    #expect(world.beacons[1].described.extraLoss == 0.5)
    #expect(try state(14)[0]["p"] as? [Double] == [3, 5, 1.2])
  }

  @Test("Orders move and switch beacons; an order for a missing one changes nothing")
  func ordered() throws {
    var world = HostedWorld(try Self.scenario())
    world.perform(.placeBeacon(0, [1, 2, 3]))
    world.perform(.beacon(1, isOn: false))
    world.perform(.placeBeacon(2, [1, 2, 3]))
    world.perform(.beacon(-1, isOn: false))
    let state = try Self.entries("beacons", world.stateText())
    #expect(state[0]["p"] as? [Double] == [1, 2, 3])
    #expect(state.map { $0["on"] as? Bool } == [true, false])
  }

  @Test("A world with beacons and future events is saved, and continues after loading")
  func saved() throws {
    var world = HostedWorld(try Self.scenario(events: Self.events))
    world.advance(to: .seconds(6.5))
    let again = try WorldSave(parsing: try WorldSave(world).data(), file: "x").world(
      settings: HostedWorld.Settings())
    var worlds = [world, again]
    for time in [6.5, 7.5, 12] {
      let texts = worlds.indices.map { index in
        worlds[index].advance(to: .seconds(time))
        return worlds[index].stateText()
      }
      #expect(texts[0] == texts[1])
    }
    #expect(worlds[1].scenario().beacons == worlds[0].scenario().beacons)
  }

  @Test(
    "A program's CoreLocation enters a beacon's region and ranges it, with the right proximity", .ownThreads)
  func ranged() async throws {
    let world = try ServedWorld(try Self.scenario())
    let anna = try world.join("anna")
    let walker = await MainActor.run { NearbyDevice.$current.withValue(anna) { BeaconWalker() } }
    #expect(await wander(in: world, around: 18, until: .entered, walker), "\(walker)")
    #expect(await wander(in: world, around: 18, until: .ranged(minor: 7, .far), walker), "\(walker)")
    #expect(await wander(in: world, around: 0, until: .ranged(minor: 7, .immediate), walker), "\(walker)")
    // A silent beacon is first unknown, and then gone.
    world.server.withWorld { $0.perform(.beacon(0, isOn: false)) }
    let count = walker.heard.all.count
    #expect(
      await walker.heard.wait { $0.dropFirst(count).contains(.ranged(minor: 7, .unknown)) }, "\(walker)")
    #expect(await walker.heard.wait { $0.dropFirst(count).contains(.nobody) }, "\(walker)")
    await MainActor.run { walker.end() }
  }

  @Test(
    "The world asks for location permission, remembers the answer, and can revoke it", .ownThreads)
  func permission() async throws {
    let world = try ServedWorld(try Self.scenario()) { $0.settings.answer = nil }
    let anna = try world.join("anna")
    let walker = await MainActor.run { NearbyDevice.$current.withValue(anna) { BeaconWalker() } }
    #expect(await isAsked(.location, in: world))
    world.server.withWorld { $0.perform(.answer(device: 0, .location, .allowed)) }
    #expect(await isAsked(.locationAlways, in: world))
    #expect(!walker.heard.all.contains(.always))
    world.server.withWorld { $0.perform(.answer(device: 0, .locationAlways, .allowed)) }
    #expect(await walker.heard.wait { $0.contains(.always) }, "\(walker)")
    world.server.withWorld { $0.perform(.answer(device: 0, .location, .denied)) }
    #expect(await walker.heard.wait { $0.last == .denied }, "\(walker)")
    await MainActor.run { walker.end() }
    #expect(world.server.withWorld { $0.devices[0].questions }.isEmpty)
  }

  @Test("The answer about location is remembered in the world's next run")
  func permissionKept() throws {
    var world = HostedWorld(try Self.scenario())
    world.perform(.answer(device: 0, .location, .allowed))
    world.perform(.answer(device: 0, .locationAlways, .denied))
    var again = try WorldSave(parsing: try WorldSave(world).data(), file: "x").world(
      settings: HostedWorld.Settings())
    let told = again.told(again.join(1, as: "anna"))
    #expect(told.contains(.setting(.location, .allowed)))
    #expect(told.contains(.setting(.locationAlways, .denied)))
    // "Allow once" ends with the program.
    again.perform(.answer(device: 0, .location, .allowedOnce))
    again.left(WorldClient(number: 1))
    #expect(again.devices[0].locationPermission == .notDetermined)
  }

  /// Whether the first device's user is asked this question within a minute.
  private func isAsked(_ question: WorldQuestion, in world: ServedWorld) async -> Bool {
    for _ in 0..<1200 {
      if world.server.withWorld({ $0.devices[0].questions }) == [question] { return true }
      await withCheckedContinuation { continuation in
        DispatchQueue.global().asyncAfter(deadline: .now() + 0.05) { continuation.resume() }
      }
    }
    return false
  }

  /// Moves the phone around a place, as a hand does. A phone at rest would receive the same echoes for ever.
  ///
  /// - Returns: Whether the app received what it waits for within a minute of the world's time.
  private func wander(
    in world: ServedWorld, around north: Double, until told: BeaconWalker.Told, _ walker: BeaconWalker
  ) async -> Bool {
    for step in 0..<300 {
      if walker.heard.all.contains(told) { return true }
      let angle = Double(step) * 2.4
      let place = SIMD3(0.12 * cos(angle), north + 0.12 * sin(angle), 1.2 + 0.08 * sin(angle * 1.7))
      world.server.withWorld { $0.perform(.place(device: 0, place)) }
      await withCheckedContinuation { continuation in
        DispatchQueue.global().asyncAfter(deadline: .now() + 0.2) { continuation.resume() }
      }
    }
    return false
  }
}

/// An app that ranges and monitors the beacons of one UUID. Used on the main queue.
private final class BeaconWalker: NSObject, CLLocationManagerDelegate, @unchecked Sendable {
  enum Told: Equatable, Sendable {
    case entered, nobody, always, denied
    case ranged(minor: Int, CLProximity)
  }

  // The manager is used only on the main queue.
  let heard = Heard<Told>()
  private var manager: CLLocationManager?
  private let region = CLBeaconRegion(
    uuid: UUID(uuidString: WorldBeaconTests.uuid) ?? UUID(), major: 1, identifier: "door")

  override init() {
    super.init()
    manager = CLLocationManager()
    manager?.delegate = self
    manager?.requestAlwaysAuthorization()
  }

  /// The latest events.
  override var description: String { "\(heard.all.suffix(5))" }

  func end() {
    manager?.delegate = nil
    manager = nil
  }

  func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
    if manager.authorizationStatus == .denied { heard.add(.denied) }
    guard manager.authorizationStatus == .authorizedAlways else { return }
    heard.add(.always)
    manager.startMonitoring(for: region)
    manager.startRangingBeacons(satisfying: region.beaconIdentityConstraint)
  }
  func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion) { heard.add(.entered) }
  func locationManager(
    _ manager: CLLocationManager, didRange beacons: [CLBeacon],
    satisfying beaconConstraint: CLBeaconIdentityConstraint
  ) {
    if beacons.isEmpty { heard.add(.nobody) }
    for beacon in beacons { heard.add(.ranged(minor: beacon.minor.intValue, beacon.proximity)) }
  }
}
