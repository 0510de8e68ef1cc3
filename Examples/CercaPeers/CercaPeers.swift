import NearbyPeers

/// Cerca built on `PeerFinder`. It shows the same screens as `Examples/Cerca` and connects to it, but
/// `PeerFinder` does the work that each app would otherwise write by hand.
public final class CercaPeers: Sendable {
  /// Finds and ranges with the other device.
  public let nearby: PeerFinder

  /// - Parameters:
  ///   - peer: This device. Archive it to remain the same peer after a relaunch.
  ///   - onChange: Called with the lines of each new screen.
  public init(peer: MCPeerID, onChange: @escaping @Sendable ([String]) -> Void) {
    var settings = PeerFinder.Settings(serviceType: "cerca")
    settings.identity = "swift-nearby.cerca"
    settings.maximumPeers = 1
    settings.keepsLostPeers = true
    nearby = PeerFinder(peer: peer, settings: settings)
    nearby.onChange { peers, status in onChange(CercaScreen(peer: peers.first, status: status).lines) }
    nearby.start()
  }
}

/// Cerca's screens as text for a terminal.
struct CercaScreen {
  var peer: NearbyPeer?
  var status: PeerFinder.Status

  var lines: [String] {
    switch status {
    case .unsupported:
      return ["This device can't measure distances.", "It has no ultra-wideband radio; see NEARBY_RADIO."]
    case .refused:
      return ["Cerca isn't allowed to find nearby devices.", "Allow it in Settings, then start Cerca again."]
    case .suspended: return ["Suspended.", "Ranging continues when the app returns to the foreground."]
    case .noNetwork where peer?.state != .ranging:
      return ["The network can't be used.", "Cerca will try again."]
    case .stopped: return []
    case .searching, .noNetwork: break
    }
    guard let peer else { return ["Looking for someone nearby …"] }
    switch peer.state {
    case .meeting: return [peer.name, "Connected; waiting for the first measurement …"]
    case .lost: return ["\(peer.name) is lost.", "Move closer; Cerca keeps searching."]
    case .failed(let error):
      return ["Something went wrong: \(error.localizedDescription)", "Start Cerca again."]
    case .ranging: return [peer.name, "\(arrow(peer))  \(distance(peer))", hint(peer)]
    }
  }

  /// Points towards the peer; a dot while the direction is unknown.
  private func arrow(_ peer: NearbyPeer) -> Character {
    guard let azimuth = peer.azimuth else { return "·" }
    let arrows: [Character] = ["↑", "↗", "→", "↘", "↓", "↙", "←", "↖"]
    return arrows[(Int((azimuth / (.pi / 4)).rounded()) + 8) % 8]
  }

  private func distance(_ peer: NearbyPeer) -> String {
    peer.distance.map { String(format: "%.2f m", $0) } ?? "--.-- m"
  }

  private func hint(_ peer: NearbyPeer) -> String {
    if peer.distance.map({ $0 < 0.3 }) ?? false { return "right here" }
    guard let azimuth = peer.azimuth, let elevation = peer.elevation else {
      return "turn to bring it into the field of view"
    }
    if peer.isPointedAt() { return "straight ahead" }
    let across = "\(degrees(azimuth))° to the \(azimuth < 0 ? "left" : "right")"
    return abs(elevation) < 0.1
      ? across : across + ", \(degrees(elevation))° \(elevation < 0 ? "down" : "up")"
  }

  private func degrees(_ angle: Float) -> Int { Int((abs(angle) * 180 / .pi).rounded()) }
}
