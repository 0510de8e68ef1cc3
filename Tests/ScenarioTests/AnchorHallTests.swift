import NearbyInteraction
import NearbyTesting
import Testing

/// Halls of one network that are out of each other's reach.
@Suite("Anchors of several halls")
struct AnchorHallTests {
  private func addHall(_ number: Int, at corner: SIMD3<Double>, to world: World) {
    let addresses = AnchorTests.corners.indices.map { number * 10 + $0 + 1 }
    for (index, place) in AnchorTests.corners.enumerated() {
      var profile = AnchorProfile(
        network: 77, address: addresses[index],
        roles: [
          index == 0
            ? .initiator(round: 0, responders: Array(addresses.dropFirst())) : .responder(round: 0)
        ])
      profile.isTimeReference = index == 0
      world.addAnchor("\(number)/\(index)", at: corner + place, profile)
    }
  }

  @Test("Anchors out of reach, and phones among them, change nothing that a phone measures")
  func independence() {
    func stamps(hasNeighbour: Bool) -> [[UInt64]] {
      let world = World(seed: 6)
      addHall(0, at: .zero, to: world)
      let phone = world.addPhone("Visitor", at: [6, 4, 1.2])
      if hasNeighbour {
        addHall(1, at: [400, 0, 0], to: world)
        _ = world.addPhone("Other", at: [406, 4, 1.2]).launch { AnchorVisitor(network: 77) }
      }
      let app = phone.launch { AnchorVisitor(network: 77) }
      world.advance(by: .seconds(10))
      return app.batches.map { $0.flatMap { [UInt64($0.address), $0.rawReceiveTime] } }
    }
    let alone = stamps(hasNeighbour: false)
    #expect(alone.count > 40 && alone == stamps(hasNeighbour: true))
  }

  @Test("A phone that goes from hall to hall hears the anchors of each")
  func journey() throws {
    let world = World(seed: 7)
    addHall(0, at: .zero, to: world)
    addHall(1, at: [400, 0, 0], to: world)
    let phone = world.addPhone("Visitor", at: [6, 4, 1.2])
    let app = phone.launch { AnchorVisitor(network: 77) }
    world.advance(by: .seconds(5))
    #expect(app.batches.last?.first?.clusterInitiatorAddress == 1)
    phone.walk(through: [[406, 4, 1.2]], speed: 20)
    world.advance(by: .seconds(25))
    let last = try #require(app.batches.last)
    #expect(last.count >= 5 && last.allSatisfy { $0.clusterInitiatorAddress == 11 })
    #expect(try #require(app.error(from: phone.position)) < 1)
  }
}
