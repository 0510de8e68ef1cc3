import Foundation
import NearbyPeerNetwork
import TestSupport
import Testing

/// The attacked peer runs in its own process, so that its descriptors and memory can be measured.
@Suite("Floods of connections", .tags(.slow), .ownThreads)
struct FloodTests {
  /// A peer under attack, with an honest peer connected to it.
  private struct Scene {
    let peer: PeerProcess
    let port: UInt16
    let honest: End
    let channel: PeerChannel
    let told: Journal<Told>
    let descriptors: Int

    init() async throws {
      peer = try PeerProcess(DiscoveryTests.freshType(), "victim")
      port = try await peer.place().port
      try await peer.line("registered")
      honest = try End(listens: false)
      channel = try await honest.endpoint.connect(to: [.loopback(port: port)])
      told = channel.record()
      try await peer.line("arrived")
      descriptors = peer.descriptorCount
    }

    /// Checks that the honest peer's channel is open, and that new ones can be opened.
    func expectServed() async throws {
      let before = told.entries.octetCount
      try channel.send([1, 2, 3])
      try await told.until { $0.octetCount == before + 3 }
    }

    /// Checks that everything the strangers used has been released.
    func expectNothingKept() throws {
      let left = try waitByPolling(for: "\(descriptors) descriptors") {
        peer.descriptorCount
      } until: {
        $0 <= descriptors
      }
      #expect(left == descriptors)
    }
  }

  @Test(
    "A thousand half-open connections use a bounded number of descriptors, which are all closed afterwards")
  func halfOpen() async throws {
    let scene = try await Scene()
    var strangers: [RawClient] = []
    for _ in 0..<1000 { strangers.append(try RawClient(port: scene.port)) }
    try await scene.expectServed()
    #expect(strangers[0].readToEnd().isEmpty)
    #expect(scene.peer.descriptorCount <= scene.descriptors + 128 + 64)
    strangers = []
    try scene.expectNothingKept()
  }

  @Test("Hundreds of connections without TLS are refused with a reason, and memory does not grow")
  func garbage() async throws {
    let scene = try await Scene()
    var resident = 0
    for round in 0..<6 {
      for index in 0..<200 {
        let stranger = try RawClient(port: scene.port)
        stranger.write(index % 2 == 0 ? Array("GET / HTTP/1.1\r\n\r\n".utf8) : [0x16, 3, 1, 0xFF, 0xFF, 1])
        stranger.finishWriting()
        let answer = stranger.readToEnd()
        if index % 2 == 0 { #expect(answer.starts(with: Array("NRBY".utf8))) }
      }
      try await scene.expectServed()
      // The allocator's caches are filled after the first rounds.
      if round == 2 { resident = scene.peer.residentKibibytes }
    }
    #expect(Sanitizers.isActive || scene.peer.residentKibibytes < resident + 2048)
    try scene.expectNothingKept()
  }

  @Test("A flood of handshakes from one address is limited; connected peers are not disturbed")
  func handshakes() async throws {
    let scene = try await Scene()
    let flooder = try End(listens: false)
    let outcomes = Journal<Bool>()
    for _ in 0..<300 {
      flooder.endpoint.connect(to: [.loopback(port: scene.port)]) { result in
        let channel = try? result.get()
        channel?.abort()
        outcomes.add(channel != nil)
      }
    }
    try await outcomes.until { $0.count == 300 }
    #expect(outcomes.entries.contains(false), "no handshake was refused")
    try await scene.expectServed()
    try scene.expectNothingKept()
  }

  @Test("Opening and leaving channels leaks no descriptors")
  func comingAndGoing() async throws {
    let scene = try await Scene()
    for _ in 0..<60 {
      let channel = try await scene.honest.endpoint.connect(to: [.loopback(port: scene.port)])
      try channel.send([1])
      channel.abort()
    }
    try await scene.expectServed()
    try scene.expectNothingKept()
  }
}
