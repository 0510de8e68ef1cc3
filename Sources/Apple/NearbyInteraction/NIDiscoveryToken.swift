import NearbyDeviceMachine
import NearbySafeArchives

/// Identifies a session to its peer.
///
/// A token is created with its session; it is random, temporary and compared by value. Send it to the peer over
/// a channel of your own, archived with `NSKeyedArchiver`; the peer runs a `NINearbyPeerConfiguration` with it.
public final class NIDiscoveryToken: NSObject, NSCopying, NSSecureCoding, Sendable {
  package let identity: DiscoveryIdentity

  package init(_ identity: DiscoveryIdentity) {
    self.identity = identity
    super.init()
  }

  /// What the device that made the token can do.
  public var deviceCapabilities: any NIDeviceCapability {
    DeviceCapability(capabilities: identity.capabilities)
  }

  /// Returns the token itself, which never changes.
  public func copy(with zone: NSZone? = nil) -> Any { self }

  /// Whether both tokens name the same session.
  public override func isEqual(_ object: Any?) -> Bool {
    (object as? NIDiscoveryToken)?.identity == identity
  }

  /// Equal for equal tokens.
  public override var hash: Int {
    var hasher = Hasher()
    hasher.combine(identity)
    return hasher.finalize()
  }

  /// The first octets of the identity in hexadecimal, to tell tokens apart in a log.
  public override var description: String {
    let head = identity.random.prefix(4).map { octet in
      let digits = String(octet, radix: 16)
      return digits.count == 1 ? "0" + digits : digits
    }
    return "NIDiscoveryToken(\(head.joined())…)"
  }

  // MARK: NSSecureCoding

  /// Always true.
  public static var supportsSecureCoding: Bool { true }

  static let key = "swift-nearby.token"

  /// Reads an archived token.
  ///
  /// - Returns: `nil` if the archive holds something else, a damaged token, or one of an unknown version.
  public required init?(coder: NSCoder) {
    guard let text = coder.decodeObject(of: NSString.self, forKey: Self.key),
      let identity = Self.identity(text: String(text))
    else { return nil }
    self.identity = identity
    super.init()
  }

  /// Writes the token.
  public func encode(with coder: NSCoder) { coder.encode(text as NSString, forKey: Self.key) }

  /// The archived form: the identity's octets as text with a checksum.
  private var text: String { SealedOctets.text(identity.octets) }

  private static func identity(text: String) -> DiscoveryIdentity? {
    SealedOctets.octets(text).flatMap { DiscoveryIdentity(octets: $0) }
  }
}
