import NearbyConcurrency
import Synchronization

// An addition to Apple's interface: the delegate's events as an asynchronous sequence.
extension MCNearbyServiceBrowser {
  /// A call to the delegate, as a value.
  public enum Event: Sendable {
    /// `browser(_:foundPeer:withDiscoveryInfo:)`
    case found(MCPeerID, discoveryInfo: [String: String]?)
    /// `browser(_:lostPeer:)`
    case lost(MCPeerID)
    /// `browser(_:didNotStartBrowsingForPeers:)`
    case didNotStart(MCError)
  }

  /// All events from now on, in order; finishes when the browser is released.
  public var events: AsyncStream<Event> {
    let (stream, continuation) = AsyncStream.makeStream(of: Event.self)
    contents.withLock { $0.events.append(continuation) }
    return stream
  }
}

extension MCNearbyServiceBrowser.Event {
  func call(_ delegate: any MCNearbyServiceBrowserDelegate, of browser: MCNearbyServiceBrowser) {
    switch self {
    case .found(let peer, discoveryInfo: let info):
      delegate.browser(browser, foundPeer: peer, withDiscoveryInfo: info)
    case .lost(let peer): delegate.browser(browser, lostPeer: peer)
    case .didNotStart(let error): delegate.browser(browser, didNotStartBrowsingForPeers: error)
    }
  }
}

/// The mutable part of a browser, guarded by its lock.
struct BrowserContents: Sendable {
  var delegate = WeakBox<any MCNearbyServiceBrowserDelegate>()
  var events: [AsyncStream<MCNearbyServiceBrowser.Event>.Continuation] = []
}
