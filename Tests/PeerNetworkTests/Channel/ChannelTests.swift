import Foundation
import NearbyPeerNetwork
import TestSupport
import Testing

@Suite("Channels between two endpoints", .ownThreads)
struct ChannelTests {
  @Test("Each side learns the other's key, and both get the same exported keys", arguments: [0])
  func identities(_: Int) async throws {
    let pair = try await Pair()
    #expect(pair.initiator.credentials?.fingerprint == pair.right.identity.fingerprint)
    #expect(pair.acceptor.credentials?.fingerprint == pair.left.identity.fingerprint)
    #expect(pair.initiator.credentials?.chain == (try pair.right.identity.chainOctets()))
    #expect(pair.acceptor.credentials?.chain == (try pair.left.identity.chainOctets()))
    #expect(pair.left.identity.fingerprint != pair.right.identity.fingerprint)
    let left = await key(of: pair.initiator, "EXPORTER-test")
    let right = await key(of: pair.acceptor, "EXPORTER-test")
    let other = await key(of: pair.acceptor, "EXPORTER-other")
    #expect(left?.count == 32)
    #expect(left == right)
    #expect(left != other)
  }

  private func key(of channel: PeerChannel, _ label: String) async -> [UInt8]? {
    await withCheckedContinuation { continuation in
      channel.perform { continuation.resume(returning: try? channel.exportKey(label: label, count: 32)) }
    }
  }

  @Test(
    "Octets of any amount arrive complete and in order",
    arguments: [.encrypted, .plain] as [PeerEndpoint.Security])
  func order(security: PeerEndpoint.Security) async throws {
    let pair = try await Pair(security: security)
    #expect(pair.initiator.isEncrypted == (security == .encrypted))
    let told = pair.acceptor.record()
    _ = pair.initiator.record()
    var expected: [UInt8] = []
    var value: UInt8 = 0
    for size in [1, 5, 16_383, 16_384, 16_385, 40_000, 12, 200_000, 7, 65_536, 3, 3, 1_000_000, 1] {
      let octets = (0..<size).map { _ -> UInt8 in
        value = value &* 31 &+ 7
        return value
      }
      expected += octets
      try pair.initiator.send(octets)
    }
    try pair.initiator.write { $0 += [1, 2, 3] }
    expected += [1, 2, 3]
    let total = expected.count
    let entries = try await told.until { $0.octetCount >= total }
    #expect(entries.octets == expected)
  }

  @Test("Closing a channel sends queued octets first, and the other side sees a clean end")
  func closing() async throws {
    let pair = try await Pair()
    let told = pair.acceptor.record()
    let own = pair.initiator.record()
    try pair.initiator.send([UInt8](repeating: 9, count: 3_000_000))
    pair.initiator.close()
    #expect(throws: NetworkError.notOpen) { try pair.initiator.send([1]) }
    let entries = try await told.until { $0.end != nil }
    #expect(entries.octetCount == 3_000_000)
    #expect(entries.end == .some(.closedByPeer(isClean: true)))
    #expect(entries.last == .closed(.closedByPeer(isClean: true)))
    let ended = try await own.until { $0.end != nil }
    #expect(ended.end == .some(nil))
  }

  @Test("An aborted connection is not reported as a clean end")
  func cut() async throws {
    let pair = try await Pair()
    let told = pair.acceptor.record()
    pair.initiator.abort()
    let entries = try await told.until { $0.end != nil }
    #expect(entries.end == .some(.closedByPeer(isClean: false)))
  }

