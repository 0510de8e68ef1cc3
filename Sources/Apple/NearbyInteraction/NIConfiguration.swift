import NearbyDeviceMachine

/// What a session measures and how. Apps create one of its subclasses.
///
/// Source: Apple's documentation of `NIConfiguration`.
public class NIConfiguration: NSObject, NSCopying, NSSecureCoding {
  override init() { super.init() }

  /// Always true.
  public class var supportsSecureCoding: Bool { true }

  /// Reads an archived configuration.
  public required init?(coder: NSCoder) { super.init() }

  /// Writes the configuration.
  public func encode(with coder: NSCoder) {}

  /// Returns a configuration of the same kind and values.
  public func copy(with zone: NSZone? = nil) -> Any { NIConfiguration() }
}

/// Ranges with the device whose session created a token.
public class NINearbyPeerConfiguration: NIConfiguration {
  private let peerToken: NIDiscoveryToken

  /// The token received from the peer.
  public var peerDiscoveryToken: NIDiscoveryToken { peerToken }

  /// Whether to combine the ranges with camera tracking. Set it before `run`; false by default.
  public var isCameraAssistanceEnabled = false

  /// Whether to range at extended distance, if both devices can. Set it before `run`; false by default.
  public var isExtendedDistanceMeasurementEnabled = false

  /// Creates a configuration for the peer that sent this token.
  public init(peerToken: NIDiscoveryToken) {
    self.peerToken = peerToken
    super.init()
  }

  private enum Key {
    static let token = "peerDiscoveryToken"
    static let camera = "isCameraAssistanceEnabled"
    static let extended = "isExtendedDistanceMeasurementEnabled"
  }

  /// Reads an archived configuration; returns `nil` if the archive has no token.
  public required init?(coder: NSCoder) {
    guard let token = coder.decodeObject(of: NIDiscoveryToken.self, forKey: Key.token) else { return nil }
    peerToken = token
    super.init(coder: coder)
    isCameraAssistanceEnabled = coder.decodeBool(forKey: Key.camera)
    isExtendedDistanceMeasurementEnabled = coder.decodeBool(forKey: Key.extended)
  }

  /// Writes the configuration.
  public override func encode(with coder: NSCoder) {
    coder.encode(peerToken, forKey: Key.token)
    coder.encode(isCameraAssistanceEnabled, forKey: Key.camera)
    coder.encode(isExtendedDistanceMeasurementEnabled, forKey: Key.extended)
  }

  /// Returns a configuration with the same values.
  public override func copy(with zone: NSZone? = nil) -> Any {
    let copy = NINearbyPeerConfiguration(peerToken: peerToken)
    copy.isCameraAssistanceEnabled = isCameraAssistanceEnabled
    copy.isExtendedDistanceMeasurementEnabled = isExtendedDistanceMeasurementEnabled
    return copy
  }

  /// Whether both configurations have the same values.
  public override func isEqual(_ object: Any?) -> Bool {
    (object as? NINearbyPeerConfiguration)?.request == request
  }

  /// Equal for equal configurations.
  public override var hash: Int { request.hashValue }

  var request: PeerConfiguration {
    PeerConfiguration(
      peer: peerToken.identity, usesCameraAssistance: isCameraAssistanceEnabled,
      usesExtendedDistance: isExtendedDistanceMeasurementEnabled)
  }
}
