import Dispatch
import NearbyConcurrency
import NearbyDevice
import NearbyHome
import NearbyPeerLink
import Synchronization

/// Finds peers that advertise, and asks them into sessions.
///
/// Source: `facts/multipeerconnectivity.md`, section 4.
open class MCNearbyServiceBrowser: NSObject, @unchecked Sendable {
  // All stored properties are immutable; what changes is behind the lock of `contents`.
  private let device: NearbyDevice
  private let relay: BrowserRelay
  private let browser: any PeerBrowser
  private let queue = LibraryQueue(label: "swift-nearby.browser")
  let contents = Mutex(BrowserContents())

  /// The local peer, which the browser does not tell of.
  public let myPeerID: MCPeerID
  /// What kind of peers look for each other.
  public let serviceType: String

  /// Makes a browser of the device that is current. A service type that is not allowed stops the process, as
  /// Apple's exception does.
  ///
  /// - Parameters:
  ///   - myPeerID: The local peer.
  ///   - serviceType: 1 to 15 of `a-z`, `0-9` and single hyphens inside, with a letter.
  public init(peer myPeerID: MCPeerID, serviceType: String) {
    guard let type = try? ServiceType(serviceType) else {
      preconditionFailure("“\(serviceType)” is no service type")
    }
    self.myPeerID = myPeerID
    self.serviceType = serviceType
    device = NearbyDevice.bound
    relay = BrowserRelay { $0.owner?.receive($1) }
    browser = device.peers.makeBrowser(relay, local: myPeerID.peer, type)
    super.init()
    relay.attach(self)
  }

  deinit {
    browser.release()
    for continuation in contents.withLock({ $0.events }) { continuation.finish() }
  }

  /// Hears of peers. Not kept alive by the browser.
  open weak var delegate: (any MCNearbyServiceBrowserDelegate)? {
    get { contents.withLock { $0.delegate }.object }
    set {
      let new = WeakBox { [weak newValue] in newValue }
      contents.withLock { $0.delegate = new }
    }
  }

  /// Begins; nothing where it has begun.
  open func startBrowsingForPeers() { browser.start() }

  /// Ends; connections stay.
  open func stopBrowsingForPeers() { browser.stop() }

  /// Asks a peer into a session. What becomes of it the session's delegate hears: no answer, as a no, ends in
  /// `.notConnected`.
  ///
  /// - Parameters:
  ///   - peerID: One that the browser found.
  ///   - session: One of the browser's own peer.
  ///   - context: For the peer's app, at most 64 KiB.
  ///   - timeout: Seconds; zero or less means 30.
  open func invitePeer(
    _ peerID: MCPeerID, to session: MCSession, withContext context: Data?, timeout: TimeInterval
  ) {
    // A day is as good as for ever.
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

/// What a browser tells its app.
public protocol MCNearbyServiceBrowserDelegate: NSObjectProtocol {
  /// A peer is there, or its discovery info changed.
  func browser(
    _ browser: MCNearbyServiceBrowser, foundPeer peerID: MCPeerID,
    withDiscoveryInfo info: [String: String]?)
  /// A peer is no longer there; late, where it could not say so itself.
  func browser(_ browser: MCNearbyServiceBrowser, lostPeer peerID: MCPeerID)
  /// Optional: browsing did not begin.
  func browser(_ browser: MCNearbyServiceBrowser, didNotStartBrowsingForPeers error: any Error)
}

extension MCNearbyServiceBrowserDelegate {
  /// Does nothing.
  public func browser(_ browser: MCNearbyServiceBrowser, didNotStartBrowsingForPeers error: any Error) {}
}

/// Stands between a device and a browser, so that the device does not keep it alive.
private typealias BrowserRelay = Relay<MCNearbyServiceBrowser, PeerEvent>
