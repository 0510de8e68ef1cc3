import MultipeerConnectivity
import NearbyTesting
import Testing

/// Apple raises an exception for these arguments. Here the process stops and states the reason.
@Suite("Arguments that no app may give")
struct MultipeerArgumentTests {
  @Test("Names have 1 to 63 octets")
  func names() async {
    await #expect(processExitsWith: .failure) { _ = MCPeerID(displayName: "") }
    await #expect(processExitsWith: .failure) {
      _ = MCPeerID(displayName: String(repeating: "ü", count: 32))
    }
  }

  @Test("Service types are short, plain and have a letter")
  func serviceTypes() async {
    await #expect(processExitsWith: .failure) {
      World().addPhone("Ann").launch {
        _ = MCNearbyServiceBrowser(peer: MCPeerID(displayName: "a"), serviceType: "under_score")
      }
    }
    await #expect(processExitsWith: .failure) {
      World().addPhone("Ann").launch {
        _ = MCNearbyServiceAdvertiser(
          peer: MCPeerID(displayName: "a"), discoveryInfo: nil, serviceType: "sixteen-letters-")
      }
    }
    await #expect(processExitsWith: .success) {
      World().addPhone("Ann").launch {
        let peer = MCPeerID(displayName: "a")
        for type in ["a", "fifteen-letters", "1-2-a", "Capital"] {
          _ = MCNearbyServiceBrowser(peer: peer, serviceType: type)
        }
      }
    }
  }

  @Test("Discovery info fits a TXT record")
  func discoveryInfo() async {
    await #expect(processExitsWith: .failure) {
      World().addPhone("Ann").launch {
        _ = MCNearbyServiceAdvertiser(
          peer: MCPeerID(displayName: "a"), discoveryInfo: ["k": String(repeating: "v", count: 254)],
          serviceType: "a")
      }
    }
    await #expect(processExitsWith: .failure) {
      World().addPhone("Ann").launch {
        _ = MCNearbyServiceAdvertiser(
          peer: MCPeerID(displayName: "a"), discoveryInfo: ["a=b": "v"], serviceType: "a")
      }
    }
  }

  @Test("A security identity is one, or nothing")
  func identity() async {
    await #expect(processExitsWith: .failure) {
      World().addPhone("Ann").launch {
        _ = MCSession(
          peer: MCPeerID(displayName: "a"), securityIdentity: ["x"], encryptionPreference: .required)
      }
    }
    await #expect(processExitsWith: .success) {
      World().addPhone("Ann").launch {
        let peer = MCPeerID(displayName: "a")
        #expect(
          MCSession(peer: peer, securityIdentity: [], encryptionPreference: .required).securityIdentity?.count
            == 0)
      }
    }
  }
}
