import NearbyPeers

/// Cerca on PeerFinder: the same app as `Examples/Cerca`, without what every app writes by hand.
public final class CercaPeers: Sendable {
  /// Finds the others.
  public let nearby: PeerFinder

  /// - Parameters:
  ///   - peer: This device; keep it archived to be the same one after a launch.
  ///   - onChange: Called with the lines of each new screen.
  public init(peer: MCPeerID, onChange: @escaping @Sendable ([String]) -> Void) {
    var settings = PeerFinder.Settings(serviceType: "cerca-peers")
    settings.maximumPeers = 1
    nearby = PeerFinder(peer: peer, settings: settings)
    nearby.onChange { peers, status in onChange(Self.lines(peers.first, status)) }
    nearby.start()
  }

  static func lines(_ peer: NearbyPeer?, _ status: PeerFinder.Status) -> [String] {
    switch status {
    case .unsupported: ["This device can't measure distances."]
    case .refused: ["Cerca may not find devices nearby.", "Allow it in the settings, then start it again."]
    case .suspended: ["Suspended."]
    case .noNetwork: ["The network can't be used.", "It is tried again."]
    case .stopped: []
    case .searching: peer.map(lines) ?? ["Looking for somebody nearby …"]
    }
  }

  private static func lines(_ peer: NearbyPeer) -> [String] {
    switch peer.state {
    case .meeting: [peer.name, "Connected; waiting for the first measurement …"]
    case .lost: ["\(peer.name) is lost.", "Move closer; the search goes on."]
    case .ranging: [peer.name, peer.distance.map { String(format: "%.2f m", $0) } ?? "--.-- m", hint(peer)]
    }
  }

  private static func hint(_ peer: NearbyPeer) -> String {
    guard let azimuth = peer.azimuth else { return "turn, to bring it into the field of view" }
    if peer.isPointedAt() { return "straight ahead" }
    return String(format: "%.0f° to the %@", abs(azimuth) * 180 / .pi, azimuth < 0 ? "left" : "right")
  }
}
