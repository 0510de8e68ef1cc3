import Foundation
import NearbyPeerLink
import NearbyPeerNetwork
import Synchronization
import TestSupport
import Testing

/// A stranger that speaks the protocol over TLS and claims more than it may.
private final class Stranger: Sendable {
  private let channel: PeerChannel
  private let received = Mutex<[UInt8]>([])

  init(_ channel: PeerChannel) { self.channel = channel }

  /// Says hello, claims a message of 64 MiB, and sends as much of it as the peer accepts.
  ///
  /// - Returns: The octets received until the channel ended.
  func claim() async -> [UInt8] {
    await withCheckedContinuation { continuation in
      channel.start(
        PeerChannel.Handlers(
          onReceive: { [self] octets in
            let copy = octets.withUnsafeBufferPointer { Array($0) }
            received.withLock { $0 += copy }
          },
          onClose: { [self] _ in continuation.resume(returning: received.withLock { $0 }) }))
      var octets: [UInt8] = []
      if let name = try? DisplayName("stranger") {
        PeerFrame.hello(Hello(displayName: name, contact: [])).write(to: &octets)
      }
      _ = try? channel.send(octets + [PeerFrameType.data.rawValue, 0, 0, 0, 4])
      let piece = [UInt8](repeating: 0, count: 1 << 20)
      for _ in 0..<63 { _ = try? channel.send(piece) }
    }
  }
}

@Suite("Strangers at the port of a live session", .ownThreads, .tags(.slow))
struct StrangerTests {
  private let type = "t\(UInt32.random(in: 0...99_999_999))"

  private func memory(_ probe: ProbeProcess) throws -> Int {
    probe.write("memory")
    return try #require(probe.expect("memory").split(separator: " ").compactMap { Int($0) }.first)
  }

  @Test("24 strangers that each claim and send 64 MiB are refused with a reason, and memory does not grow")
  func largeClaims() async throws {
    let ann = try ProbeProcess(["ann", "--type", type])
    let ben = try ProbeProcess(["ben", "--type", type])
    ann.expect("ready")
    ben.expect("ready")
    ben.write("advertise")
    ann.write("browse", "invite-all")
    ann.expect("state ben connected")
    ben.expect("state ann connected")
    // The kernel's table may omit a line while other connections open and close.
    var port = ben.listeningPort
    for _ in 0..<20 where port == nil { port = ben.listeningPort }
    let place = SocketAddress.loopback(port: try #require(port))
    let endpoint = try PeerEndpoint(
      PeerEndpoint.Configuration(identity: PeerKey.generate())
    ) { _ in }
    defer { endpoint.stop() }
    let before = try memory(ben)
    for _ in 0..<8 {
      try await withThrowingTaskGroup(of: [UInt8].self) { group in
        for _ in 0..<3 {
          group.addTask { await Stranger(try await endpoint.connect(to: [place])).claim() }
        }
        for try await octets in group {
          #expect(octets.suffix(6) == [4, 1, 0, 0, 0, PeerReason.violation.rawValue])
        }
      }
    }
    let after = try memory(ben)
    #expect(Sanitizers.isActive || after - before < 8 << 10, "grew by \(after - before) KiB")
    ann.write("send still here")
    ben.expect("data ann still here")
    #expect(ben.said("state ann notConnected") == [])
  }
}
