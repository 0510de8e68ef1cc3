import NearbyInteraction

/// The app in the exhibit's tag. It ranges with one visitor at a time and has no screen.
public final class ExhibitApp: NSObject, NISessionDelegate {
  private let session = NISession()

  /// Creates the app and its session.
  public override init() {
    super.init()
    session.delegate = self
  }

  /// The token to give to the visitor.
  public var token: NIDiscoveryToken? { session.discoveryToken }

  /// Ranges with the visitor whose token this is.
  public func range(with visitor: NIDiscoveryToken) {
    let configuration = NINearbyPeerConfiguration(peerToken: visitor)
    configuration.isExtendedDistanceMeasurementEnabled = true
    session.run(configuration)
  }

  /// After a timeout, keeps looking with the same session.
  public func session(
    _ session: NISession, didRemove nearbyObjects: [NINearbyObject], reason: NINearbyObject.RemovalReason
  ) {
    if reason == .timeout, let configuration = session.configuration { session.run(configuration) }
  }
}
