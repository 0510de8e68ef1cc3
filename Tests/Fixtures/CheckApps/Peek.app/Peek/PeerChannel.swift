import MultipeerConnectivity

class PeerChannel: NSObject, MCSessionDelegate {
  static var maximumPeers: Int { 1 }
  private let session: MCSession
  private let advertiser: MCNearbyServiceAdvertiser
  private let browser: MCNearbyServiceBrowser
  var received: ((_ data: Data, _ peer: MCPeerID) -> Void)?

  init(service: String, name: String) {
    let peer = MCPeerID(displayName: name)
    session = MCSession(peer: peer, securityIdentity: nil, encryptionPreference: .required)
    advertiser = MCNearbyServiceAdvertiser(peer: peer, discoveryInfo: ["identity": service], serviceType: service)
    browser = MCNearbyServiceBrowser(peer: peer, serviceType: service)
    super.init()
    session.delegate = self
    advertiser.delegate = self
    browser.delegate = self
  }

  func start() {
    advertiser.startAdvertisingPeer()
    browser.startBrowsingForPeers()
  }

  func send(_ token: NSObject & NSSecureCoding) throws {
    let data = try NSKeyedArchiver.archivedData(withRootObject: token, requiringSecureCoding: true)
    do {
      try session.send(data, toPeers: session.connectedPeers, with: .reliable)
    } catch let error {
      NSLog("not sent: %@", error.localizedDescription)
    }
  }

  func session(_ session: MCSession, peer: MCPeerID, didChange state: MCSessionState) {
    switch state {
    case .connected: print("connected to \(peer.displayName)")
    case .connecting, .notConnected: break
    @unknown default: break
    }
  }
  func session(_ session: MCSession, didReceive data: Data, fromPeer peer: MCPeerID) { received?(data, peer) }
  func session(
    _ session: MCSession, didReceive stream: InputStream, withName name: String, fromPeer peer: MCPeerID
  ) {}
  func session(
    _ session: MCSession, didStartReceivingResourceWithName name: String, fromPeer peer: MCPeerID,
    with progress: Progress
  ) {}
  func session(
    _ session: MCSession, didFinishReceivingResourceWithName name: String, fromPeer peer: MCPeerID,
    at url: URL?, withError error: Error?
  ) {}
}

extension PeerChannel: MCNearbyServiceAdvertiserDelegate, MCNearbyServiceBrowserDelegate {
  func advertiser(
    _ advertiser: MCNearbyServiceAdvertiser, didReceiveInvitationFromPeer peer: MCPeerID, withContext: Data?,
    invitationHandler: @escaping (Bool, MCSession?) -> Void
  ) {
    invitationHandler(session.connectedPeers.count < Self.maximumPeers, session)
  }
  func browser(
    _ browser: MCNearbyServiceBrowser, foundPeer peer: MCPeerID, withDiscoveryInfo info: [String: String]?
  ) {
    browser.invitePeer(peer, to: session, withContext: nil, timeout: 10)
  }
  func browser(_ browser: MCNearbyServiceBrowser, lostPeer peerID: MCPeerID) {}
}
