import Foundation
import NearbyInteraction

/// Ranges with one peer, and gives up after five seconds without an update.
public final class Finder: NSObject, NISessionDelegate {
  public private(set) var distances: [Float] = []
  public private(set) var hasGivenUp = false
  public let session = NISession()

  public override init() {
    super.init()
    session.delegate = self
  }

  public func run(with token: NIDiscoveryToken) {
    session.run(NINearbyPeerConfiguration(peerToken: token))
    DispatchQueue.main.asyncAfter(deadline: .now() + 5) { [weak self] in
      self?.hasGivenUp = self?.distances.isEmpty == true
    }
  }

  public func session(_ session: NISession, didUpdate nearbyObjects: [NINearbyObject]) {
    distances += nearbyObjects.compactMap(\.distance)
  }
}
