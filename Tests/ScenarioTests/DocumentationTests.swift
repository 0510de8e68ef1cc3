import NearbyInteraction
import NearbyTesting
import Testing

// The code of the documentation's first pages. Keep both the same.

final class Seeker: NSObject, NISessionDelegate {
  let session = NISession()
  var distance: Float?

  func find(_ token: NIDiscoveryToken) {
    session.delegate = self
    session.run(NINearbyPeerConfiguration(peerToken: token))
  }
  func session(_ session: NISession, didUpdate nearbyObjects: [NINearbyObject]) {
    distance = nearbyObjects.first?.distance
  }
}

@Suite("The documentation's first pages")
struct DocumentationTests {
  @Test("They find each other")
  func meeting() {
    let world = World(seed: 7)
    let ann = world.addPhone("Ann", at: [0, 0, 1.2], heading: 0)
    let ben = world.addPhone("Ben", at: [0, 3, 1.2], heading: 180)
    let seeker = ann.launch { Seeker() }
    let target = ben.launch { Seeker() }
    if let token = target.session.discoveryToken { seeker.find(token) }
    if let token = seeker.session.discoveryToken { target.find(token) }
    world.advance(by: .seconds(10))
    #expect(abs((seeker.distance ?? 0) - 3) < 0.3)
  }
}
