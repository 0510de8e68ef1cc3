import Foundation
import NearbyInteraction

/// Ranges with one peer, and gives up after five seconds without an update.
public final class Finder: NSObject, NISessionDelegate {
  /// Metres, in the order of the updates.
  public private(set) var distances: [Float] = []
  /// Whether five seconds passed without an update.
  public private(set) var hasGivenUp = false
  /// The session with the peer.
  public let session = NISession()

  /// A finder that waits for a peer's token.
  public override init() {
    super.init()
    session.delegate = self
  }

  /// Starts to range with the peer that has this token.
  public func run(with token: NIDiscoveryToken) {
    session.run(NINearbyPeerConfiguration(peerToken: token))
    DispatchQueue.main.asyncAfter(deadline: .now() + 5) { [weak self] in
      self?.hasGivenUp = self?.distances.isEmpty == true
    }
  }

  /// Notes the peer's distance.
  public func session(_ session: NISession, didUpdate nearbyObjects: [NINearbyObject]) {
    distances += nearbyObjects.compactMap(\.distance)
  }
}
