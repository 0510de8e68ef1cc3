import Dispatch
import NearbyRuntime
import PeerLink
import Synchronization

/// Lets others find the local peer, and tells of their invitations.
///
/// Source: `facts/multipeerconnectivity.md`, section 4.
open class MCNearbyServiceAdvertiser: NSObject, @unchecked Sendable {
  // All stored properties are immutable; the delegate is behind a lock.
  private let device: NearbyDevice
  private let relay: AdvertiserRelay
  private let user: PeerUser
  private let queue = DispatchQueue(label: "swift-nearby.advertiser")
  private let box = Mutex(WeakAdvertiserDelegate(object: nil))

  /// The local peer.
  public let myPeerID: MCPeerID
  /// What browsers hear with the peer.
  public let discoveryInfo: [String: String]?
  /// What kind of peers look for each other.
  public let serviceType: String

  /// Makes an advertiser of the device that is current. Arguments that are not allowed stop the process, as
  /// Apple's exception does.
  ///
  /// - Parameters:
  ///   - myPeerID: The local peer.
  ///   - info: Keys of printable ASCII without `=`; each `key=value` at most 255 octets, all at most 1140.
  ///   - serviceType: 1 to 15 of `a-z`, `0-9` and single hyphens inside, with a letter.
  public init(peer myPeerID: MCPeerID, discoveryInfo info: [String: String]?, serviceType: String) {
    guard let type = try? ServiceType(serviceType) else {
      preconditionFailure("“\(serviceType)” is no service type")
    }
    guard let checked = try? DiscoveryInfo(info ?? [:]) else {
      preconditionFailure("the discovery info does not fit a TXT record")
    }
    self.myPeerID = myPeerID
    discoveryInfo = info
    self.serviceType = serviceType
    device = NearbyDevice.bound
    relay = AdvertiserRelay()
    user = device.makePeerUser(relay, local: myPeerID.peer, role: .advertiser(type, checked))
    super.init()
    relay.attach(self)
  }

  deinit { device.releasePeerUser(user) }

  /// Hears of invitations. Not kept alive by the advertiser.
  open weak var delegate: (any MCNearbyServiceAdvertiserDelegate)? {
    get { box.withLock { $0.object } }
    set {
      let new = WeakAdvertiserDelegate(object: newValue)
      box.withLock { $0 = new }
    }
  }

  /// Begins; nothing where it has begun.
  open func startAdvertisingPeer() { try? device.perform(.start, of: user) }

  /// Ends; connections stay.
  open func stopAdvertisingPeer() { try? device.perform(.stop, of: user) }

  fileprivate func receive(_ event: PeerEvent) {
    device.perform(on: queue) { [self] in report(event) }
  }

  private func report(_ event: PeerEvent) {
    switch event {
    case .invited(let id, let peer, let context):
      delegate?.advertiser(
        self, didReceiveInvitationFromPeer: MCPeerID(peer), withContext: context.map { Data($0) },
        invitationHandler: { [device, user] isAccepted, session in
          try? device.perform(.answer(id, accept: isAccepted ? session?.user : nil), of: user)
        })
    case .didNotStart: delegate?.advertiser(self, didNotStartAdvertisingPeer: MCError(.unavailable))
    case .withdrawn, .found, .lost, .state, .received, .transfer, .askCertificate: break
    }
  }
}

/// What an advertiser tells its app.
public protocol MCNearbyServiceAdvertiserDelegate: NSObjectProtocol {
  /// A peer asks this one in. Answer by the handler, at any time; without an answer the peer's time runs out.
  func advertiser(
    _ advertiser: MCNearbyServiceAdvertiser, didReceiveInvitationFromPeer peerID: MCPeerID,
    withContext context: Data?, invitationHandler: @escaping (Bool, MCSession?) -> Void)
  /// Optional: advertising did not begin.
  func advertiser(
    _ advertiser: MCNearbyServiceAdvertiser, didNotStartAdvertisingPeer error: any Error)
}

extension MCNearbyServiceAdvertiserDelegate {
  /// Does nothing.
  public func advertiser(
    _ advertiser: MCNearbyServiceAdvertiser, didNotStartAdvertisingPeer error: any Error
  ) {}
}

private struct WeakAdvertiserDelegate: @unchecked Sendable {
  weak var object: (any MCNearbyServiceAdvertiserDelegate)?
}

private final class AdvertiserRelay: PeerSink {
  private let advertiser = Mutex(WeakAdvertiser())

  private struct WeakAdvertiser: Sendable { weak var object: MCNearbyServiceAdvertiser? }

  func attach(_ object: MCNearbyServiceAdvertiser) { advertiser.withLock { $0.object = object } }

  func received(_ event: PeerEvent) { advertiser.withLock { $0.object }?.receive(event) }
}
