import NearbyPeerLink
import NearbyPeerNetwork
import TestSupport
import Testing

@testable import NearbyLive

@Suite("Peer addresses that may be dialled")
struct PlausibleAddressTests {
  private func address(_ host: String, port: UInt16 = 5000) throws -> SocketAddress {
    try SocketAddress(host: host, port: port)
  }

  private func networks() throws -> [LocalNetwork] {
    [
      try #require(LocalNetwork(octets: [127, 0, 0, 1], prefixLength: 8)),
      try #require(LocalNetwork(octets: [203, 0, 113, 77], prefixLength: 28)),
      try #require(
        LocalNetwork(octets: [0x20, 1, 0x0D, 0xB8] + [UInt8](repeating: 0, count: 12), prefixLength: 64)),
    ]
  }

  @Test(
    "Only addresses on a local network and unprivileged ports are dialled",
    arguments: [
      ("192.168.7.7", true), ("10.1.2.3", true), ("172.31.0.1", true), ("172.32.0.1", false),
      ("100.64.0.1", true), ("100.128.0.1", false), ("169.254.3.3", true), ("8.8.8.8", false),
      ("203.0.113.65", true), ("203.0.113.81", false), ("224.0.0.251", false), ("255.255.255.255", false),
      ("0.0.0.0", false), ("127.0.0.1", false), ("::1", false), ("fe80::1", true), ("fd00::1", true),
      ("2001:db8::9", true), ("2001:db8:0:1::9", false), ("ff02::fb", false),
    ] as [(String, Bool)])
  func told(host: String, isPlausible: Bool) throws {
    let networks = try networks()
    let result = PeerContact.plausible([try address(host)], in: networks, isLoopbackKnown: false)
    #expect(result.isEmpty != isPlausible)
    let privileged = [try address(host, port: 443)]
    #expect(PeerContact.plausible(privileged, in: networks, isLoopbackKnown: true).isEmpty)
  }

  @Test(
    "Loopback is dialled only if it was discovered here or is the only network; at most 8 addresses are dialled"
  )
  func loopbackAndMany() throws {
    let loopback = [try address("127.0.0.1")]
    #expect(PeerContact.plausible(loopback, in: try networks(), isLoopbackKnown: true) == loopback)
    let alone = Array(try networks().prefix(1))
    #expect(PeerContact.plausible(loopback, in: alone, isLoopbackKnown: false) == loopback)
    let many = try (1...70).map { try address("10.0.0.\($0)") }
    #expect(PeerContact.plausible(many, in: [], isLoopbackKnown: false) == Array(many.prefix(8)))
  }

  @Test("A service type of one character is extended on the network, because Avahi refuses it")
  func shortType() throws {
    #expect(PeerDirectory.name(of: try ServiceType("x")) == "_x-nearby._tcp")
    #expect(PeerDirectory.name(of: try ServiceType("xy")) == "_xy._tcp")
  }
}
