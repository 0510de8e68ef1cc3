import Foundation
import UIKit

/// Hears how a person's choice of peers ended.
@preconcurrency @MainActor
public protocol MCBrowserViewControllerDelegate: NSObjectProtocol {
  /// The person has enough peers.
  func browserViewControllerDidFinish(_ browserViewController: MCBrowserViewController)
  /// The person wants none.
  func browserViewControllerWasCancelled(_ browserViewController: MCBrowserViewController)
  /// Whether a peer is to be offered.
  func browserViewController(
    _ browserViewController: MCBrowserViewController, shouldPresentNearbyPeer peerID: MCPeerID,
    withDiscoveryInfo info: [String: String]?
  ) -> Bool
}

extension MCBrowserViewControllerDelegate {
  /// Every peer is offered.
  public func browserViewController(
    _ browserViewController: MCBrowserViewController, shouldPresentNearbyPeer peerID: MCPeerID,
    withDiscoveryInfo info: [String: String]?
  ) -> Bool { true }
}

/// Lets a person choose peers for a session. There is no picture of it here: while it is presented it browses,
/// `nearbyPeers` is its list, and `choose`, `finish` and `cancel` are what a person does with it.
@preconcurrency @MainActor
open class MCBrowserViewController: UIViewController, MCNearbyServiceBrowserDelegate {
  /// Whom the choices go to.
  public weak var delegate: (any MCBrowserViewControllerDelegate)?
  /// Finds peers.
  public private(set) var browser: MCNearbyServiceBrowser?
  /// What chosen peers are invited to.
  public let session: MCSession
  /// So many peers at least, the local one included.
  public var minimumNumberOfPeers: Int = kMCSessionMinimumNumberOfPeers
  /// So many peers at most, the local one included.
  public var maximumNumberOfPeers: Int = kMCSessionMaximumNumberOfPeers
  /// Ours: whom a person could choose now.
  public private(set) var nearbyPeers: [MCPeerID] = []

  /// Makes one with a browser of its own.
  public init(serviceType: String, session: MCSession) {
    browser = MCNearbyServiceBrowser(peer: session.myPeerID, serviceType: serviceType)
    self.session = session
    super.init()
  }

  /// Makes one with a browser of the app's.
  public init(browser: MCNearbyServiceBrowser, session: MCSession) {
    self.browser = browser
    self.session = session
    super.init()
  }

  /// Begins to browse.
  open override func viewDidAppear(_ animated: Bool) {
    browser?.delegate = self
    browser?.startBrowsingForPeers()
  }

  /// Ends browsing.
  open override func viewDidDisappear(_ animated: Bool) {
    browser?.stopBrowsingForPeers()
    nearbyPeers = []
  }

  // MARK: What a person does; ours

  /// The person picks a peer, which is invited.
  public func choose(_ peer: MCPeerID) {
    guard session.connectedPeers.count + 1 < maximumNumberOfPeers else { return }
    browser?.invitePeer(peer, to: session, withContext: nil, timeout: 0)
  }

  /// The person taps "Done", which works once there are enough peers.
  public func finish() {
    guard session.connectedPeers.count + 1 >= minimumNumberOfPeers else { return }
    delegate?.browserViewControllerDidFinish(self)
  }

  /// The person taps "Cancel".
  public func cancel() { delegate?.browserViewControllerWasCancelled(self) }

  // MARK: MCNearbyServiceBrowserDelegate

  /// Offers the peer, unless the delegate says no.
  public nonisolated func browser(
    _ browser: MCNearbyServiceBrowser, foundPeer peerID: MCPeerID, withDiscoveryInfo info: [String: String]?
  ) {
    DispatchQueue.main.async { self.found(peerID, info) }
  }

  /// Offers the peer no more.
  public nonisolated func browser(_ browser: MCNearbyServiceBrowser, lostPeer peerID: MCPeerID) {
    DispatchQueue.main.async { self.nearbyPeers.removeAll { $0 == peerID } }
  }

  private func found(_ peer: MCPeerID, _ info: [String: String]?) {
    guard !nearbyPeers.contains(peer) else { return }
    let isOffered =
      delegate?.browserViewController(self, shouldPresentNearbyPeer: peer, withDiscoveryInfo: info) ?? true
    if isOffered { nearbyPeers.append(peer) }
  }
}
