import Testing

@testable import Cerca

@Suite("Cerca's views")
struct CercaViewTests {
  @Test(
    "The near view shows the name, the distance and the direction",
    arguments: [
      (Sighting(peer: "Ben", distance: 2.004, direction: [0, 0, -1]), "↑  2.00 m", "straight ahead"),
      (Sighting(peer: "Ben", distance: 12.3, direction: [0.8, 0, -0.6]), "↗  12.30 m", "53° to the right"),
      (
        Sighting(peer: "Ben", distance: 3, direction: [-0.6, 0.6, 0.529]), "↙  3.00 m",
        "131° to the left, 37° up"
      ),
      (Sighting(peer: "Ben", distance: 0.21, direction: nil), "·  0.21 m", "right here"),
      (Sighting(peer: "Ben", distance: nil, direction: [0, 0, 1]), "↓  --.-- m", "180° to the right"),
      (
        Sighting(peer: "Ben", distance: 5, direction: nil), "·  5.00 m",
        "turn to bring it into the field of view"
      ),
    ])
  func near(sighting: Sighting, distance: String, hint: String) {
    #expect(CercaView.lines(.near(sighting)) == ["Ben", distance, hint])
  }

  @Test("The other states show the problem and what the user can do")
  func errors() {
    #expect(CercaView.lines(.lost(peer: "Ben")) == ["Ben is lost.", "Move closer; Cerca keeps searching."])
    #expect(CercaView.lines(.failed(reason: "why")).first == "Something went wrong: why")
    for state in [CercaState.unsupported, .suspended, .refused, .noNetwork] {
      #expect(CercaView.lines(state).count == 2)
    }
    #expect(CercaView.lines(.meeting(peer: "Ben")).first == "Ben")
  }

  @Test("Close up means under 0.3 m and pointed at means within 15°, as in Apple's sample")
  func bounds() {
    #expect(Sighting(peer: "", distance: 0.29, direction: nil).isCloseUp)
    #expect(!Sighting(peer: "", distance: 0.3, direction: nil).isCloseUp)
    #expect(Sighting(peer: "", distance: nil, direction: [0.25, 0, -0.968]).isPointedAt)
    #expect(!Sighting(peer: "", distance: nil, direction: [-0.27, 0, -0.963]).isPointedAt)
  }
}
