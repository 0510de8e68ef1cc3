import Foundation
import NearbyInteraction
import NearbyPosition
import NearbyScenarios
import NearbySimulator
import NearbyTesting
import Testing

@testable import Museum

@Suite("Museum: the floor with anchors")
struct MuseumFloorTests {
  @Test(
    "The app shows room and place of a visitor who walks through all rooms", arguments: [1, 2, 3] as [UInt64])
  func walk(seed: UInt64) throws {
    let floor = MuseumFloor(seed: seed)
    floor.advance(by: .seconds(3))
    var (errors, right, rooms) = ([Double](), 0, Set<String>())
    for _ in 0..<140 {
      floor.advance(by: .milliseconds(250))
      guard let error = floor.error, case .here(let room, _, let sigma) = floor.app.place else { continue }
      errors.append(error)
      if room == floor.room { right += 1 }
      if let room { rooms.insert(room) }
      #expect(sigma.x > 0.02 && sigma.x.isFinite)
    }
    errors.sort()
    #expect(errors.count > 125)
    #expect(errors[errors.count / 2] < 0.35 && errors[errors.count * 95 / 100] < 1, "seed \(seed)")
    #expect(Double(right) > 0.93 * Double(errors.count) && rooms == ["hall", "gallery", "workshop"])
  }

  @Test("Without permission for location the app says why it stops; without anchors it searches")
  func refusals() {
    let denied = MuseumFloor(seed: 1)
    denied.phone.setLocationAnswer(.deny)
    denied.advance(by: .seconds(3))
    #expect(denied.app.place == .stopped(NIError(.userDidNotAllow).localizedDescription))
    let dark = MuseumFloor(seed: 1)
    for anchor in dark.anchors { anchor.switchOff() }
    dark.advance(by: .seconds(5))
    #expect(dark.app.place == .searching)
    for anchor in dark.anchors { anchor.switchOn() }
    dark.advance(by: .seconds(5))
    #expect(dark.error != nil)
  }

  @Test("With two anchors left the app says that they are too few, and continues when they return")
  func tooFew() {
    let floor = MuseumFloor(seed: 2)
    for anchor in floor.anchors[2...] { anchor.cause(.missedPolls(1)) }
    floor.advance(by: .seconds(5))
    #expect(floor.app.place == .unknown(.tooFewAnchors))
    for anchor in floor.anchors { anchor.repair() }
    floor.advance(by: .seconds(8))
    #expect(floor.error ?? .infinity < 1)
  }

  @Test("The scenario file of the shared world has the same anchors, rounds and walls")
  func scenario() throws {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../Examples/Scenarios/museum-floor.json").standardized
    let scenario = try Scenario(parsing: Data(contentsOf: file), file: file.path)
    let floor = MuseumFloor(seed: 1)
    #expect(scenario.anchors.map(\.position) == floor.anchors.map(\.position))
    #expect(scenario.anchors.map { Int($0.address) } == floor.anchors.map(\.address))
    #expect(scenario.anchors.allSatisfy { Int($0.network) == MuseumFloor.network })
    #expect(scenario.anchors.compactMap(\.begins) == [0, 1, 2])
    #expect(scenario.anchors.map { scenario.responders(of: $0).count }.filter { $0 > 0 } == [6, 4, 4])
    for wall in MuseumFloor.walls {
      #expect(scenario.walls.contains { $0.from == wall.from && $0.to == wall.to })
    }
  }
}
