import Foundation
import NearbyRadioLinks
import Synchronization
import TestSupport
import Testing

/// Collects what a link delivers.
final class LinkReceiver: Sendable {
  enum Event: Equatable { case octets([UInt8]), closed(LinkError?) }
  private let stream: AsyncStream<Event>
  private let continuation: AsyncStream<Event>.Continuation

  init(_ link: any UCILink) {
    (stream, continuation) = AsyncStream.makeStream()
    let continuation = continuation
    link.start(
      onReceive: { continuation.yield(.octets($0)) },
      onClose: {
        continuation.yield(.closed($0))
        continuation.finish()
      })
  }

  /// The octets received until there are `count`, however they were divided.
  func octets(_ count: Int) async -> [UInt8] {
    var result: [UInt8] = []
    for await event in stream {
      if case .octets(let octets) = event { result += octets } else { return result }
      if result.count >= count { return result }
    }
    return result
  }

  /// How the link ended. Octets before that are dropped.
  func end() async -> LinkError?? {
    for await event in stream { if case .closed(let error) = event { return .some(error) } }
    return nil
  }
}

/// A connected pair of sockets over the loopback interface.
func loopbackSockets(host: String = "127.0.0.1") throws -> (client: Int32, server: Int32) {
  let (listener, port) = try TCPSockets.listen(host: host, port: 0)
  defer { close(listener) }
  let client = try TCPSockets.connect(host: host, port: port, timeout: .seconds(5))
  var entry = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
  poll(&entry, 1, 5000)
  return (client, try #require(try TCPSockets.accept(from: listener)))
}

/// A connected pair of links over the loopback interface.
private func loopbackPair(queueLimit: Int = DescriptorLink.standardQueueLimit, host: String = "127.0.0.1")
  throws -> (DescriptorLink, DescriptorLink)
{
  let (client, server) = try loopbackSockets(host: host)
  return (
    DescriptorLink(descriptor: client, queueLimit: queueLimit), DescriptorLink(descriptor: server)
  )
}

@Suite("Radio links", .ownThreads)
struct LinksTests {
  @Test(
    "Radio addresses are parsed",
    arguments: [
      ("tcp:localhost:7000", RadioAddress.tcp(host: "localhost", port: 7000)),
      ("tcp:[::1]:65535", .tcp(host: "::1", port: 65535)),
      ("serial:/dev/ttyACM0", .serial(device: "/dev/ttyACM0", baud: 115_200)),
      ("serial:/dev/ttyUSB1@3000000", .serial(device: "/dev/ttyUSB1", baud: 3_000_000)),
      ("serial:\u{600}@9600", .serial(device: "\u{600}", baud: 9600)),
    ])
  func readsAddress(text: String, address: RadioAddress) throws {
    #expect(try RadioAddress(text) == address)
    #expect(try RadioAddress(address.description) == address)
  }

  @Test(
    "The error for an address says what is wrong and what was expected",
    arguments: [
      ("usb:1", "usb:1", "tcp:HOST:PORT or serial:DEVICE[@BAUD]"),
      ("tcp:host", "host", "HOST:PORT"), ("tcp::7000", ":7000", "a host before the port"),
      ("tcp:host:0", "0", "a port from 1 to 65535"), ("tcp:host:65536", "65536", "a port from 1 to 65535"),
      ("tcp:host:+1", "+1", "a port from 1 to 65535"), ("tcp:host:", "", "a port from 1 to 65535"),
      ("tcp:::1:7000", "::1", "an IPv6 host in brackets, as in [::1]:7000"),
      ("serial:", "serial:", "a device such as serial:/dev/ttyACM0"),
      ("serial:/dev/x@fast", "fast", "a baud rate from 50 to 20000000"),
      ("serial:/dev/x@", "", "a baud rate from 50 to 20000000"),
    ])
  func refusesAddress(text: String, found: String, expected: String) {
    #expect(throws: LinkError.badAddress(found: found, expected: expected)) { try RadioAddress(text) }
  }

  @Test("A link inside the process carries octets both ways and reports when the other end closes")
  func pairLink() async throws {
    let (left, right) = PairLink.pair()
    try left.send([1, 2, 3])
    let rightReceiver = LinkReceiver(right)
    let leftReceiver = LinkReceiver(left)
    #expect(await rightReceiver.octets(3) == [1, 2, 3])
    try right.send([4])
    #expect(await leftReceiver.octets(1) == [4])
    left.close()
    #expect(await rightReceiver.end() == .some(.closedByPeer))
    #expect(await leftReceiver.end() == .some(nil))
    #expect(throws: LinkError.closedByPeer) { try right.send([5]) }
  }

  @Test("A TCP link carries more than a socket buffer holds, in order", arguments: ["127.0.0.1", "::1"])
  func tcpCarriesMuch(host: String) async throws {
    let (client, server) = try loopbackPair(queueLimit: 8 << 20, host: host)
    let sent = (0..<(6 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    for start in stride(from: 0, to: sent.count, by: 60_000) {
      try client.send(Array(sent[start..<min(start + 60_000, sent.count)]))
    }
    _ = LinkReceiver(client)
    let got = await LinkReceiver(server).octets(sent.count)
    #expect(got == sent)
    client.close()
    server.close()
  }

  @Test("A full queue rejects octets and does not end the link")
  func boundedQueue() async throws {
    let (client, server) = try loopbackPair(queueLimit: 8)
    try client.send([1, 2, 3, 4, 5])
    #expect(throws: LinkError.congested(limit: 8)) { try client.send([6, 7, 8, 9]) }
    try client.send([6, 7, 8])
    _ = LinkReceiver(client)
    #expect(await LinkReceiver(server).octets(8) == [1, 2, 3, 4, 5, 6, 7, 8])
    client.close()
    server.close()
  }

  @Test("A close is reported once at both ends, and sending afterwards throws")
  func tcpClose() async throws {
    let (client, server) = try loopbackPair()
    let clientReceiver = LinkReceiver(client)
    let serverReceiver = LinkReceiver(server)
    server.close()
    server.close()
    #expect(await clientReceiver.end() == .some(.closedByPeer))
    #expect(await serverReceiver.end() == .some(nil))
    #expect(throws: LinkError.closedByPeer) { try server.send([1]) }
    #expect(throws: LinkError.closedByPeer) { try client.send([1]) }
  }

  @Test(
    "A listener is reachable only at its own address",
    arguments: [
      ("127.0.0.1", ["127.0.0.2", "::1"]), ("127.0.0.2", ["127.0.0.1"]), ("localhost", ["127.0.0.2", "::1"]),
      ("::", ["127.0.0.1"]), ("0.0.0.0", ["::1"]),
    ])
  func listensNowhereElse(host: String, others: [String]) throws {
    // A machine without IPv6 can't listen on this address.
    if host == "::", HostAddress.ofThisMachine?.contains(where: { $0.description == "::1" }) != true {
      return
    }
    let (listener, port) = try TCPSockets.listen(host: host, port: 0)
    defer { close(listener) }
    close(try TCPSockets.connect(host: host, port: port, timeout: .seconds(5)))
    for other in others {
      #expect(throws: LinkError.self, "\(other)") {
        close(try TCPSockets.connect(host: other, port: port, timeout: .seconds(5)))
      }
    }
  }

  @Test(
    "Listening at another machine's address throws an error that says so",
    arguments: [
      ("192.0.2.1", LinkError.notLocal(host: "192.0.2.1", address: "192.0.2.1")),
      ("224.0.0.1", .notLocal(host: "224.0.0.1", address: "224.0.0.1")),
      ("2001:db8::1", .notLocal(host: "2001:db8::1", address: "2001:db8::1")),
      ("no-such-name.invalid", .unknownHost("no-such-name.invalid")),
      ("0", .badAddress(found: "0", expected: "0.0.0.0 or [::] to listen on every address")),
    ])
  func listensElsewhere(host: String, error: LinkError) {
    #expect(throws: error) { try TCPSockets.listen(host: host, port: 0) }
  }

  @Test("A refused connection throws immediately")
  func refusedConnection() throws {
    // Bound but not listening: no other process can take the port, and connections to it are refused.
    let (holder, port) = try TCPSockets.bind(host: "127.0.0.1", port: 0)
    defer { close(holder) }
    #expect(throws: LinkError.system(call: "connect", errno: ECONNREFUSED)) {
      try TCPSockets.connect(host: "127.0.0.1", port: port, timeout: .seconds(5))
    }
  }

  @Test(
    "A serial link carries every octet unchanged, both ways",
    .enabled(if: PseudoTerminal.isAvailable, "no pseudo-terminals here: mount /dev/pts"),
    arguments: [UInt32(9600), 115_200, 123_456, 3_000_000])
  func serial(baud: UInt32) async throws {
    let terminal = try PseudoTerminal()
    let link = try UCILinks.open(.serial(device: terminal.device, baud: baud), timeout: .seconds(1))
    let receiver = LinkReceiver(link)
    let all = (0...255).map { UInt8($0) }
    try link.send(all)
    #expect(terminal.read(256) == all)
    terminal.write(all)
    #expect(await receiver.octets(256) == all)
    link.close()
    #expect(await receiver.end() == .some(nil))
    terminal.unplug()
  }

  @Test(
    "Any baud rate can be set, even unusual ones",
    .enabled(if: PseudoTerminal.isAvailable, "no pseudo-terminals here: mount /dev/pts"),
    arguments: [UInt32(50), 9600, 250_000, 1_234_567])
  func baud(_ baud: UInt32) throws {
    let terminal = try PseudoTerminal()
    let descriptor = try SerialPort.open(device: terminal.device, baud: baud)
    #expect(try SerialPort.baud(of: descriptor) == baud)
    close(descriptor)
    terminal.unplug()
  }

  @Test(
    "Unplugging a serial device ends the link with an error",
    .enabled(if: PseudoTerminal.isAvailable, "no pseudo-terminals here: mount /dev/pts"))
  func unplugged() async throws {
    let terminal = try PseudoTerminal()
    let link = try UCILinks.open(.serial(device: terminal.device, baud: 115_200), timeout: .seconds(1))
    let receiver = LinkReceiver(link)
    terminal.unplug()
    #expect(await receiver.end() == .some(.closedByPeer))
  }

  @Test(
    "A serial device can be opened by one program at a time",
    .enabled(if: PseudoTerminal.isAvailable, "no pseudo-terminals here: mount /dev/pts"))
  func exclusive() throws {
    let terminal = try PseudoTerminal()
    let first = try SerialPort.open(device: terminal.device, baud: 115_200)
    #expect(throws: LinkError.busy(device: terminal.device)) {
      try SerialPort.open(device: terminal.device, baud: 115_200)
    }
    close(first)
    terminal.unplug()
  }

  @Test("The error for a missing or unsuitable serial device says what is wrong")
  func wrongDevice() {
    #expect(throws: LinkError.system(call: "open", errno: ENOENT)) {
      try SerialPort.open(device: "/dev/no-such-radio", baud: 115_200)
    }
    #expect(throws: LinkError.notATerminal(device: "/dev/null")) {
      try SerialPort.open(device: "/dev/null", baud: 115_200)
    }
  }
}
