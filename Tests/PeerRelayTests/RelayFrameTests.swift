import NearbyPeerLink
import NearbyPeerRelay
import TestSupport
import Testing

@Suite("Messages of peers through a server")
struct RelayFrameTests {
  private static func identity(_ octet: UInt8) throws -> PeerIdentity {
    try PeerIdentity(octets: [UInt8](repeating: octet, count: 32))
  }

  @Test("A header has 17 octets, numbers in network order")
  func header() throws {
    let frame = RelayFrame(.data, number: 258, consumed: 1 << 40)
    #expect(frame.octets == [3, 0, 0, 0, 0, 0, 0, 1, 2, 0, 0, 1, 0, 0, 0, 0, 0])
    #expect(try RelayFrame(parsing: frame.octets + [9]) == frame)
  }

  @Test("Strangers' octets are refused with the reason")
  func refused() {
    #expect(throws: RelayFailure.short(count: 16)) {
      try RelayFrame(parsing: [UInt8](repeating: 1, count: 16))
    }
    #expect(throws: RelayFailure.kind(0)) { try RelayFrame(parsing: [UInt8](repeating: 0, count: 17)) }
    #expect(throws: RelayFailure.payload(.open)) {
      try RelayFrame(parsing: RelayFrame(.open, number: 0, consumed: 0).octets + [1])
    }
  }

  @Test("A stream's subject names the peer and the stream")
  func subjects() throws {
    var generator = SeededGenerator(seed: 3)
    let stream = RelayStreamID(using: &generator)
    let peer = try Self.identity(7)
    let parsed = try #require(RelaySubject.parse(RelaySubject.stream(stream, to: peer)))
    #expect(parsed.peer == peer && parsed.stream == stream)
  }

  @Test(
    "Other subjects are none of a stream",
    arguments: [
      "", "nearby.peers.1.to.", "nearby.peers.1.to.07.new", "nearby.peers.2.to.x.y", "nearby.peers.1.at.x",
    ])
  func otherSubjects(_ subject: String) { #expect(RelaySubject.parse(subject) == nil) }

  @Test("A request's subject is none of a stream, nor is one with capital digits or a further part")
  func nearlyStreams() throws {
    let peer = try Self.identity(0xAB)
    let stream = String(repeating: "a", count: 32)
    #expect(RelaySubject.parse(RelaySubject.requests(to: peer)) == nil)
    #expect(RelaySubject.parse("nearby.peers.1.to.\(peer).\(stream.uppercased())") == nil)
    #expect(RelaySubject.parse("nearby.peers.1.to.\(peer).\(stream).x") == nil)
    #expect(RelaySubject.parse("nearby.peers.1.to.\(peer).\(stream)") != nil)
  }

  @Test("An announcement carries the peer's name and info, and whether it goes")
  func announcement() throws {
    let peer = PeerID(identity: try Self.identity(1), displayName: try DisplayName("Ännchen"))
    let advertised = AdvertisedPeer(peer: peer, info: try DiscoveryInfo(["a": "b=c", "d": ""]))
    for isHere in [true, false] {
      let octets = RelayAnnouncement(advertised, isHere: isHere).octets
      let found = try RelayAnnouncement(parsing: octets)
      #expect(found.advertised == advertised && found.isHere == isHere)
      // Every cut is refused, or is an announcement with fewer entries.
      for count in 0..<octets.count {
        if let cut = try? RelayAnnouncement(parsing: Array(octets.prefix(count))) {
          #expect(cut.advertised.info.entries.count < advertised.info.entries.count)
        }
      }
    }
  }

  @Test("An announcement that is too long, or begins with another octet, is refused")
  func badAnnouncement() {
    #expect(throws: (any Error).self) { try RelayAnnouncement(parsing: []) }
    #expect(throws: (any Error).self) { try RelayAnnouncement(parsing: [2]) }
    #expect(throws: (any Error).self) { try RelayAnnouncement(parsing: [UInt8](repeating: 1, count: 4096)) }
  }
}
