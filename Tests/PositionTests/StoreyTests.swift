import NearbyPosition
import Testing

@Suite("Storeys") struct StoreyTests {
  /// Anchors 0.2 m and 3 m above the floor of one storey, and one anchor of the storey above.
  private static func anchors(number: Double, level: Double) -> [PositionAnchor] {
    SimulatedTag.anchors.map { anchor in
      PositionAnchor(
        id: anchor.id, position: anchor.position,
        floor: AnchorFloor(number: number, heightAboveFloor: anchor.position.z - level))
    } + [
      PositionAnchor(
        id: 1, position: SIMD3(0, 0, level + 5),
        floor: AnchorFloor(number: number + 1, heightAboveFloor: 1))
    ]
  }

  private static func estimate(_ anchors: [PositionAnchor]) throws -> PositionEstimate {
    var solver = try PositionSolver(anchors: anchors)
    var tag = SimulatedTag(seed: 90)
    for _ in 0..<3000 { solver.add(tag.difference()) }
    return solver.estimate()
  }

  @Test("A position names the storey of its anchors and the height above its floor")
  func named() throws {
    let estimate = try Self.estimate(Self.anchors(number: 3, level: 0))
    let floor = try #require(estimate.floor)
    #expect(floor.number == 3)
    #expect((floor.heightAboveFloor - (estimate.position?.z ?? .nan)).magnitude < 1e-9)
  }

  @Test("The storey above counts from its floor on")
  func above() throws {
    // The floor of storey 4 is 4 m above that of storey 3: −4 + 4 = 0, where the tag is.
    let floor = try #require(try Self.estimate(Self.anchors(number: 3, level: -4)).floor)
    #expect(floor.number == 4)
    #expect((0...3).contains(floor.heightAboveFloor))
  }

  @Test("Between two floors that are too close for the height's error, no storey is named")
  func uncertain() throws {
    let close = SimulatedTag.anchors.enumerated().map { index, anchor in
      PositionAnchor(
        id: anchor.id, position: anchor.position,
        floor: AnchorFloor(
          number: Double(index), heightAboveFloor: anchor.position.z - 0.15 * Double(index) - 1.2))
    }
    let estimate = try Self.estimate(close)
    #expect(estimate.position != nil)
    #expect(estimate.floor == nil)
  }

  @Test("Anchors without storeys name none, and impossible storeys are errors")
  func none() throws {
    #expect(try Self.estimate(SimulatedTag.anchors).floor == nil)
    for floor in [
      AnchorFloor(number: .nan, heightAboveFloor: 0), AnchorFloor(number: 0, heightAboveFloor: .infinity),
    ] {
      let anchor = PositionAnchor(id: 7, position: SIMD3(1, 1, 1), floor: floor)
      #expect(throws: PositionError.invalidAnchor(id: 7)) {
        try PositionSolver(anchors: SimulatedTag.anchors + [anchor])
      }
    }
  }
}
