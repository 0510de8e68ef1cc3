import NearbyInteraction

final class MeetingApp: NSObject, NISessionDelegate {
  let session = NISession()
  private(set) var distance: Float?
  private(set) var isLost = false
  private(set) var failure: NIError?

  override init() {
    super.init()
    session.delegate = self
  }

  func meet(_ token: NIDiscoveryToken) {
    session.run(NINearbyPeerConfiguration(peerToken: token))
  }

  func session(_ session: NISession, didUpdate nearbyObjects: [NINearbyObject]) {
    distance = nearbyObjects.first?.distance
    isLost = false
  }

  func session(
    _ session: NISession, didRemove nearbyObjects: [NINearbyObject], reason: NINearbyObject.RemovalReason
  ) {
    distance = nil
    isLost = reason == .timeout
  }

  func session(_ session: NISession, didInvalidateWith error: any Error) {
    failure = error as? NIError
  }
}
