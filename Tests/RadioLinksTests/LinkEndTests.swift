import Foundation
import NearbyRadioLinks
import Synchronization
import TestSupport
import Testing

/// Writes all octets, waiting for room.
private func write(_ octets: [UInt8], to descriptor: Int32) {
  var sent = 0
  while sent < octets.count {
    let count = octets.withUnsafeBytes { raw in
      raw.baseAddress.map { send(descriptor, $0 + sent, raw.count - sent, Int32(MSG_NOSIGNAL)) } ?? -1
    }
    if count > 0 { sent += count } else if errno != EAGAIN { return }
    var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    poll(&entry, 1, 5000)
  }
}

/// A link that only counts calls.
private final class CountingLink: UCILink {
  let calls = Mutex<[String]>([])
  func start(
    onReceive: @escaping @Sendable ([UInt8]) -> Void, onClose: @escaping @Sendable (LinkError?) -> Void
  ) {}
  func send(_ octets: [UInt8]) throws(LinkError) {}
  func pauseReading() { calls.withLock { $0.append("pause") } }
  func resumeReading() { calls.withLock { $0.append("resume") } }
  func close() {}
}

@Suite("Ends and pauses of links", .ownThreads)
struct LinkEndTests {
  /// More than a link reads at a time, and less than the sockets hold.
  private static let much: [UInt8] = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 17) }

  @Test("An orderly end is reported after all octets that were sent before it")
  func endBehindOctets() async throws {
    let (client, server) = try loopbackSockets()
    let link = DescriptorLink(descriptor: server)
    let sending = Task.onOwnThread {
      write(Self.much, to: client)
      close(client)
    }
    let receiver = LinkReceiver(link)
    #expect(await receiver.octets(Self.much.count) == Self.much)
    #expect(await receiver.end() == .some(.closedByPeer))
    try await sending.value
  }

  @Test(
    "Octets sent and a close before the link starts are delivered once it starts", arguments: [0, 1, 40_000])
  func earlyEnd(count: Int) async throws {
    let (client, server) = try loopbackSockets()
    write(Array(Self.much.prefix(count)), to: client)
    close(client)
    let receiver = LinkReceiver(DescriptorLink(descriptor: server))
    #expect(await receiver.octets(count + 1) == Array(Self.much.prefix(count)))
  }

  @Test("A reset ends the link, with or without octets before it", arguments: [0, 1, 40_000])
  func resetEnds(count: Int) async throws {
    let (client, server) = try loopbackSockets()
    write(Array(Self.much.prefix(count)), to: client)
    reset(client)
    #expect(await LinkReceiver(DescriptorLink(descriptor: server)).end() == .some(.closedByPeer))
  }

  @Test("A reset ends an idle link")
  func lateReset() async throws {
    let (client, server) = try loopbackSockets()
    let receiver = LinkReceiver(DescriptorLink(descriptor: server))
    write([1], to: client)
    #expect(await receiver.octets(1) == [1])
    reset(client)
    #expect(await receiver.end() == .some(.closedByPeer))
  }

  @Test("Octets that a peer sent before its reset arrive although sending to it fails")
  func lastWords() async throws {
    let (client, server) = try loopbackSockets()
    let link = DescriptorLink(descriptor: server)
    write([1, 2, 3], to: client)
    reset(client)
    try link.send([9])
    #expect(await LinkReceiver(link).octets(3) == [1, 2, 3])
  }

  @Test("A peer that has closed its sending direction still receives answers")
  func halfClosed() async throws {
    let (client, server) = try loopbackSockets()
    let link = DescriptorLink(descriptor: server)
    write([7], to: client)
    shutdown(client, Int32(SHUT_WR))
    link.start(onReceive: { try? link.send($0 + [8]) }, onClose: { _ in })
    let answer = await LinkReceiver(DescriptorLink(descriptor: client)).octets(3)
    #expect(answer == [7, 8])
  }

  @Test("A paused link delivers nothing; after resuming it delivers everything in order, and the end")
  func pausing() async throws {
    let (client, server) = try loopbackSockets()
    let link = DescriptorLink(descriptor: server)
    let paused = AsyncStream<Void>.makeStream()
    let received = Mutex<[UInt8]>([])
    let ended = AsyncStream<LinkError?>.makeStream()
    link.start(
      onReceive: { octets in
        // Repeatedly: nothing may be delivered between a pause and the resume.
        link.pauseReading()
        received.withLock { $0 += octets }
        paused.continuation.yield()
      }, onClose: { ended.continuation.yield($0) })
    let sending = Task.onOwnThread {
      write(Self.much, to: client)
      close(client)
    }
    var pauses = 0
    for await _ in paused.stream {
      pauses += 1
      let count = received.withLock { $0.count }
      #expect(count <= pauses * 16 * 1024)
      link.resumeReading()
      if count == Self.much.count { break }
    }
    for await error in ended.stream {
      #expect(error == .closedByPeer)
      break
    }
    #expect(received.withLock { $0 } == Self.much)
    try await sending.value
  }

  @Test("A paused link blocks the sender, and a reset still ends it")
  func resetWhilePaused() async throws {
    let (client, server) = try loopbackSockets()
    let link = DescriptorLink(descriptor: server)
    let count = Mutex(0)
    let ended = AsyncStream<LinkError?>.makeStream()
    link.pauseReading()
    link.start(
      onReceive: { octets in count.withLock { $0 += octets.count } },
      onClose: { ended.continuation.yield($0) })
    // Fill the sockets' buffers until no more octets can be sent.
    while Self.much.withUnsafeBytes({ send(client, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }) > 0 {}
    #expect(errno == EAGAIN)
    reset(client)
    for await error in ended.stream {
      #expect(error == .closedByPeer)
      break
    }
    #expect(count.withLock { $0 } == 0)
  }

  @Test("A link inside the process queues octets up to its limit while the receiver is paused")
  func pausedPair() async throws {
    let (left, right) = PairLink.pair()
    right.pauseReading()
    let chunk = [UInt8](repeating: 5, count: 1024)
    var sent = 0
    #expect(throws: LinkError.congested(limit: DescriptorLink.standardQueueLimit)) {
      while true {
        try left.send(chunk)
        sent += chunk.count
      }
    }
    #expect(sent == DescriptorLink.standardQueueLimit)
    let receiver = LinkReceiver(right)
    right.resumeReading()
    #expect(await receiver.octets(sent).count == sent)
    left.close()
  }

  @Test("A window pauses above its limit and resumes at half of it, once each")
  func window() {
    let link = CountingLink()
    let window = ReceiveWindow(link, limit: 100)
    window.add(100)
    #expect(link.calls.withLock { $0 }.isEmpty)
    window.add(1)
    window.add(50)
    window.remove(100)
    #expect(link.calls.withLock { $0 } == ["pause"])
    window.remove(1)
    window.remove(50)
    #expect(link.calls.withLock { $0 } == ["pause", "resume"])
    #expect(window.waiting == 0)
  }

  @Test("A host is identified by its IPv4 address or the network half of its IPv6 address")
  func machines() {
    func v6(_ first: UInt8, _ last: UInt8) -> [UInt8] {
      [0x20, 1, first] + [UInt8](repeating: 0, count: 12) + [last]
    }
    let mapped: [UInt8] = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]
    #expect(PeerHost(address: [10, 0, 0, 1]) != PeerHost(address: [10, 0, 0, 2]))
    #expect(PeerHost(address: mapped + [10, 0, 0, 1]) == PeerHost(address: [10, 0, 0, 1]))
    #expect(PeerHost(address: v6(1, 1)) == PeerHost(address: v6(1, 2)))
    #expect(PeerHost(address: v6(1, 1)) != PeerHost(address: v6(2, 1)))
    #expect(PeerHost(address: [127, 1, 2, 3]).isLoopback)
    #expect(PeerHost(address: mapped + [127, 0, 0, 1]).isLoopback)
    #expect(PeerHost(address: [UInt8](repeating: 0, count: 15) + [1]).isLoopback)
    #expect(!PeerHost(address: v6(1, 1)).isLoopback)
    #expect(!PeerHost(address: [10, 0, 0, 127]).isLoopback)
  }

  @Test("The host at the other end is identified by its address")
  func peer() throws {
    let (client, server) = try loopbackSockets()
    #expect(TCPSockets.peer(of: server) == PeerHost(address: [127, 0, 0, 1]))
    close(client)
    close(server)
  }
}