  @Test("A side that stops reading blocks the other; nothing is lost when it reads again")
  func backPressure() async throws {
    let pair = try await Pair { configuration in
      configuration.rules.highWater = 1 << 20
      configuration.rules.lowWater = 1 << 18
      configuration.rules.queueLimit = 8 << 20
    }
    let own = pair.initiator.record()
    pair.acceptor.pauseReading()
    let told = pair.acceptor.record()
    var sent = 0
    let part = [UInt8](repeating: 5, count: 1 << 20)
    var refusal: NetworkError?
    for _ in 0..<200 where refusal == nil {
      do throws(NetworkError) {
        try pair.initiator.send(part)
        sent += part.count
      } catch { refusal = error }
    }
    #expect(refusal == .congested(limit: 8 << 20))
    #expect(own.entries.isEmpty)
    pair.acceptor.resumeReading()
    let total = sent
    let entries = try await told.until { $0.octetCount >= total }
    #expect(entries.octetCount == total)
    try await own.until { $0.contains(.drained) }
    #expect(pair.initiator.waiting < 1 << 18)
  }

  @Test("Octets and the end that arrive before a handler is set are delivered to it later")
  func late() async throws {
    let pair = try await Pair()
    try pair.initiator.send([1, 2, 3])
    pair.initiator.close()
    _ = pair.initiator.record()
    let told = pair.acceptor.record()
    let entries = try await told.until { $0.end != nil }
    #expect(entries.octets == [1, 2, 3])
  }

  @Test(
    "Datagrams arrive in both directions and keep their boundaries",
    arguments: [.encrypted, .plain] as [PeerEndpoint.Security])
  func datagrams(security: PeerEndpoint.Security) async throws {
    let pair = try await Pair(security: security)
    let left = pair.initiator.record()
    let right = pair.acceptor.record()
    try await pair.initiator.sendDatagram([1, 2, 3], until: right)
    try await pair.acceptor.sendDatagram([4, 5], until: left)
    let limit = await limit(of: pair.initiator)
    #expect(limit > 1100)
    let large = [UInt8](repeating: 7, count: limit)
    try await pair.initiator.sendDatagram(large, until: right)
    #expect(right.entries.datagrams.allSatisfy { $0 == [1, 2, 3] || $0 == large })
    let error = await withCheckedContinuation { continuation in
      pair.initiator.sendDatagram(large + [1]) { continuation.resume(returning: $0) }
    }
    #expect(error == .tooLarge(limit: limit))
  }

  private func limit(of channel: PeerChannel) async -> Int {
    await withCheckedContinuation { continuation in
      channel.perform { continuation.resume(returning: channel.datagramLimit) }
    }
  }

  @Test("One listener accepts IPv4 and IPv6", arguments: ["127.0.0.1", "::1"])
  func families(host: String) async throws {
    let server = try End()
    let client = try End(listens: false)
    let channel = try await client.endpoint.connect(to: [SocketAddress(host: host, port: server.port)])
    let arrived = try await server.arrival()
    #expect(channel.remote.host == host)
    #expect(arrived.remote.host == host)
  }

  @Test("Addresses that do not answer are skipped")
  func addresses() async throws {
    let server = try End()
    let client = try End(listens: false) { $0.stagger = .milliseconds(20) }
    let dead = try SocketAddress(host: "127.0.0.1", port: 1)
    // 192.0.2.0/24 is reserved for documentation (RFC 5737), so nothing answers there.
    let silent = try SocketAddress(host: "192.0.2.1", port: 9)
    let channel = try await client.endpoint.connect(to: [dead, silent, server.address])
    #expect(channel.remote == server.address)
    await #expect(throws: NetworkError.noAddress) { try await client.endpoint.connect(to: []) }
    await #expect(throws: NetworkError.system(call: "connect", errno: ECONNREFUSED)) {
      try await client.endpoint.connect(to: [dead])
    }
  }

  @Test("A stopped endpoint ends its channels, and the other side is notified")
  func stopping() async throws {
    let pair = try await Pair()
    let told = pair.acceptor.record()
    let own = pair.initiator.record()
    pair.left.endpoint.stop()
    #expect(try await told.until { $0.end != nil } == [.closed(.closedByPeer(isClean: true))])
    #expect(try await own.until { $0.end != nil } == [.closed(nil)])
  }
}
