import NearbyAirs
import NearbyPosition
import NearbyScenarios
import NearbySimulated
import NearbySimulator
import NearbyTextForms
import NearbyVirtualUWB

/// Anchors as shown on the page, and the error that their layout lets expect. Source: `Docs/world-page.md`.
extension HostedWorld {
  func anchorLayoutText() -> String {
    var list = JSONArray()
    for (id, anchor) in anchors.enumerated() {
      var entry = JSONLine()
      entry.add("id", id)
      entry.add("name", text: anchor.described.name)
      entry.add("network", Int(anchor.described.network))
      entry.add("address", Int(anchor.described.address))
      entry.add("begins", anchor.described.begins.map(Int.init))
      entry.add("answers", json: "[" + anchor.described.answers.map { "\($0)" }.joined(separator: ",") + "]")
      list.add(json: entry.closed())
    }
    return list.closed()
  }

  mutating func anchorsText() -> String {
    var list = JSONArray()
    for (id, anchor) in anchors.enumerated() {
      let place = air.medium.world.pose(of: air.anchors[id].body, at: time).positionInWorld
      var entry = JSONLine()
      entry.add("id", id)
      entry.add("p", json: JSONArray.of(place))
      entry.add("on", air.anchors[id].isOn)
      entry.add("hops", air.uwb.hopCount(of: air.anchors[id].chip).map(Int.init))
      let said = anchor.described.surveyed ?? anchor.described.position
      if said != place { entry.add("says", json: JSONArray.of(said)) }
      var faults = JSONLine()
      for fault in AnchorFaultKind.allCases where anchor.value(of: fault) != 0 {
        faults.add(fault.rawValue, anchor.value(of: fault), decimals: 3)
      }
      entry.add("faults", json: faults.closed())
      list.add(json: entry.closed())
    }
    return list.closed()
  }

  /// Cells of the layer at most, and pairs of an anchor and an obstacle that are tested for them.
  private static let expectedCells = 600.0
  private static let expectedWork = 400_000.0
  /// Steps that are tried, metres.
  private static let expectedSteps = [0.25, 0.5, 1, 2, 5, 10, 20, 50, 100]
  /// What the phone's height is known to, metres.
  private static let heightSigma = 0.3
  /// An anchor counts if at least half of its frames arrive.
  private static let leastArrival = 0.5

  /// The page's `expected` message: the smallest standard deviation in the plan that a phone's position can have
  /// over the floor, by the Cramér-Rao bound for the errors that the simulated world expects.
  ///
  /// Of a copy of the world, so that nothing changes.
  func expectedText(network: UInt32, height: Double) -> String {
    let members = anchors.indices.filter { anchors[$0].described.network == network && air.anchors[$0].isOn }
    let grid = expectedGrid(members)
    var world = air.medium.world
    let body = world.addBody()
    let tag = world.addRadio(on: body, .phone, identity: 0)
    var list = JSONArray()
    for row in 0..<grid.rows {
      for column in 0..<grid.columns {
        let place = SIMD3(
          grid.low.x + (Double(column) + 0.5) * grid.step, grid.low.y + (Double(row) + 0.5) * grid.step,
          height)
        world.place(body, at: place)
        list.add(expected(members, by: tag, at: place, &world), decimals: 3)
      }
    }
    var line = JSONLine()
    line.add("type", text: "expected")
    line.add("network", Int(network))
    line.add("height", height, decimals: 2)
    line.add("low", json: JSONArray.of(grid.low))
    line.add("step", grid.step, decimals: 2)
    line.add("columns", grid.columns)
    line.add("rows", grid.rows)
    line.add("sigma", json: list.closed())
    return line.closed()
  }

  private func expected(
    _ members: [Int], by tag: Int, at place: SIMD3<Double>, _ world: inout SimulatedWorld
  ) -> Double? {
    var bound = PositionBound(.differences, heightSigma: Self.heightSigma)
    for index in members {
      let outlook = world.outlook(from: air.anchors[index].radio, by: tag, at: time)
      guard outlook.arrival >= Self.leastArrival else { continue }
      let frames = 1000 / Double(max(anchors[index].described.blockMilliseconds, 1))
      let noise = outlook.noise * outlook.noise / max(1, frames * outlook.arrival)
      let anchor = world.pose(of: air.anchors[index].body, at: time).positionInWorld
      bound.add(
        anchor, from: place, sigma: (outlook.lastingError * outlook.lastingError + noise).squareRoot())
    }
    return bound.sigma.map { ($0.x * $0.x + $0.y * $0.y).squareRoot() }
  }

  /// Square cells over the anchors and the walls around them.
  private func expectedGrid(
    _ members: [Int]
  ) -> (low: SIMD2<Double>, step: Double, columns: Int, rows: Int) {
    let places = members.map { index in
      let place = air.medium.world.pose(of: air.anchors[index].body, at: time).positionInWorld
      return SIMD2(place.x, place.y)
    }
    guard var low = places.first, var high = places.first else { return (.zero, 1, 0, 0) }
    for place in places {
      low = pointwiseMin(low, place)
      high = pointwiseMax(high, place)
    }
    (low, high) = (low - 1, high + 1)
    let size = high - low
    let work = Double(members.count) * Double(air.medium.world.obstacles.count + 1)
    let limit = max(25, min(Self.expectedCells, Self.expectedWork / max(1, work)))
    func cells(_ step: Double) -> Double { (size.x / step).rounded(.up) * (size.y / step).rounded(.up) }
    let step = Self.expectedSteps.first { cells($0) <= limit } ?? max(size.x, size.y) / 5
    let columns = Int(min(1000, (size.x / step).rounded(.up)))
    return (low, step, columns, Int(min(1000, (size.y / step).rounded(.up))))
  }
}
