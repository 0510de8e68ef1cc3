import NearbyDevice
import NearbyHome
import NearbyPeerLink
import NearbySafeArchives

/// Identifies a peer: a display name for users, and an identity that distinguishes peers with the same name.
///
/// Create one for the local device; those of other peers come from callbacks or archives. IDs are equal if
/// their identities are, and archiving preserves the identity.
///
/// Source: Apple's documentation of `MCPeerID`.
open class MCPeerID: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  // All stored properties are immutable.
  package let peer: PeerID

  package init(_ peer: PeerID) {
    self.peer = peer
    super.init()
  }

  /// Creates a new identity on the current device.
  ///
  /// - Parameter myDisplayName: 1 to 63 octets of UTF-8. Anything else stops the process, as Apple's
  ///   exception does.
  public init(displayName myDisplayName: String) {
    guard let name = try? DisplayName(myDisplayName) else {
      preconditionFailure("a display name must have 1 to 63 octets of UTF-8")
    }
    peer = PeerID(identity: NearbyDevice.bound.peers.makeIdentity(), displayName: name)
    super.init()
  }

  /// The name shown to users; not unique.
  open var displayName: String { peer.displayName.text }

  /// Returns the ID itself, which never changes.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Whether both IDs identify the same peer, regardless of their names.
  open override func isEqual(_ object: Any?) -> Bool { (object as? MCPeerID)?.peer == peer }

  /// Equal for equal IDs.
  open override var hash: Int {
    var hasher = Hasher()
    hasher.combine(peer)
    return hasher.finalize()
  }

  /// The first digits of the identity, and the name.
  open override var description: String {
    "MCPeerID(\(peer.identity.description.prefix(8))…, \(displayName))"
  }

  // MARK: NSSecureCoding

  /// Always true.
  open class var supportsSecureCoding: Bool { true }

  static let key = "swift-nearby.peer"

  /// Reads an archived ID.
  ///
  /// - Returns: `nil` if the archive holds something else.
  public required init?(coder: NSCoder) {
    guard let text = coder.decodeObject(of: NSString.self, forKey: Self.key),
      let peer = Self.peer(text: String(text))
    else { return nil }
    self.peer = peer
    super.init()
  }

  /// Writes the ID, which contains no secret. Archiving the ID of a local peer makes the device store the
  /// peer's key, so that later processes can use the ID.
  open func encode(with coder: NSCoder) {
    NearbyDevice.bound.peers.store(peer.identity)
    coder.encode(SealedOctets.text(peer.archive) as NSString, forKey: Self.key)
  }

  static func peer(text: String) -> PeerID? {
    SealedOctets.octets(text).flatMap { try? PeerID(archive: $0) }
  }
}
