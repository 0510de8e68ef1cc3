import MultipeerConnectivity
import NearbyTesting
import Testing

/// Apple raises an exception for these arguments. Here the process stops and states the reason.
@Suite("Invalid arguments")
struct MultipeerArgumentTests {
  @Test("A display name that does not have 1 to 63 octets stops the process")
  func names() async {
    await #expect(processExitsWith: .failure) { _ = MCPeerID(displayName: "") }
    await #expect(processExitsWith: .failure) {
      _ = MCPeerID(displayName: String(repeating: "ü", count: 32))
    }
  }

  @Test("An invalid service type stops the process")
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

  @Test("Discovery info that does not fit a TXT record stops the process")
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

  @Test("A security identity of another type stops the process; an empty one is accepted")
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
