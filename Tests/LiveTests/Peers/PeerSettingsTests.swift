import Foundation
import NearbyLive
import NearbyNATS
import Testing

@Suite("The environment of the peer network")
struct PeerSettingsTests {
  private func settings(_ environment: [String: String]) -> PeerSettings {
    PeerSettings(environment: environment, home: URL(fileURLWithPath: "/home/ann"))
  }

  @Test("Without NEARBY_PEERS, peers meet on the local network")
  func localNetwork() {
    let found = settings(["NEARBY_PEERS_CREDENTIALS": "/x", "NEARBY_PEERS": ""])
    #expect(found.relay == nil && found.notices.isEmpty)
  }

  @Test("NEARBY_PEERS names servers; files have absolute paths")
  func servers() {
    let found = settings([
      "NEARBY_PEERS": "nats://one:4222,tls://two", "NEARBY_PEERS_CREDENTIALS": "/etc/ann.creds",
      "NEARBY_PEERS_CERTIFICATES": "ca.pem",
    ])
    #expect(found.relay?.url == "nats://one:4222,tls://two")
    #expect(found.relay?.credentials == "/etc/ann.creds" && found.relay?.certificates == nil)
    #expect(found.notices == ["NEARBY_PEERS_CERTIFICATES=ca.pem: expected an absolute path"])
  }

  @Test(
    "Another URL is refused without printing it: it may hold a password",
    arguments: ["http://u:secret@x", "nats://"])
  func refused(_ url: String) {
    let found = settings(["NEARBY_PEERS": url])
    #expect(found.relay == nil)
    #expect(found.notices == ["NEARBY_PEERS: expected nats://host:port or tls://host:port"])
  }
}
