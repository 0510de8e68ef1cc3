import Foundation
import NearbyInteraction
import NearbyLive
import NearbyRadioLinks
import NearbyScenarios
import NearbySimulator
import NearbyWorld
import NearbyWorldProtocol
import TestSupport
import Testing

@Suite("Programs in a served world", .ownThreads)
struct ServedWorldTests {
  /// Two devices that range. They are created when they join, and placed 3 m apart.
  private static func pair(
    _ world: ServedWorld
  ) async throws -> (anna: RangingApp, ben: RangingApp) {
    let anna = RangingApp(on: try world.join("anna"))
    let ben = RangingApp(on: try world.join("ben"))
    world.server.withWorld { world in
      world.perform(.place(device: 0, [0, 0, 1.2]))
      world.perform(.place(device: 1, [0, 3, 1.2]))
    }
    try anna.range(with: ben)
    try ben.range(with: anna)
    return (anna, ben)
  }

  @Test("Two programs range, and see each other move")
  func rangingAndMoving() async throws {
    let world = try ServedWorld()
    let (anna, ben) = try await Self.pair(world)
    #expect(await anna.hearsDistance(3))
    #expect(await ben.hearsDistance(3))
    let count = anna.told.all.count
    world.server.withWorld { $0.perform(.place(device: 1, [0, 6, 1.2])) }
    #expect(await anna.hearsDistance(6, after: count))
  }

  @Test("A session is suspended in the background and ranges again in the foreground")
  func background() async throws {
    let world = try ServedWorld()
    let (anna, ben) = try await Self.pair(world)
    #expect(await anna.hearsDistance(3))
    world.server.withWorld { $0.perform(.foreground(device: 0, false)) }
    #expect(await anna.told.wait { $0.contains(.suspended) })
    let count = anna.told.all.count
    world.server.withWorld { $0.perform(.foreground(device: 0, true)) }
    #expect(await anna.told.wait { $0.contains(.suspensionEnded) })
    #expect(await anna.hearsDistance(3, after: count))
    _ = ben
  }

  @Test("When a program ends its peer times out; after a restart its device can be ranged with again")
  func leaving() async throws {
    let world = try ServedWorld()
    world.server.setRate(try #require(WorldRate(10)))
    let anna = RangingApp(on: try world.join("anna"))
    var ben: RangingApp? = RangingApp(on: try world.join("ben"))
    try anna.range(with: #require(ben))
    try ben?.range(with: anna)
    #expect(await anna.told.wait { !$0.isEmpty })
    world.server.dropDevice("ben")
    ben = nil
    #expect(await anna.told.wait { $0.contains(.removed(.timeout)) })
    let again = RangingApp(on: try world.join("ben"))
    let next = RangingApp(on: try world.join("carl"))
    try next.range(with: again)
    try again.range(with: next)
    #expect(await next.told.wait { !$0.isEmpty })
  }

  @Test("Devices reconnect to a restarted server and continue to range")
  func serverRestart() async throws {
    var world: ServedWorld? = try .onFixedPort()
    let port = try #require(world?.port)
    let (anna, ben) = try await Self.pair(#require(world))
    #expect(await anna.hearsDistance(3))
    world = nil
    let count = anna.told.all.count
    let second = try ServedWorld(port: port)
    #expect(
      await second.events.wait { $0.filter { if case .joined = $0 { true } else { false } }.count >= 2 })
    #expect(await anna.told.wait { $0.count > count + 3 })
    #expect(!anna.told.all.contains(.invalidated))
    _ = ben
  }

  @Test("A paused world sends nothing until a step advances it")
  func pausing() async throws {
    let world = try ServedWorld()
    let (anna, ben) = try await Self.pair(world)
    #expect(await anna.hearsDistance(3))
    world.server.setRate(.paused)
    let before = world.server.withWorld { $0.time }
    #expect(world.server.withWorld { $0.time } == before)
    world.server.step(.seconds(2))
    #expect(world.server.withWorld { $0.time } == before + .seconds(2))
    let count = anna.told.all.count
    world.server.setRate(.real)
    #expect(await anna.told.wait { $0.count > count })
    _ = ben
  }

  @Test("Denying permission on the page ends a session; answering a question on the page starts it")
  func permission() async throws {
    let world = try ServedWorld { $0.settings.answer = nil }
    let (anna, ben) = try await Self.pair(world)
    // Both devices wait for their users' answers.
    world.server.withWorld { world in
      world.perform(.answer(device: 1, .nearby, .allowed))
    }
    world.server.withWorld { $0.perform(.standingAnswer(device: 0, .denied)) }
    #expect(await anna.told.wait { $0.contains(.invalidated) })
    #expect(!ben.told.all.contains(.invalidated))
  }

  @Test("A second program with the same name is refused with the holder's name, and the first continues")
  func heldDevice() async throws {
    let world = try ServedWorld()
    let (anna, ben) = try await Self.pair(world)
    #expect(await anna.hearsDistance(3))
    let error = #expect(throws: (any Error).self) { try world.join("anna") }
    let words = "anna is held by anna, pid \(ProcessInfo.processInfo.processIdentifier)"
    #expect(error.map { "\($0)" } == words)
    let count = anna.told.all.count
    #expect(await anna.told.wait { $0.count > count + 3 })
    #expect(!anna.told.all.contains(.invalidated))
    _ = ben
  }

  @Test("A program whose device is removed is notified once and does not rejoin")
  func removedDevice() async throws {
    let world = try ServedWorld()
    let ends = Heard<String>()
    let device = try JoinedWorld.join(
      named: "anna", host: "127.0.0.1", port: world.port, token: "", usageDescription: "a test",
      cameraUsageDescription: nil, ended: { ends.add($0) }
    ).device
    world.server.withWorld { $0.perform(.removeDevice(0)) }
    #expect(await ends.wait { !$0.isEmpty })
    #expect(ends.all == ["anna was removed from the world"])
    #expect(await world.connectionsFall(to: 0))
    #expect(world.server.withWorld { $0.deviceNames.isEmpty })
    _ = device
  }

  @Test("Joining without the right token is refused")
  func token() throws {
    let world = try ServedWorld { $0.settings.token = "secret" }
    #expect(throws: (any Error).self) { try world.join("anna", token: "guess") }
    _ = try world.join("anna", token: "secret")
  }
}
