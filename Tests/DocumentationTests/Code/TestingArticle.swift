import MultipeerConnectivity
import NearbyInteraction
import NearbyTesting
import Testing

@Test("A wall only lengthens the measured distance")
func wall() throws {
  let world = World(seed: 3)
  let ann = world.addPhone("Ann", at: [0, 0, 1.2], heading: 0)
  let ben = world.addPhone("Ben", at: [0, 4, 1.2], heading: 180)
  let (seeker, target) = (ann.launch { Seeker() }, ben.launch { Seeker() })
  seeker.find(try #require(target.session.discoveryToken))
  target.find(try #require(seeker.session.discoveryToken))
  world.addWall(between: ann, and: ben, material: .drywall)
  world.advance(by: .seconds(5))
  #expect(!ann.truth(to: ben).isLineOfSight)
  #expect(try #require(seeker.distance) > 3.8)
}

@Test("Walking changes the distance")
func walking() throws {
  let world = World(seed: 3)
  let ann = world.addPhone("Ann", at: [0, 0, 1.2], heading: 0)
  let ben = world.addPhone("Ben", at: [0, 9, 1.2], heading: 180)
  let (seeker, target) = (ann.launch { Seeker() }, ben.launch { Seeker() })
  seeker.find(try #require(target.session.discoveryToken))
  target.find(try #require(seeker.session.discoveryToken))
  ben.walk(to: [0, 2, 1.2], speed: 1)
  let isNear = world.advance(until: { (seeker.distance ?? .infinity) < 2.5 }, within: .seconds(15))
  #expect(isNear)
}

@Test("A denied permission ends the session")
func denied() throws {
  let world = World(seed: 3)
  let ann = world.addPhone("Ann")
  let ben = world.addPhone("Ben", at: [0, 3, 1.2])
  ann.setAnswer(.deny)
  let ranger = ann.launch { Ranger() }
  let target = ben.launch { Ranger() }
  ranger.range(with: try #require(target.session.discoveryToken))
  world.advance(by: .seconds(1))
  #expect(ranger.failure?.code == .userDidNotAllow)
}

@Test("In the background the session is suspended, afterwards it ranges again")
func background() throws {
  let world = World(seed: 3)
  let ann = world.addPhone("Ann", at: [0, 0, 1.2], heading: 0)
  let ben = world.addPhone("Ben", at: [0, 3, 1.2], heading: 180)
  let (ranger, target) = (ann.launch { Ranger() }, ben.launch { Ranger() })
  ranger.range(with: try #require(target.session.discoveryToken))
  target.range(with: try #require(ranger.session.discoveryToken))
  world.advance(by: .seconds(3))
  ann.suspend()
  world.advance(by: .seconds(5))
  ann.resume()
  world.advance(by: .seconds(5))
  #expect(abs(try #require(ranger.distance) - 3) < 0.3)
}

@Test("A conversation outlasts a short loss of the network")
func network() throws {
  let world = World(seed: 3)
  let ann = world.addPhone("Ann")
  let ben = world.addPhone("Ben", at: [0, 3, 1.2])
  let (atAnn, atBen) = (ann.launch { Chat(name: "Ann") }, ben.launch { Chat(name: "Ben") })
  world.setNetworkLatency(.milliseconds(50))
  world.setNetworkLoss(0.1)
  atAnn.start()
  atBen.start()
  world.advance(by: .seconds(10))
  world.partition(ann, ben)
  try atAnn.say("are you there?")
  world.advance(by: .seconds(3))
  #expect(atBen.messages.isEmpty)
  world.heal()
  world.advance(by: .seconds(10))
  #expect(atBen.messages == ["Ann: are you there?"])
}

@Test("An async test leaves the main queue to the app")
func asynchronous() async throws {
  let world = World(seed: 3)
  let ann = world.addPhone("Ann", at: [0, 0, 1.2], heading: 0)
  let ben = world.addPhone("Ben", at: [0, 3, 1.2], heading: 180)
  let (seeker, target) = (ann.launch { Seeker() }, ben.launch { Seeker() })
  seeker.find(try #require(target.session.discoveryToken))
  target.find(try #require(seeker.session.discoveryToken))
  await world.advance(by: .seconds(5))
  #expect(abs(try #require(seeker.distance) - 3) < 0.3)
}
