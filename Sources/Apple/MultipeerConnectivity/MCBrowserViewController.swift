import Foundation
import UIKit

/// Notified when the user has finished choosing peers.
@preconcurrency @MainActor
public protocol MCBrowserViewControllerDelegate: NSObjectProtocol {
  /// The user has chosen enough peers.
  func browserViewControllerDidFinish(_ browserViewController: MCBrowserViewController)
  /// The user cancelled.
  func browserViewControllerWasCancelled(_ browserViewController: MCBrowserViewController)
  /// Returns whether to offer a peer to the user.
  func browserViewController(
    _ browserViewController: MCBrowserViewController, shouldPresentNearbyPeer peerID: MCPeerID,
    withDiscoveryInfo info: [String: String]?
  ) -> Bool
}

extension MCBrowserViewControllerDelegate {
  /// Offers every peer.
  public func browserViewController(
    _ browserViewController: MCBrowserViewController, shouldPresentNearbyPeer peerID: MCPeerID,
    withDiscoveryInfo info: [String: String]?
  ) -> Bool { true }
}

/// Lets the user choose peers for a session.
///
/// Nothing is drawn here: the controller browses while it is presented, `nearbyPeers` is the list it would
/// show, and `choose`, `finish` and `cancel` are the user's actions.
@preconcurrency @MainActor
open class MCBrowserViewController: UIViewController, MCNearbyServiceBrowserDelegate {
  /// Notified when the user finishes or cancels. Held weakly.
  open weak var delegate: (any MCBrowserViewControllerDelegate)?
  /// The browser that finds the peers.
  open private(set) var browser: MCNearbyServiceBrowser?
  /// The session that chosen peers are invited to.
  open var session: MCSession { chosen }
  private let chosen: MCSession
  /// The minimum number of peers, including the local one.
  open var minimumNumberOfPeers: Int = kMCSessionMinimumNumberOfPeers
  /// The maximum number of peers, including the local one.
  open var maximumNumberOfPeers: Int = kMCSessionMaximumNumberOfPeers
  /// An addition to Apple's interface: the peers that the user could choose now.
  public private(set) var nearbyPeers: [MCPeerID] = []

  /// Creates a controller with its own browser.
  public init(serviceType: String, session: MCSession) {
    browser = MCNearbyServiceBrowser(peer: session.myPeerID, serviceType: serviceType)
    chosen = session
    super.init()
  }

  /// Creates a controller with the app's browser.
  public init(browser: MCNearbyServiceBrowser, session: MCSession) {
    self.browser = browser
    chosen = session
    super.init()
  }

  /// Starts browsing.
  open override func viewDidAppear(_ animated: Bool) {
    browser?.delegate = self
    browser?.startBrowsingForPeers()
  }

  /// Stops browsing.
  open override func viewDidDisappear(_ animated: Bool) {
    browser?.stopBrowsingForPeers()
    nearbyPeers = []
  }

  // MARK: The user's actions, an addition to Apple's interface

  /// The user picks a peer, which is then invited. Has no effect once the session has `maximumNumberOfPeers`.
  public func choose(_ peer: MCPeerID) {
    guard session.connectedPeers.count + 1 < maximumNumberOfPeers else { return }
    browser?.invitePeer(peer, to: session, withContext: nil, timeout: 0)
  }

  /// The user taps "Done". Has no effect while the session has fewer than `minimumNumberOfPeers`.
  public func finish() {
    guard session.connectedPeers.count + 1 >= minimumNumberOfPeers else { return }
    delegate?.browserViewControllerDidFinish(self)
  }

  /// The user taps "Cancel".
  public func cancel() { delegate?.browserViewControllerWasCancelled(self) }

  // MARK: MCNearbyServiceBrowserDelegate

  /// Adds the peer to the list, unless the delegate declines.
  public nonisolated func browser(
    _ browser: MCNearbyServiceBrowser, foundPeer peerID: MCPeerID, withDiscoveryInfo info: [String: String]?
  ) {
    DispatchQueue.main.async { self.found(peerID, info) }
  }

  /// Removes the peer from the list.
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
