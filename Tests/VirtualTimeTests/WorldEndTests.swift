import Foundation
import NearbyScenarios
import NearbyTesting
import Testing

@Suite("The end of worlds with apps")
struct WorldEndTests {
  @Test("A world whose scenario has events that never came due goes away")
  func scenario() throws {
    let text = """
      {
        devices: [{ name: "ann", motion: { stand: [0, 0] } }, { name: "ben", motion: { stand: [3, 0] } }],
        beacons: [{
          name: "door", motion: { stand: [1, 1] }, uuid: "F7826DA6-4FA2-4E98-8024-BC5B71E0893E", major: 1, minor: 2,
        }],
        events: [
          { at: 1, do: "suspend", device: "ann" },
          { at: 50, do: "resume", device: "ann" },
          { at: 50, do: "switchOff", beacon: "door" },
        ],
      }
      """
    let scenario = try Scenario(parsing: Data(text.utf8), file: "test")
    weak var world: World?
    weak var phone: Phone?
    do {
      let made = World(scenario)
      (world, phone) = (made, made.addPhones(of: scenario).phones.first)
      made.advance(by: .seconds(2))
      #expect(world != nil)
    }
    #expect(world == nil)
    #expect(phone == nil)
  }

  @Test("A world whose apps wait goes away, and what they captured with their pieces")
  func waiting() {
    final class Captured: Sendable {}
    weak var world: World?
    weak var captured: Captured?
    do {
      let scene = Scene()
      world = scene.world
      scene.phone.launch {
        let object = Captured()
        captured = object
        DispatchQueue.main.asyncAfter(deadline: .now() + 100) { withExtendedLifetime(object) {} }
        RunLoop.main.perform { withExtendedLifetime(object) {} }
      }
    }
    #expect(world == nil)
    #expect(captured == nil)
  }
}
