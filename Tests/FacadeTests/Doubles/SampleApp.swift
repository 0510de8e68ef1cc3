import MultipeerConnectivity
import NearbyTesting

/// Behaves like the wrapper in Apple's sample "Implementing interactions between users in close proximity":
/// it advertises, browses and invites at most one peer with a time-out of 10 s, and ignores further
/// invitations.
final class SampleApp: NSObject, MCSessionDelegate, MCNearbyServiceAdvertiserDelegate,
  MCNearbyServiceBrowserDelegate, @unchecked Sendable
{
  // Used on the one thread that advances the world's time.
  let peer: MCPeerID
  private let session: MCSession
  private let advertiser: MCNearbyServiceAdvertiser
  private let browser: MCNearbyServiceBrowser
  private let clock: World
  private(set) var states: [MCSessionState] = []
  private(set) var trace: [String] = []
  /// Events that must never happen.
  private(set) var faults: [String] = []
  /// The last state of each peer, and the peers whose token has arrived since they were connected.
  private var known: [MCPeerID: MCSessionState] = [:]
  private var tokens: Set<MCPeerID> = []

  init(_ name: String, peer: MCPeerID? = nil, clock: World) {
    let peer = peer ?? MCPeerID(displayName: name)
    self.peer = peer
    self.clock = clock
    session = MCSession(peer: peer, securityIdentity: nil, encryptionPreference: .required)
    let info = ["identity": "com.example.apple-samplecode.peekaboo-nearbyinteraction"]
    advertiser = MCNearbyServiceAdvertiser(peer: peer, discoveryInfo: info, serviceType: "nisample")
    browser = MCNearbyServiceBrowser(peer: peer, serviceType: "nisample")
    super.init()
    session.delegate = self
    advertiser.delegate = self
    browser.delegate = self
  }

  /// Connected to one peer, whose token has arrived.
  var isTogether: Bool { session.connectedPeers.count == 1 && tokens == Set(session.connectedPeers) }

  func start() {
    advertiser.startAdvertisingPeer()
    browser.startBrowsingForPeers()
  }

  private func suspend() {
    advertiser.stopAdvertisingPeer()
    browser.stopBrowsingForPeers()
  }

  private func note(_ text: String) { trace.append("\(clock.now) \(text)") }

  func session(_ session: MCSession, peer peerID: MCPeerID, didChange state: MCSessionState) {
    note("\(peerID) \(state)")
    states.append(state)
    let before = known[peerID] ?? .notConnected
    // A failed attempt is reported even if no earlier state was.
    let isInOrder =
      switch state {
      case .connecting: before == .notConnected
      case .connected: before == .connecting
      case .notConnected: true
      }
    if !isInOrder { faults.append("\(before) then \(state)") }
    known[peerID] = state
    tokens.remove(peerID)
    switch state {
    case .connecting: break
    case .connected:
      do {
        try session.send(Data(peer.displayName.utf8), toPeers: session.connectedPeers, with: .reliable)
      } catch { faults.append("\(error)") }
      if session.connectedPeers.count == 1 { suspend() }
      if session.connectedPeers.count > 1 { faults.append("more than one connected peer") }
    case .notConnected: if session.connectedPeers.isEmpty { restart() }
    }
  }

  /// Does what the sample does when its session starts over.
  private func restart() {
    suspend()
    start()
  }

  func session(_ session: MCSession, didReceive data: Data, fromPeer peerID: MCPeerID) {
    note("token of \(peerID)")
    if known[peerID] != .connected { faults.append("data from a peer that is not connected") }
    if !tokens.insert(peerID).inserted { faults.append("a second token from one peer") }
  }

  func session(
    _ session: MCSession, didReceive stream: InputStream, withName streamName: String,
    fromPeer peerID: MCPeerID
  ) {}
  func session(
    _ session: MCSession, didStartReceivingResourceWithName resourceName: String,
    fromPeer peerID: MCPeerID, with progress: Progress
  ) {}
  func session(
    _ session: MCSession, didFinishReceivingResourceWithName resourceName: String,
    fromPeer peerID: MCPeerID, at localURL: URL?, withError error: (any Error)?
  ) {}

  func advertiser(
    _ advertiser: MCNearbyServiceAdvertiser, didReceiveInvitationFromPeer peerID: MCPeerID,
    withContext context: Data?, invitationHandler: @escaping (Bool, MCSession?) -> Void
  ) {
    note("\(peerID) invites")
    if session.connectedPeers.isEmpty { invitationHandler(true, session) }
  }

  func browser(
    _ browser: MCNearbyServiceBrowser, foundPeer peerID: MCPeerID, withDiscoveryInfo info: [String: String]?
  ) {
    note("found \(peerID)")
    guard info?["identity"] == "com.example.apple-samplecode.peekaboo-nearbyinteraction",
      session.connectedPeers.isEmpty
    else { return }
    browser.invitePeer(peerID, to: session, withContext: nil, timeout: 10)
  }
  func browser(_ browser: MCNearbyServiceBrowser, lostPeer peerID: MCPeerID) { note("lost \(peerID)") }
}
