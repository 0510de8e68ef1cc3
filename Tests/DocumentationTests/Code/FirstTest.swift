import NearbyInteraction
import NearbyTesting
import Testing

@Test("Ann sees Ben at three metres")
func meeting() throws {
  let world = World(seed: 7)
  let ann = world.addPhone("Ann", at: [0, 0, 1.2], heading: 0)
  let ben = world.addPhone("Ben", at: [0, 3, 1.2], heading: 180)
  let seeker = ann.launch { Seeker() }  // your own class with its NISession
  let target = ben.launch { Seeker() }
  seeker.find(try #require(target.session.discoveryToken))
  target.find(try #require(seeker.session.discoveryToken))
  world.advance(by: .seconds(10))  // virtual time: a few milliseconds
  #expect(abs(try #require(seeker.distance) - 3) < 0.3)
}
