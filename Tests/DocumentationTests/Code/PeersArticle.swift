import NearbyPeers
import NearbyTesting
import Testing

func printNearbyPeers() async {
  let finder = PeerFinder(named: "Ann", serviceType: "example")
  finder.start()
  for await peers in finder.peers {
    for peer in peers where peer.state == .ranging {
      print(peer.name, peer.distance ?? .nan, peer.azimuth ?? .nan)
    }
  }
}

func line(for peer: NearbyPeer) -> String {
  switch peer.state {
  case .meeting: return "\(peer.name): connected, waiting for the first measurement"
  case .ranging:
    guard let distance = peer.distance else { return "\(peer.name): measuring" }
    return "\(peer.name): \(distance) m\(peer.isPointedAt() ? ", straight ahead" : "")"
  case .lost: return "\(peer.name): lost, still looking"
  case .failed(let error): return "\(peer.name): \(error.localizedDescription)"
  }
}

func line(for status: PeerFinder.Status) -> String? {
  switch status {
  case .searching: nil
  case .suspended: "In the background"
  case .noNetwork: "No network; retrying"
  case .refused: "Allow nearby interaction in Settings, then start the app again"
  case .unsupported: "This device cannot measure distances"
  case .stopped: "Stopped"
  }
}

func makeFinder(_ identity: MCPeerID) -> PeerFinder {
  var settings = PeerFinder.Settings(serviceType: "example")
  settings.maximumPeers = 1
  settings.keepsLostPeers = true
  return PeerFinder(peer: identity, settings: settings)
}

@Suite("Finding peers with PeerFinder")
struct PeersArticle {
  @Test("Two finders range")
  func ranging() throws {
    let world = World(seed: 31)
    let ann = world.addPhone("Ann", at: [0, 0, 1.2], heading: 0)
    let ben = world.addPhone("Ben", at: [0, 3, 1.2], heading: 180)
    let finders = [ann, ben].map { phone in
      phone.launch {
        let finder = makeFinder(MCPeerID(displayName: phone.name))
        finder.start()
        return finder
      }
    }
    #expect(
      world.advance(until: { finders[0].currentPeers.first?.distance != nil }, within: .seconds(10)))
    let peer = try #require(finders[0].currentPeers.first)
    #expect(line(for: peer).hasPrefix("Ben: "))
    #expect(line(for: finders[0].status) == nil)
    finders.forEach { $0.stop() }
    #expect(finders[0].status == .stopped)
  }
}
