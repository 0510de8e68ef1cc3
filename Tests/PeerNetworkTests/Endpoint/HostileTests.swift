import CNearbyOpenSSL
import Foundation
import NearbyPeerNetwork
import TestSupport
import Testing

@Suite("Hostile peers", .ownThreads)
struct HostileTests {
  @Test(
    "A connection without TLS is refused with a reason, and connected peers are not disturbed",
    arguments: [
      ("GET / HTTP/1.1\r\n\r\n", NetworkError.Refusal.otherProtocol),
      ("\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}", .otherProtocol),
      ("NRBY\u{1}\u{0}\u{0}\u{0}", .plainText),
    ])
  func plainText(text: String, reason: NetworkError.Refusal) async throws {
    let pair = try await Pair()
    let stranger = try RawClient(port: pair.right.port)
    stranger.write(Array(text.utf8))
    #expect(try await pair.right.refusal() == .refused(reason))
    #expect(stranger.readToEnd() == Array("NRBY".utf8) + [1, reason.rawValue, 0, 0])
    try await expectAlive(pair)
  }

  @Test(
    "A truncated, oversized or garbage handshake ends only its own connection",
    arguments: [
      [0x16, 3, 1, 2, 0, 1, 0, 1, 0xFC, 3, 3],
      [0x16, 3, 1, 0xFF, 0xFF] + [UInt8](repeating: 0xAA, count: 100),
      [0x16] + [UInt8](repeating: 0xFF, count: 5000),
      [0x16],
    ] as [[UInt8]])
  func garbage(octets: [UInt8]) async throws {
    let pair = try await Pair()
    let stranger = try RawClient(port: pair.right.port)
    stranger.write(octets)
    stranger.finishWriting()
    let error = try await pair.right.refusal()
    #expect(error == .closedByPeer(isClean: false) || error.isSecureLayer, "\(error)")
    try await expectAlive(pair)
  }

  @Test("A plain connection that the listener does not allow is refused with a reason")
  func plainRefused() async throws {
    let server = try End()
    let client = try End(listens: false)
    await #expect(throws: NetworkError.refusedByPeer(.plainText)) {
      try await client.endpoint.connect(to: [server.address], security: .plain)
    }
  }

  @Test("A refused certificate is reported to the other side", arguments: [true, false])
  func certificateRefused(byListener: Bool) async throws {
    let server = try End { configuration in
      if byListener { configuration.decide = { _, _, answer in answer(false) } }
    }
    let client = try End(listens: false) { configuration in
      if !byListener { configuration.decide = { _, _, answer in answer(false) } }
    }
    let (own, other): (NetworkError, NetworkError) = (.refused(.certificate), .refusedByPeer(.certificate))
    await #expect(throws: byListener ? other : own) {
      try await client.endpoint.connect(to: [server.address])
    }
    #expect(try await server.refusal() == (byListener ? own : other))
  }

  @Test("A connection without a decision within the time limit is refused")
  func noDecision() async throws {
    let server = try End { configuration in
      configuration.decide = { _, _, _ in }
      configuration.rules.decisionTimeout = .milliseconds(200)
    }
    let client = try End(listens: false)
    await #expect(throws: NetworkError.refusedByPeer(.undecided)) {
      try await client.endpoint.connect(to: [server.address])
    }
  }

  @Test("A decision may come late and from another thread; only the first one counts")
  func lateDecision() async throws {
    let asked = Journal<@Sendable (Bool) -> Void>()
    let server = try End { configuration in
      configuration.decide = { credentials, _, answer in
        if credentials != nil { asked.add(answer) }
      }
    }
    let client = try End(listens: false)
    let accepted = Task.onOwnThread { try await client.endpoint.connect(to: [server.address]) }
    let answers = try await asked.until { $0.count == 1 }
    answers[0](true)
    answers[0](false)
    _ = try await accepted.value
  }

  @Test("A thousand silent connections do not keep a peer from connecting")
  func halfOpen() async throws {
    // A loaded machine may need more time.
    let patient: @Sendable (inout PeerEndpoint.Configuration) -> Void = {
      $0.rules.handshakeTimeout = .seconds(60)
    }
    let pair = try await Pair(security: .encrypted, patient)
    var strangers: [RawClient] = []
    for _ in 0..<1000 { strangers.append(try RawClient(port: pair.right.port)) }
    let late = try End(listens: false, patient)
    let channel = try await late.endpoint.connect(to: [pair.right.address])
    #expect(channel.credentials?.fingerprint == pair.right.identity.fingerprint)
    try await expectAlive(pair)
    // The oldest connections were dropped.
    #expect(strangers[0].readToEnd().isEmpty)
    #expect(!strangers.isEmpty)
  }

  @Test("An endless handshake times out")
  func slowHandshake() async throws {
    let server = try End { $0.rules.handshakeTimeout = .milliseconds(100) }
    let silent = try RawClient(port: server.port)
    #expect(try await server.refusal() == .timedOut(.handshake))
    #expect(silent.readToEnd().isEmpty)
    let started = try RawClient(port: server.port)
    started.write([0x16, 3, 1])
    try await server.events.until { $0.count == 2 }
    #expect(started.readToEnd().isEmpty)
  }

  @Test("A certificate without its private key is refused")
  func replayedCertificate() async throws {
    let server = try End()
    let victim = try PeerKey.generate()
    let forged = try #require(Self.forged(of: victim))
    #expect(forged.fingerprint == victim.fingerprint)
    let thief = try End(listens: false) { $0.identity = forged }
    await #expect(throws: NetworkError.self) { try await thief.endpoint.connect(to: [server.address]) }
    let error = try await server.refusal()
    #expect(error.isSecureLayer, "\(error)")
  }

  @Test("A peer can't connect to its own key")
  func ownKey() async throws {
    let server = try End()
    let same = try End(listens: false) { $0.identity = server.identity }
    await #expect(throws: NetworkError.self) { try await same.endpoint.connect(to: [server.address]) }
    let error = try await server.refusal()
    #expect(error == .refused(.ownKey) || error == .refusedByPeer(.ownKey), "\(error)")
  }

  @Test("Garbage datagrams do not disturb a channel")
  func datagramGarbage() async throws {
    let pair = try await Pair()
    let told = pair.acceptor.record()
    _ = pair.initiator.record()
    try await pair.initiator.sendDatagram([1], until: told)
    try await expectAlive(pair, told)
  }

  /// The victim's certificate, with a key that claims to be the victim's.
  private static func forged(of victim: PeerKey) -> PeerKey? {
    guard let own = try? PeerKey.generate() else { return nil }
    return ForgedKey.identity(certificate: victim, key: own)
  }

  private func expectAlive(_ pair: Pair, _ given: Journal<Told>? = nil) async throws {
    let told = given ?? pair.acceptor.record()
    try pair.initiator.send([1, 2, 3])
    try await told.until { $0.octets == [1, 2, 3] }
  }
}

extension NetworkError {
  var isSecureLayer: Bool { if case .secureLayer = self { true } else { false } }
}

/// A TCP connection that speaks no protocol.
final class RawClient: Sendable {
  private let descriptor: Int32

  init(port: UInt16) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard result == 0 else { throw NetworkError.system(call: "connect", errno: errno) }
  }

  deinit { close(descriptor) }

  func write(_ octets: [UInt8]) { _ = Foundation.write(descriptor, octets, octets.count) }
  func finishWriting() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// Blocks until the other side closes.
  func readToEnd() -> [UInt8] {
    var result: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      guard count > 0 else { return result }
      result += buffer[..<count]
    }
  }
}
