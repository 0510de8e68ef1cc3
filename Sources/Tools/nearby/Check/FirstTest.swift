/// Writes an app's first test on Linux: two phones in a simulated world.
enum FirstTest {
  /// Paths and contents of the test files.
  static func files(_ targets: [CheckManifest.Target]) -> [(path: String, text: String)] {
    targets.filter(\.hasFirstTest).map { target in
      ("Tests/\(target.firstTestName)/FirstTests.swift", text(target))
    }
  }

  private static func text(_ target: CheckManifest.Target) -> String {
    let usesPeers = target.imports.contains("MultipeerConnectivity")
    let body = target.imports.contains("NearbyInteraction") || !usesPeers ? ranging : peers
    return """
      import MultipeerConnectivity
      import NearbyInteraction
      import NearbyTesting
      import Testing

      @testable import \(target.name)

      // A starting point: create this app's own objects inside `launch`, then let the world act on them.
      \(body)

      """
  }

  private static let ranging = """
    final class Finder: NSObject, NISessionDelegate {
      let session = NISession()
      var distance: Float?

      override init() {
        super.init()
        session.delegate = self
      }

      func find(_ token: NIDiscoveryToken) { session.run(NINearbyPeerConfiguration(peerToken: token)) }

      func session(_ session: NISession, didUpdate nearbyObjects: [NINearbyObject]) {
        distance = nearbyObjects.first?.distance ?? distance
      }
    }

    @Test("Two phones three metres apart measure it")
    func meeting() {
      let world = World(seed: 1)
      let ann = world.addPhone("Ann", at: [0, 0, 1.2], heading: 0)
      let ben = world.addPhone("Ben", at: [0, 3, 1.2], heading: 180)
      let seeker = ann.launch { Finder() }
      let target = ben.launch { Finder() }
      if let token = target.session.discoveryToken { seeker.find(token) }
      if let token = seeker.session.discoveryToken { target.find(token) }
      world.advance(by: .seconds(5))
      #expect(abs((seeker.distance ?? 0) - 3) < 0.5)
    }
    """

  private static let peers = """
    @Test("A phone of the world has a session and a name")
    func session() {
      let world = World(seed: 1)
      let ann = world.addPhone("Ann", at: [0, 0, 1.2], heading: 0)
      let session = ann.launch {
        MCSession(peer: MCPeerID(displayName: "Ann"), securityIdentity: nil, encryptionPreference: .required)
      }
      world.advance(by: .seconds(1))
      #expect(session.myPeerID.displayName == "Ann")
      #expect(session.connectedPeers.isEmpty)
    }
    """
}
