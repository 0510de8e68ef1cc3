import Foundation
import MultipeerConnectivity
import NearbyInteraction

/// An app: peers that exchange their tokens and range.
///
/// `@unchecked Sendable`: its state is used on the main queue.
final class Sessions: NSObject, @unchecked Sendable {
  /// Makes a session, by which the program joins the world, and ends.
  static func joinOnly() {
    let session = NISession()
    print(session.discoveryToken == nil ? "no token" : "joined")
  }

  static func meet() {
    let app = Sessions()
    app.begin()
    RunLoop.main.run(until: Date(timeIntervalSinceNow: 6))
    withExtendedLifetime(app) {}
    print(#"{"score": "updates", "value": \#(app.updates), "atLeast": 5}"#)
  }

  private let name = ProcessInfo.processInfo.environment["NEARBY_DEVICE"] ?? ""
  private lazy var peer = MCPeerID(displayName: name)
  private lazy var peers = MCSession(peer: peer, securityIdentity: nil, encryptionPreference: .required)
  private lazy var advertiser = MCNearbyServiceAdvertiser(
    peer: peer, discoveryInfo: nil, serviceType: "step-probe")
  private lazy var browser = MCNearbyServiceBrowser(peer: peer, serviceType: "step-probe")
  private let session = NISession()
  private var updates = 0

  private func begin() {
    session.delegate = self
    peers.delegate = self
    advertiser.delegate = self
    browser.delegate = self
    advertiser.startAdvertisingPeer()
    browser.startBrowsingForPeers()
  }
}

extension Sessions: NISessionDelegate {
  func session(_ session: NISession, didUpdate nearbyObjects: [NINearbyObject]) {
    updates += 1
    guard let distance = nearbyObjects.first?.distance, updates <= 3 else { return }
    print("distance", distance)
  }
}

extension Sessions: MCNearbyServiceAdvertiserDelegate, MCNearbyServiceBrowserDelegate {
  func advertiser(
    _ advertiser: MCNearbyServiceAdvertiser, didReceiveInvitationFromPeer peerID: MCPeerID,
    withContext context: Data?, invitationHandler: @escaping (Bool, MCSession?) -> Void
  ) { invitationHandler(true, peers) }

  func browser(
    _ browser: MCNearbyServiceBrowser, foundPeer peerID: MCPeerID, withDiscoveryInfo info: [String: String]?
  ) {
    print("found", peerID.displayName)
    if peerID.displayName > name { browser.invitePeer(peerID, to: peers, withContext: nil, timeout: 10) }
  }

  func browser(_ browser: MCNearbyServiceBrowser, lostPeer peerID: MCPeerID) {}
}

extension Sessions: MCSessionDelegate {
  func session(_ session: MCSession, peer peerID: MCPeerID, didChange state: MCSessionState) {
    DispatchQueue.main.async { [self] in
      guard state == .connected, let token = self.session.discoveryToken,
        let data = try? NSKeyedArchiver.archivedData(withRootObject: token, requiringSecureCoding: true)
      else { return }
      try? peers.send(data, toPeers: [peerID], with: .reliable)
    }
  }

  func session(_ session: MCSession, didReceive data: Data, fromPeer peerID: MCPeerID) {
    DispatchQueue.main.async { [self] in
      guard let token = try? NSKeyedUnarchiver.unarchivedObject(ofClass: NIDiscoveryToken.self, from: data)
      else {
        return
      }
      self.session.run(NINearbyPeerConfiguration(peerToken: token))
    }
  }

  func session(
    _ session: MCSession, didReceive stream: InputStream, withName streamName: String,
    fromPeer peerID: MCPeerID
  ) {}
  func session(
    _ session: MCSession, didStartReceivingResourceWithName resourceName: String, fromPeer peerID: MCPeerID,
    with progress: Progress
  ) {}
  func session(
    _ session: MCSession, didFinishReceivingResourceWithName resourceName: String, fromPeer peerID: MCPeerID,
    at localURL: URL?, withError error: (any Error)?
  ) {}
}
