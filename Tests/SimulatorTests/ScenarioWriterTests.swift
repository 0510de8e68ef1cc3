import Foundation
import NearbyScenarios
import NearbySimulator
import Testing

@Suite("Scenarios written as text")
struct ScenarioWriterTests {
  static let files = ["office", "two-phones-meet", "wall-between"]

  private static func example(_ name: String) throws -> Scenario {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let data = try Data(contentsOf: root.appendingPathComponent("Examples/Scenarios/\(name).json"))
    return try Scenario(parsing: data, file: name)
  }

  @Test("An example written and parsed again gives the same world and motion", arguments: files)
  func roundTrip(_ name: String) throws {
    let scenario = try Self.example(name)
    let again = try Scenario(parsing: Data(scenario.text().utf8), file: "again")
    #expect(again.devices.map(\.name) == scenario.devices.map(\.name))
    #expect(again.walls == scenario.walls)
    #expect(again.floors == scenario.floors)
    #expect(again.pairs == scenario.pairs)
    #expect(again.events.map(\.time) == scenario.events.map(\.time))
    let (first, second) = (SimulatedWorld(scenario), SimulatedWorld(again))
    for second_ in stride(from: 0.0, through: 60, by: 2.5) {
      for body in 0..<first.bodyCount {
        let a = first.pose(of: BodyID(index: body), at: .seconds(second_))
        let b = second.pose(of: BodyID(index: body), at: .seconds(second_))
        let step = a.positionInWorld - b.positionInWorld
        #expect((step * step).sum() < 1e-18, "body \(body) at \(second_) s")
        let turn = (a.worldFromDevice.quaternion * b.worldFromDevice.quaternion).sum()
        #expect(abs(abs(turn) - 1) < 1e-12, "body \(body) at \(second_) s")
      }
    }
    // Writing it a second time changes nothing.
    #expect(again.text() == (try Scenario(parsing: Data(again.text().utf8), file: "again")).text())
  }

  @Test("A radio defined in the scenario keeps its values")
  func ownRadio() throws {
    let scenario = try Self.example("office")
    let again = try Scenario(parsing: Data(scenario.text().utf8), file: "again")
    let (old, new) = (scenario.devices[2].radio, again.devices[2].radio)
    #expect(new.clockOffset == old.clockOffset)
    #expect(new.timestampSigma == old.timestampSigma)
    #expect(abs((new.array?.fieldOfView ?? 0) - (old.array?.fieldOfView ?? 1)) < 1e-12)
  }

  @Test("A rotation's heading, pitch and roll give the same rotation")
  func angles() {
    for heading in stride(from: -3.0, through: 3, by: 0.5) {
      for pitch in [-1.5, -0.7, 0, 0.3, 1.5] {
        for roll in [-3.0, -1, 0, 0.5, 2] {
          let rotation = Rotation(heading: heading, pitch: pitch, roll: roll)
          let angles = rotation.angles
          let again = Rotation(heading: angles.heading, pitch: angles.pitch, roll: angles.roll)
          let turn = (rotation.quaternion * again.quaternion).sum()
          #expect(abs(abs(turn) - 1) < 1e-12, "\(heading) \(pitch) \(roll)")
        }
      }
    }
  }
}
