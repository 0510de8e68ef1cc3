import NearbyInteraction

/// The app in the exhibit's tag: ranges with one visitor at a time, and shows nothing.
public final class ExhibitApp: NSObject, NISessionDelegate {
  private let session = NISession()

  /// Makes the app with a session of its own.
  public override init() {
    super.init()
    session.delegate = self
  }

  /// What goes to the visitor.
  public var token: NIDiscoveryToken? { session.discoveryToken }

  /// Ranges with the visitor that sent this token.
  public func range(with visitor: NIDiscoveryToken) {
    let configuration = NINearbyPeerConfiguration(peerToken: visitor)
    configuration.isExtendedDistanceMeasurementEnabled = true
    session.run(configuration)
  }

  /// Silence: the same session looks on.
  public func session(
    _ session: NISession, didRemove nearbyObjects: [NINearbyObject], reason: NINearbyObject.RemovalReason
  ) {
    if reason == .timeout, let configuration = session.configuration { session.run(configuration) }
  }
}
