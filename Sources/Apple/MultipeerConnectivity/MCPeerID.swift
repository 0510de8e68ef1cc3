import NearbyDevice
import NearbyHome
import NearbyPeerLink
import NearbySafeArchives

/// Who a peer is: a name for people, and behind it an identity that tells peers of one name apart.
///
/// Make one for the local device; those of others come from callbacks, or from archives. Equal where the identity
/// is, which survives archiving.
///
/// Source: `facts/multipeerconnectivity.md`, section 2.
public final class MCPeerID: NSObject, NSCopying, NSSecureCoding, Sendable {
  package let peer: PeerID

  package init(_ peer: PeerID) {
    self.peer = peer
    super.init()
  }

  /// Makes a new identity of the device that is current.
  ///
  /// - Parameter myDisplayName: 1 to 63 octets of UTF-8; anything else stops the process, as Apple's exception
  ///   does.
  public init(displayName myDisplayName: String) {
    guard let name = try? DisplayName(myDisplayName) else {
      preconditionFailure("a display name has 1 to 63 octets of UTF-8")
    }
    peer = PeerID(identity: NearbyDevice.bound.peers.makeIdentity(), displayName: name)
    super.init()
  }

  /// What people call the peer; not unique.
  public var displayName: String { peer.displayName.text }

  /// Returns the ID itself, which never changes.
  public func copy(with zone: NSZone? = nil) -> Any { self }

  /// Whether both IDs are of one peer, whatever their names.
  public override func isEqual(_ object: Any?) -> Bool { (object as? MCPeerID)?.peer == peer }

  /// Equal for equal IDs.
  public override var hash: Int {
    var hasher = Hasher()
    hasher.combine(peer)
    return hasher.finalize()
  }

  /// The identity's first digits and the name.
  public override var description: String {
    "MCPeerID(\(peer.identity.description.prefix(8))…, \(displayName))"
  }

  // MARK: NSSecureCoding

  /// Always true: an ID's archive holds one value.
  public static var supportsSecureCoding: Bool { true }

  static let key = "swift-nearby.peer"

  /// Reads an archived ID.
  ///
  /// - Returns: `nil` where the archive holds something else.
  public required init?(coder: NSCoder) {
    guard let text = coder.decodeObject(of: NSString.self, forKey: Self.key),
      let peer = Self.peer(text: String(text))
    else { return nil }
    self.peer = peer
    super.init()
  }

  /// Writes the ID; no secret of the peer is in it. That of a local peer the device keeps from then on, so that
  /// the ID is of use to later processes.
  public func encode(with coder: NSCoder) {
    NearbyDevice.bound.peers.keep(peer.identity)
    coder.encode(SealedOctets.text(peer.archive) as NSString, forKey: Self.key)
  }

  static func peer(text: String) -> PeerID? {
    SealedOctets.octets(text).flatMap { try? PeerID(archive: $0) }
  }
}
