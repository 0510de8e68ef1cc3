import MultipeerConnectivity
import TestSupport
import Testing

@Suite("Two live sessions in one process", .ownThreads, .serialized)
struct MultipeerLiveTests {
  @Test(
    "A blocking reader on its own thread receives everything that is written, and then the end")
  func blockingStream() async throws {
    let pair = try await LivePair()
    let output = try pair.first.startStream(withName: "s", toPeer: pair.second.myPeerID)
    let input = try #require(await pair.stream())
    nonisolated(unsafe) let (reading, writing) = (input, output)
    async let received = Self.onThread {
      reading.open()
      var (octets, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 50_000))
      while true {
        let count = reading.read(&buffer, maxLength: buffer.count)
        guard count > 0 else { return (octets, count, reading.streamStatus) }
        octets += buffer[..<count]
      }
    }
    let sent = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7 >> 2) }
    let left = await Self.onThread {
      writing.open()
      var left = sent[...]
      while !left.isEmpty {
        let count = writing.write(Array(left.prefix(500_000)), maxLength: min(left.count, 500_000))
        guard count > 0 else { break }
        left = left.dropFirst(count)
      }
      writing.close()
      return left.count
    }
    #expect(left == 0)
    let (octets, last, status) = await received
    #expect(octets == sent)
    #expect(last == 0)
    #expect(status == .atEnd)
  }

  @Test("A stream in the run loop of a thread delivers its events there")
  func runLoop() async throws {
    let pair = try await LivePair()
    let output = try pair.first.startStream(withName: "s", toPeer: pair.second.myPeerID)
    let input = try #require(await pair.stream())
    nonisolated(unsafe) let streams = (input, output)
    let sent = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 3 >> 1) }
    let (octets, last) = await Self.onThread {
      let writer = StreamRecorder(streams.1, writes: sent)
      let reader = StreamRecorder(streams.0, reads: true)
      while reader.history.last != "end", reader.history.last != "error" {
        guard RunLoop.current.run(mode: .default, before: Date(timeIntervalSinceNow: 1)) else { break }
      }
      return withExtendedLifetime(writer) { (reader.octets, reader.history.last) }
    }
    #expect(octets == sent)
    #expect(last == "end")
  }

  @Test("A blocking reader returns when the connection ends")
  func wokenByEnd() async throws {
    let pair = try await LivePair()
    let output = try pair.first.startStream(withName: "s", toPeer: pair.second.myPeerID)
    let input = try #require(await pair.stream())
    nonisolated(unsafe) let reading = input
    async let count = Self.onThread {
      reading.open()
      var octet: UInt8 = 0
      return reading.read(&octet, maxLength: 1)
    }
    pair.first.disconnect()
    #expect(await count == -1)
    withExtendedLifetime(output) {}
  }

  @Test("A web resource is fetched and sent, and a missing one fails")
  func web() async throws {
    let pair = try await LivePair()
    let octets = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 5 >> 1) })
    let server = try WebServer(octets)
    let found = try #require(URL(string: "http://127.0.0.1:\(server.port)/file"))
    async let ending = pair.send(found)
    let file = try #require(await pair.file())
    #expect(try Data(contentsOf: file.url) == octets)
    #expect(await ending == .well)
    let missing = try #require(URL(string: "http://127.0.0.1:\(server.port)/missing"))
    #expect(await pair.send(missing) == .failed(.unavailable))
    pair.first.disconnect()
    #expect(await pair.send(found) == .failed(.notConnected))
  }

  /// Runs blocking code outside the threads of tests.
  private static func onThread<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread { continuation.resume(returning: body()) }
    }
  }
}

/// Two sessions that are connected over loopback, without discovery.
private final class LivePair: @unchecked Sendable {
  // Used by one test, one call after another.
  let first = MCSession(peer: MCPeerID(displayName: "first"))
  let second = MCSession(peer: MCPeerID(displayName: "second"))
  private var events: AsyncStream<MCSession.Event>.Iterator

  struct Ended: Error {}

  init() async throws {
    let opening = first.events
    events = second.events.makeAsyncIterator()
    let toSecond = try await first.nearbyConnectionData(forPeer: second.myPeerID)
    let toFirst = try await second.nearbyConnectionData(forPeer: first.myPeerID)
    first.connectPeer(second.myPeerID, withNearbyConnectionData: toFirst)
    second.connectPeer(first.myPeerID, withNearbyConnectionData: toSecond)
    for await event in opening {
      if case .stateChanged(_, .connected) = event { return }
      if case .stateChanged(_, .notConnected) = event { throw Ended() }
    }
  }

  /// The next stream that the second session receives.
  func stream() async -> InputStream? {
    while let event = await events.next() {
      if case .streamReceived(let stream, name: _, from: _) = event { return stream }
    }
    return nil
  }

  /// The next file.
  func file() async -> MCSession.ReceivedFile? {
    while let event = await events.next() {
      if case .resourceReceived(name: _, from: _, let file) = event { return file }
    }
    return nil
  }

  func send(_ url: URL) async -> Ending {
    await withCheckedContinuation { continuation in
      first.sendResource(at: url, withName: "r", toPeer: second.myPeerID) {
        continuation.resume(returning: Ending($0))
      }
    }
  }
}

/// Serves one file at `/file`.
private final class WebServer: Sendable {
  let port: UInt16
  private let listener: Int32

  struct Failed: Error { let errno: Int32 }

  init(_ octets: Data) throws {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isOpen = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, size) == 0 && listen(listener, 8) == 0 && getsockname(listener, $0, &size) == 0
      }
    }
    guard isOpen else { throw Failed(errno: errno) }
    port = UInt16(bigEndian: address.sin_port)
    self.listener = listener
    Thread.detachNewThread { Self.serve(listener, octets) }
  }

  deinit { shutdown(listener, Int32(SHUT_RDWR)) }

  private static func serve(_ listener: Int32, _ octets: Data) {
    while case let client = accept(listener, nil, nil), client >= 0 {
      var buffer = [UInt8](repeating: 0, count: 4096)
      var request = ""
      while !request.contains("\r\n\r\n"), case let count = read(client, &buffer, buffer.count), count > 0 {
        request += String(decoding: buffer[..<count], as: UTF8.self)
      }
      let isFile = request.hasPrefix("GET /file ")
      let body = isFile ? octets : Data("no".utf8)
      let head =
        "HTTP/1.1 \(isFile ? "200 OK" : "404 Not Found")\r\nContent-Length: \(body.count)\r\n"
        + "Connection: close\r\n\r\n"
      var left = ArraySlice(Data(head.utf8) + body)
      while !left.isEmpty {
        let count = left.withUnsafeBytes { send(client, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        guard count > 0 else { break }
        left = left.dropFirst(count)
      }
      close(client)
    }
    close(listener)
  }
}
