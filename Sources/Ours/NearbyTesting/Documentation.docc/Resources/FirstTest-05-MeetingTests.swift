import NearbyInteraction
import NearbyTesting
import Testing

@Test("Two phones measure each other")
func phonesMeet() throws {
  let world = World(seed: 7)
  let ann = world.addPhone("Ann", at: [0, 0, 1.2], heading: 0)
  let ben = world.addPhone("Ben", at: [0, 3, 1.2], heading: 180)
  let atAnn = ann.launch { MeetingApp() }
  let atBen = ben.launch { MeetingApp() }
  atAnn.meet(try #require(atBen.session.discoveryToken))
  atBen.meet(try #require(atAnn.session.discoveryToken))
  world.advance(by: .seconds(5))
  #expect(abs(try #require(atAnn.distance) - 3) < 0.3)
}

@Test("A phone that leaves is lost")
func phoneLeaves() throws {
  let world = World(seed: 7)
  let ann = world.addPhone("Ann", at: [0, 0, 1.2], heading: 0)
  let ben = world.addPhone("Ben", at: [0, 3, 1.2], heading: 180)
  let atAnn = ann.launch { MeetingApp() }
  let atBen = ben.launch { MeetingApp() }
  atAnn.meet(try #require(atBen.session.discoveryToken))
  atBen.meet(try #require(atAnn.session.discoveryToken))
  world.advance(by: .seconds(5))
  ben.leaveRange()
  world.advance(by: .seconds(20))
  #expect(atAnn.isLost)
}

@Test("Without permission the session ends")
func permissionDenied() throws {
  let world = World(seed: 7)
  let ann = world.addPhone("Ann", at: [0, 0, 1.2], heading: 0)
  let ben = world.addPhone("Ben", at: [0, 3, 1.2], heading: 180)
  ann.setAnswer(.deny)
  let atAnn = ann.launch { MeetingApp() }
  let atBen = ben.launch { MeetingApp() }
  atAnn.meet(try #require(atBen.session.discoveryToken))
  world.advance(by: .seconds(1))
  #expect(atAnn.failure?.code == .userDidNotAllow)
}
