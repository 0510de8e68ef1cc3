import NearbyInteraction

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
