// swift-format-ignore-file
// As apps do it: they replace a session that ended from within the callback, and send its token again.
import NearbyInteraction

/// Keeps the peer's token, and starts over with a new session whenever its own ends.
class RestartingRanger: NSObject, NISessionDelegate {
  var session: NISession?
  var peerDiscoveryToken: NIDiscoveryToken?
  var sendToken: ((NIDiscoveryToken) -> Void)?
  var history: [String] = []
  var distance: Float = -1

  func startup() {
    session = NISession()
    session?.delegate = self
    guard let token = session?.discoveryToken else { fatalError("Unable to get self discovery token") }
    sendToken?(token)
    if let peer = peerDiscoveryToken {
      session?.run(NINearbyPeerConfiguration(peerToken: peer))
    }
  }

  func peerDidShareDiscoveryToken(_ token: NIDiscoveryToken) {
    peerDiscoveryToken = token
    session?.run(NINearbyPeerConfiguration(peerToken: token))
  }

  func session(_ session: NISession, didUpdate nearbyObjects: [NINearbyObject]) {
    guard let object = nearbyObjects.first(where: { $0.discoveryToken == peerDiscoveryToken }) else { return }
    distance = object.distance ?? 0
    note("update")
  }
  func session(_ session: NISession, didRemove nearbyObjects: [NINearbyObject], reason: NINearbyObject.RemovalReason) {
    switch reason {
    case .peerEnded:
      note("ended")
      peerDiscoveryToken = nil
      session.invalidate()
      startup()
    case .timeout:
      note("timeout")
      if let config = session.configuration { session.run(config) }
    default: fatalError("Unknown and unhandled NINearbyObject.RemovalReason")
    }
  }
  func sessionWasSuspended(_ session: NISession) { note("suspended") }
  func sessionSuspensionEnded(_ session: NISession) {
    if let config = self.session?.configuration { session.run(config) } else { startup() }
  }
  func session(_ session: NISession, didInvalidateWith error: Error) {
    note("invalidated")
    if case NIError.userDidNotAllow = error { return }
    startup()
  }
  private func note(_ text: String) {
    if history.last != text { history.append(text) }
  }
}

/// One session for the sender of the last token. It takes the first object for that peer.
class FirstObjectRanger: NSObject, NISessionDelegate {
  let niSession = NISession()
  var nearbyObjects: [NINearbyObject] = []
  override init() {
    super.init()
    niSession.delegate = self
  }
  func received(_ data: Data) {
    guard let token = try? NSKeyedUnarchiver.unarchivedObject(ofClass: NIDiscoveryToken.self, from: data) else {
      fatalError("Unexpectedly failed to decode discovery token.")
    }
    niSession.run(NINearbyPeerConfiguration(peerToken: token))
  }
  var token: Data {
    try! NSKeyedArchiver.archivedData(withRootObject: niSession.discoveryToken!, requiringSecureCoding: true)
  }
  var first: NINearbyObject? { nearbyObjects.first }
  func session(_ session: NISession, didUpdate nearbyObjects: [NINearbyObject]) { self.nearbyObjects = nearbyObjects }
}
