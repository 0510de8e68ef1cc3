import Dispatch
import NearbyConcurrency
import NearbyDevice
import NearbyHome
import NearbyPeerLink
import Synchronization

/// Advertises the local peer and reports the invitations it receives.
///
/// Source: Apple's documentation of `MCNearbyServiceAdvertiser`.
open class MCNearbyServiceAdvertiser: NSObject, @unchecked Sendable {
  // `@unchecked Sendable`: stored properties are immutable; the lock of `contents` guards mutable state.
  private let device: NearbyDevice
  private let relay: AdvertiserRelay
  private let advertiser: any PeerAdvertiser
  private let queue = LibraryQueue(label: "swift-nearby.advertiser")
  let contents = Mutex(AdvertiserContents())
  private let own: (peer: MCPeerID, info: [String: String]?, type: String)

  /// The local peer.
  open var myPeerID: MCPeerID { own.peer }
  /// The info that browsers receive with the peer.
  open var discoveryInfo: [String: String]? { own.info }
  /// The service type under which peers find each other, as the app spelled it.
  open var serviceType: String { own.type }

  /// Creates an advertiser for the current device.
  ///
  /// Invalid arguments stop the process, as Apple's exception does.
  ///
  /// - Parameters:
  ///   - myPeerID: The local peer.
  ///   - info: Keys of printable ASCII without `=`; each `key=value` at most 255 octets, all at most 1140.
  ///   - serviceType: 1 to 15 letters of ASCII, `0-9` and single hyphens inside, with at least one letter. Capitals
  ///     are equal to small letters.
  public init(peer myPeerID: MCPeerID, discoveryInfo info: [String: String]?, serviceType: String) {
    guard let type = try? ServiceType(ignoringCaseOf: serviceType) else {
      preconditionFailure("“\(serviceType)” is not a valid service type")
    }
    guard let checked = try? DiscoveryInfo(info ?? [:]) else {
      preconditionFailure("the discovery info does not fit into a TXT record")
    }
    own = (myPeerID, info, serviceType)
    device = NearbyDevice.bound(for: "MCNearbyServiceAdvertiser")
    relay = AdvertiserRelay { $0.owner?.receive($1) }
    advertiser = device.peers.makeAdvertiser(relay, local: myPeerID.peer, type, checked)
    super.init()
    relay.attach(self)
  }

  deinit {
    advertiser.release()
    contents.withLock { $0 }.finish()
  }

  /// Notified of invitations. Held weakly.
  open weak var delegate: (any MCNearbyServiceAdvertiserDelegate)? {
    get { contents.withLock { $0.delegate }.object }
    set {
      let new = WeakBox { [weak newValue] in newValue }
      contents.withLock { $0.delegate = new }
    }
  }

  /// Starts advertising. Has no effect if it has already started.
  open func startAdvertisingPeer() { advertiser.start() }

  /// Stops advertising. Connections continue.
  open func stopAdvertisingPeer() { advertiser.stop() }

  fileprivate func receive(_ event: PeerEvent) {
    device.perform(on: queue) { [self] in report(event) }
  }

  /// Runs an app's code on the delegate's queue, after the caller has returned.
  func onQueue(_ body: @escaping @Sendable () -> Void) {
    device.app.later { [device, queue] in device.perform(on: queue, body) }
  }

  private func report(_ event: PeerEvent) {
    switch event {
    case .invited(let id, let peer, let context):
      report(
        .invited(
          Invitation(
            peer: MCPeerID(peer), context: context.map { Data($0) }, id: id, advertiser: advertiser)))
    case .withdrawn(let id): contents.withLock { $0.assistant }?.withdrawn(id)
    case .didNotStart: report(.didNotStart(MCError(.unavailable)))
    case .found, .lost, .state, .received, .transfer, .askCertificate: break
    }
  }

  private func report(_ event: Event) {
    let contents = contents.withLock { $0 }
    switch event {
    case .invited(let invitation):
      contents.assistant?.invited(invitation)
      contents.delegate.object?.advertiser(
        self, didReceiveInvitationFromPeer: invitation.peer, withContext: invitation.context,
        invitationHandler: { isAccepted, session in
          // Accepting without a session counts as declining.
          if isAccepted, let session { invitation.accept(into: session) } else { invitation.decline() }
        })
    case .didNotStart(let error):
      contents.delegate.object?.advertiser(self, didNotStartAdvertisingPeer: error)
    }
    contents.yield(event)
  }
}

/// The events of an advertiser.
public protocol MCNearbyServiceAdvertiserDelegate: NSObjectProtocol {
  /// A peer sent an invitation. The handler may be called later; an unanswered invitation expires at the
  /// peer.
  func advertiser(
    _ advertiser: MCNearbyServiceAdvertiser, didReceiveInvitationFromPeer peerID: MCPeerID,
    withContext context: Data?, invitationHandler: @escaping (Bool, MCSession?) -> Void)
  /// Optional. Advertising could not start.
  func advertiser(
    _ advertiser: MCNearbyServiceAdvertiser, didNotStartAdvertisingPeer error: any Error)
}

extension MCNearbyServiceAdvertiserDelegate {
  /// Does nothing.
  public func advertiser(
    _ advertiser: MCNearbyServiceAdvertiser, didNotStartAdvertisingPeer error: any Error
  ) {}
}

/// Forwards the device's events to an advertiser without keeping the advertiser alive.
private typealias AdvertiserRelay = Relay<MCNearbyServiceAdvertiser, PeerEvent>
