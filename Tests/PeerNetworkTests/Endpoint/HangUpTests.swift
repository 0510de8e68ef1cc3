import Foundation
import Testing

@testable import NearbyPeerNetwork

/// Two ends of a connection in one process, on non-blocking sockets.
private struct SocketPair {
  let left: Int32
  let right: Int32

  init() {
    var ends: [Int32] = [0, 0]
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue)
    precondition(socketpair(AF_UNIX, kind, 0, &ends) == 0)
    (left, right) = (ends[0], ends[1])
  }
}

/// Runs in its own processes, in which SIGPIPE has its default action and would end the process.
@Suite("Channels whose other side hangs up")
struct HangUpTests {
  @Test("A TLS write to a peer that has closed does not end the process")
  func encrypted() async {
    await #expect(processExitsWith: .success) {
      signal(SIGPIPE, SIG_DFL)
      let sockets = SocketPair()
      let context = try TLSContext(identity: .generate())
      let client = try TLSStream(context, descriptor: sockets.left, isClient: true)
      let server = try TLSStream(context, descriptor: sockets.right, isClient: false)
      var isReady = (client: false, server: false)
      for _ in 0..<20 where !isReady.client || !isReady.server {
        if !isReady.client { isReady.client = client.handshake() == .done }
        if !isReady.server { isReady.server = server.handshake() == .done }
      }
      guard isReady == (true, true) else { exit(EXIT_FAILURE) }
      close(sockets.right)
      let (count, progress) = [UInt8](repeating: 1, count: 100).withUnsafeBytes { client.write($0) }
      guard count == 0, progress == .ended(isClean: false), signal(SIGPIPE, SIG_DFL) == nil else {
        exit(EXIT_FAILURE)
      }
      client.shutDown()
      exit(EXIT_SUCCESS)
    }
  }

  @Test("A plain write to a peer that has closed does not end the process")
  func plain() async {
    await #expect(processExitsWith: .success) {
      signal(SIGPIPE, SIG_DFL)
      let sockets = SocketPair()
      close(sockets.right)
      let (_, progress) = [UInt8](repeating: 1, count: 100).withUnsafeBytes {
        ChannelStream.plain(sockets.left).write($0)
      }
      exit(progress == .ended(isClean: false) ? EXIT_SUCCESS : EXIT_FAILURE)
    }
  }

  @Test("An endpoint does not change the process's signal handlers")
  func signals() async {
    await #expect(processExitsWith: .success) {
      signal(SIGPIPE, SIG_DFL)
      let endpoint = try PeerEndpoint(PeerEndpoint.Configuration(identity: .generate())) { _ in }
      _ = try endpoint.listen()
      exit(signal(SIGPIPE, SIG_DFL) == nil ? EXIT_SUCCESS : EXIT_FAILURE)
    }
  }
}
