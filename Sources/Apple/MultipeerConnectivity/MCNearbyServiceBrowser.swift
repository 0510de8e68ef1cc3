import Dispatch
import NearbyConcurrency
import NearbyDevice
import NearbyHome
import NearbyPeerLink
import Synchronization

/// Finds peers that advertise and invites them to sessions.
///
/// Source: Apple's documentation of `MCNearbyServiceBrowser`.
open class MCNearbyServiceBrowser: NSObject, @unchecked Sendable {
  // `@unchecked Sendable`: stored properties are immutable; the lock of `contents` guards mutable state.
  private let device: NearbyDevice
  private let relay: BrowserRelay
  private let browser: any PeerBrowser
  private let queue = LibraryQueue(label: "swift-nearby.browser")
  let contents = Mutex(BrowserContents())
  private let own: (peer: MCPeerID, type: String)

  /// The local peer, which the browser does not report.
  open var myPeerID: MCPeerID { own.peer }
  /// The service type under which peers find each other, as the app spelled it.
  open var serviceType: String { own.type }

  /// Creates a browser for the current device. An invalid service type stops the process, as Apple's
  /// exception does.
  ///
  /// - Parameters:
  ///   - myPeerID: The local peer.
  ///   - serviceType: 1 to 15 letters of ASCII, `0-9` and single hyphens inside, with at least one letter. Capitals
  ///     are equal to small letters.
  public init(peer myPeerID: MCPeerID, serviceType: String) {
    guard let type = try? ServiceType(ignoringCaseOf: serviceType) else {
      preconditionFailure("“\(serviceType)” is not a valid service type")
    }
    own = (myPeerID, serviceType)
    device = NearbyDevice.bound(for: "MCNearbyServiceBrowser")
    relay = BrowserRelay { $0.owner?.receive($1) }
    browser = device.peers.makeBrowser(relay, local: myPeerID.peer, type)
    super.init()
    relay.attach(self)
  }

  deinit {
    browser.release()
    for continuation in contents.withLock({ $0.events }) { continuation.finish() }
  }

  /// Notified of peers. Held weakly.
  open weak var delegate: (any MCNearbyServiceBrowserDelegate)? {
    get { contents.withLock { $0.delegate }.object }
    set {
      let new = WeakBox { [weak newValue] in newValue }
      contents.withLock { $0.delegate = new }
    }
  }

  /// Starts browsing. Has no effect if it has already started.
  open func startBrowsingForPeers() { browser.start() }

  /// Stops browsing. Connections continue.
  open func stopBrowsingForPeers() { browser.stop() }

  /// Invites a peer to a session. The session's delegate is notified of the result; a refusal and a missing
  /// answer are both reported as `.notConnected`.
  ///
  /// - Parameters:
  ///   - peerID: A peer that this browser found.
  ///   - session: A session of the browser's local peer.
  ///   - context: Data for the peer's app, at most 64 KiB.
  ///   - timeout: Seconds to wait for an answer; zero, a negative or a non-finite value means 30.
  open func invitePeer(
    _ peerID: MCPeerID, to session: MCSession, withContext context: Data?, timeout: TimeInterval
  ) {
    // Capped at one day, which is as good as no timeout.
    let seconds = timeout.isFinite ? min(timeout, 86_400) : 0
    do throws(PeerFailure) {
      try browser.invite(
        peerID.peer, to: session.member.user, context: context.map { [UInt8]($0) },
        timeout: seconds > 0 ? .seconds(seconds) : .zero)
    } catch {
      session.attemptFailed(with: peerID)
    }
  }

  fileprivate func receive(_ event: PeerEvent) {
    device.perform(on: queue) { [self] in report(event) }
  }

  private func report(_ event: PeerEvent) {
    switch event {
    case .found(let found):
      let info = found.info.dictionary
      report(.found(MCPeerID(found.peer), discoveryInfo: info.isEmpty ? nil : info))
    case .lost(let peer): report(.lost(MCPeerID(peer)))
    case .didNotStart: report(.didNotStart(MCError(.unavailable)))
    case .invited, .withdrawn, .state, .received, .transfer, .askCertificate: break
    }
  }

  private func report(_ event: Event) {
    let contents = contents.withLock { $0 }
    if let delegate = contents.delegate.object { event.call(delegate, of: self) }
    for continuation in contents.events { continuation.yield(event) }
  }
}

/// The events of a browser.
public protocol MCNearbyServiceBrowserDelegate: NSObjectProtocol {
  /// A peer was found, or its discovery info changed.
  func browser(
    _ browser: MCNearbyServiceBrowser, foundPeer peerID: MCPeerID,
    withDiscoveryInfo info: [String: String]?)
  /// A peer is gone. This can arrive late if the peer could not announce that it left.
  func browser(_ browser: MCNearbyServiceBrowser, lostPeer peerID: MCPeerID)
  /// Optional. Browsing could not start.
  func browser(_ browser: MCNearbyServiceBrowser, didNotStartBrowsingForPeers error: any Error)
}

extension MCNearbyServiceBrowserDelegate {
  /// Does nothing.
  public func browser(_ browser: MCNearbyServiceBrowser, didNotStartBrowsingForPeers error: any Error) {}
}

/// Forwards the device's events to a browser without keeping the browser alive.
private typealias BrowserRelay = Relay<MCNearbyServiceBrowser, PeerEvent>
