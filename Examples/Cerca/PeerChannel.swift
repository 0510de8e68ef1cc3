import Dispatch
import MultipeerConnectivity

/// Finds one other Cerca on the network and stays connected to it.
///
/// Both devices advertise, browse and invite, so it does not matter which one starts first. A device with a
/// partner stops browsing but stays visible: if the partner's app restarts, it may come back before this
/// device notices that it left. Everything happens on the main queue, including the calls to the owner.
final class PeerChannel: NSObject, @unchecked Sendable {
  /// The delay before the second invitation if the peer declined or did not answer. It doubles with each
  /// retry.
  static let retryDelay = Duration.seconds(1)
  private static let longestDelay = Duration.seconds(8)
  private static let invitationTimeout: TimeInterval = 10
  private static let identityKey = "identity"

  /// The peer, while connected.
  private(set) var partner: MCPeerID?
  var onConnected: (MCPeerID) -> Void = { _ in }
  var onDisconnected: (MCPeerID) -> Void = { _ in }
  var onData: (Data) -> Void = { _ in }
  var onUnavailable: () -> Void = {}

  private let identity: String
  private let later: NearbyViewModel.Later
  private let session: MCSession
  private let advertiser: MCNearbyServiceAdvertiser
  private let browser: MCNearbyServiceBrowser
  private var found: [MCPeerID] = []
  private var invited: [MCPeerID] = []
  private var delays: [MCPeerID: Duration] = [:]
  private var isOpen = false
  private var isSearching = false
  /// Counts searches. A retry that was scheduled during an earlier search is dropped.
  private var search = 0

  /// - Parameters:
  ///   - identity: Only devices with the same identity connect.
  ///   - later: Runs a closure on the main queue after a delay.
  init(peer: MCPeerID, serviceType: String, identity: String, later: @escaping NearbyViewModel.Later) {
    self.identity = identity
    self.later = later
    session = MCSession(peer: peer, securityIdentity: nil, encryptionPreference: .required)
    advertiser = MCNearbyServiceAdvertiser(
      peer: peer, discoveryInfo: [Self.identityKey: identity], serviceType: serviceType)
    browser = MCNearbyServiceBrowser(peer: peer, serviceType: serviceType)
    super.init()
    session.delegate = self
    advertiser.delegate = self
    browser.delegate = self
  }

  func open() {
    isOpen = true
    startSearch()
  }

  func close() {
    isOpen = false
    advertiser.stopAdvertisingPeer()
    stopSearch()
    partner = nil
    session.disconnect()
  }

  /// Has no effect without a partner. `onConnected` is the moment to send what a new partner must know.
  func send(_ data: Data) {
    guard let partner else { return }
    try? session.send(data, toPeers: [partner], with: .reliable)
  }

  // MARK: Searching

  private func startSearch() {
    guard isOpen, partner == nil, !isSearching else { return }
    isSearching = true
    search += 1
    advertiser.startAdvertisingPeer()
    browser.startBrowsingForPeers()
  }

  private func stopSearch() {
    guard isSearching else { return }
    isSearching = false
    browser.stopBrowsingForPeers()
    found = []
    invited = []
    delays = [:]
  }

  private func invite(_ peer: MCPeerID) {
    guard isSearching, partner == nil, found.contains(peer), !invited.contains(peer) else { return }
    invited.append(peer)
    browser.invitePeer(peer, to: session, withContext: nil, timeout: Self.invitationTimeout)
  }

  private func inviteAgain(_ peer: MCPeerID) {
    invited.removeAll { $0 == peer }
    let search = search
    let delay = delays[peer] ?? Self.retryDelay
    delays[peer] = min(delay * 2, Self.longestDelay)
    onMain(after: delay) { channel in
      if channel.search == search { channel.invite(peer) }
    }
  }

  private func searchFailed() {
    guard isSearching else { return }
    onUnavailable()
    stopSearch()
    onMain(after: Self.retryDelay) { $0.startSearch() }
  }

  private func onMain(after delay: Duration, _ body: @escaping @Sendable (PeerChannel) -> Void) {
    later(delay) { [weak self] in
      if let self { body(self) }
    }
  }

  private func onMain(_ body: @escaping @Sendable (PeerChannel) -> Void) {
    DispatchQueue.main.async { [weak self] in
      if let self, self.isOpen { body(self) }
    }
  }

  // MARK: Connections

  private func changed(_ peer: MCPeerID, to state: MCSessionState) {
    switch state {
    case .connecting: break
    case .connected:
      // Ignore a second peer that connected at the same time.
      guard partner == nil || partner == peer else { return }
      partner = peer
      stopSearch()
      onConnected(peer)
    case .notConnected:
      if partner == peer {
        partner = nil
        onDisconnected(peer)
        startSearch()
      } else {
        inviteAgain(peer)
      }
    }
  }
}

extension PeerChannel: MCSessionDelegate {
  func session(_ session: MCSession, peer peerID: MCPeerID, didChange state: MCSessionState) {
    onMain { $0.changed(peerID, to: state) }
  }

  func session(_ session: MCSession, didReceive data: Data, fromPeer peerID: MCPeerID) {
    onMain { if $0.partner == peerID { $0.onData(data) } }
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

extension PeerChannel: MCNearbyServiceAdvertiserDelegate {
  func advertiser(
    _ advertiser: MCNearbyServiceAdvertiser, didReceiveInvitationFromPeer peerID: MCPeerID,
    withContext context: Data?, invitationHandler: @escaping (Bool, MCSession?) -> Void
  ) {
    let answer = InvitationAnswer(handler: invitationHandler)
    onMain { channel in
      // An invitation from the partner means that its app has restarted, and this device hasn't noticed yet.
      let isWelcome = channel.partner == nil || channel.partner == peerID
      answer.handler(isWelcome, isWelcome ? channel.session : nil)
    }
  }

  func advertiser(_ advertiser: MCNearbyServiceAdvertiser, didNotStartAdvertisingPeer error: any Error) {
    onMain { $0.searchFailed() }
  }
}

/// Carries the handler to the main queue, where it is called once.
private struct InvitationAnswer: @unchecked Sendable {
  let handler: (Bool, MCSession?) -> Void
}

extension PeerChannel: MCNearbyServiceBrowserDelegate {
  func browser(
    _ browser: MCNearbyServiceBrowser, foundPeer peerID: MCPeerID, withDiscoveryInfo info: [String: String]?
  ) {
    onMain { channel in
      guard channel.isSearching, info?[Self.identityKey] == channel.identity else { return }
      if !channel.found.contains(peerID) { channel.found.append(peerID) }
      channel.invite(peerID)
    }
  }

  func browser(_ browser: MCNearbyServiceBrowser, lostPeer peerID: MCPeerID) {
    onMain { channel in channel.found.removeAll { $0 == peerID } }
  }

  func browser(_ browser: MCNearbyServiceBrowser, didNotStartBrowsingForPeers error: any Error) {
    onMain { $0.searchFailed() }
  }
}
