import MultipeerConnectivity
import NearbyInteraction
import Synchronization

/// The network side of `PeerFinder`. Every device advertises, browses and invites, so none has to be first.
final class PeersMeeting: NSObject, Sendable {
  private static let identityKey = "identity"
  private static let invitationTimeout: TimeInterval = 10

  private struct Owner: Sendable {
    weak var peers: PeerFinder?
    var isOpen = false
  }

  private let identity: String
  private let session: MCSession
  private let advertiser: MCNearbyServiceAdvertiser
  private let browser: MCNearbyServiceBrowser
  private let owner = Mutex(Owner())

  init(peer: MCPeerID, serviceType: String, identity: String) {
    self.identity = identity
    session = MCSession(peer: peer, securityIdentity: nil, encryptionPreference: .required)
    advertiser = MCNearbyServiceAdvertiser(
      peer: peer, discoveryInfo: [Self.identityKey: identity], serviceType: serviceType)
    browser = MCNearbyServiceBrowser(peer: peer, serviceType: serviceType)
    super.init()
    session.delegate = self
    advertiser.delegate = self
    browser.delegate = self
  }

  func setOwner(_ peers: PeerFinder) { owner.withLock { $0.peers = peers } }

  func open() {
    owner.withLock { $0.isOpen = true }
    advertiser.startAdvertisingPeer()
    browser.startBrowsingForPeers()
  }

  func close() {
    owner.withLock { $0.isOpen = false }
    advertiser.stopAdvertisingPeer()
    browser.stopBrowsingForPeers()
    session.disconnect()
  }

  func invite(_ peer: MCPeerID) {
    browser.invitePeer(peer, to: session, withContext: nil, timeout: Self.invitationTimeout)
  }

  /// Sends a token to a peer if it is connected. If it is not, the machine shares the token once it connects.
  func send(_ token: NIDiscoveryToken, to peer: MCPeerID) {
    guard session.connectedPeers.contains(peer),
      let data = try? NSKeyedArchiver.archivedData(withRootObject: token, requiringSecureCoding: true)
    else { return }
    try? session.send(data, toPeers: [peer], with: .reliable)
  }

  private var openOwner: PeerFinder? { owner.withLock { $0.isOpen ? $0.peers : nil } }
}

extension PeersMeeting: MCSessionDelegate {
  func session(_ session: MCSession, peer peerID: MCPeerID, didChange state: MCSessionState) {
    switch state {
    case .connecting: break
    case .connected: openOwner?.happened { $0.connected(peerID) }
    case .notConnected: openOwner?.happened { $0.disconnected(peerID) }
    }
  }

  func session(_ session: MCSession, didReceive data: Data, fromPeer peerID: MCPeerID) {
    guard let token = try? NSKeyedUnarchiver.unarchivedObject(ofClass: NIDiscoveryToken.self, from: data)
    else { return }
    openOwner?.happened { $0.received(token, from: peerID) }
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

extension PeersMeeting: MCNearbyServiceAdvertiserDelegate, MCNearbyServiceBrowserDelegate {
  func advertiser(
    _ advertiser: MCNearbyServiceAdvertiser, didReceiveInvitationFromPeer peerID: MCPeerID,
    withContext context: Data?, invitationHandler: @escaping (Bool, MCSession?) -> Void
  ) {
    let isWelcome = openOwner?.welcomes(peerID) ?? false
    invitationHandler(isWelcome, isWelcome ? session : nil)
  }

  func advertiser(_ advertiser: MCNearbyServiceAdvertiser, didNotStartAdvertisingPeer error: any Error) {
    failed()
  }

  func browser(_ browser: MCNearbyServiceBrowser, didNotStartBrowsingForPeers error: any Error) { failed() }

  private func failed() {
    openOwner?.networkFailed()
  }

  func browser(
    _ browser: MCNearbyServiceBrowser, foundPeer peerID: MCPeerID, withDiscoveryInfo info: [String: String]?
  ) {
    if info?[Self.identityKey] ?? "" == identity { openOwner?.happened { $0.found(peerID) } }
  }

  func browser(_ browser: MCNearbyServiceBrowser, lostPeer peerID: MCPeerID) {
    openOwner?.happened { $0.lost(peerID) }
  }
}
