import Foundation
import NearbyChipTools
import NearbyRadioLinks
import NearbySimulator
import NearbyUCI
import Synchronization
import TestSupport
import Testing

/// A minimal UCI host on a blocking socket, like a script.
private final class ScriptHost {
  struct Ended: Error {}
  private let descriptor: Int32
  private var buffer: [UInt8] = []
  private var notifications: [[UInt8]] = []

  init(port: UInt16) throws {
    descriptor = try TCPSockets.connect(host: "127.0.0.1", port: port, timeout: .seconds(5))
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK)
    var limit = timeval(tv_sec: 20, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
  }

  deinit { if !isReset { close(descriptor) } }

  private var isReset = false

  /// Ends the connection with an RST.
  func abort() {
    isReset = true
    reset(descriptor)
  }

  func write(_ octets: [UInt8]) {
    var sent = 0
    while sent < octets.count {
      let count = octets.withUnsafeBytes { raw in
        raw.baseAddress.map {
          Foundation.send(descriptor, $0 + sent, octets.count - sent, Int32(MSG_NOSIGNAL))
        } ?? -1
      }
      guard count > 0 else { return }
      sent += count
    }
  }

  /// Sends as much as the sockets accept without blocking.
  func flood(_ octets: [UInt8]) -> Bool {
    octets.withUnsafeBytes { raw in
      send(descriptor, raw.baseAddress, octets.count, Int32(MSG_DONTWAIT)) >= 0 || errno == EAGAIN
    }
  }

  func packet() throws -> [UInt8] {
    while buffer.count < 4 || buffer.count < 4 + Int(buffer[3]) {
      var chunk = [UInt8](repeating: 0, count: 4096)
      let count = read(descriptor, &chunk, chunk.count)
      guard count > 0 else { throw Ended() }
      buffer += chunk[..<count]
    }
    let packet = Array(buffer[..<(4 + Int(buffer[3]))])
    buffer.removeFirst(packet.count)
    return packet
  }

  /// Sends a command and returns its response's payload. Notifications before the response are kept.
  func command(_ group: UInt8, _ opcode: UInt8, _ payload: [UInt8] = []) throws -> [UInt8] {
    write([0x20 | group, opcode, 0, UInt8(payload.count)] + payload)
    while true {
      let packet = try packet()
      if packet[0] == 0x40 | group, packet[1] == opcode { return Array(packet[4...]) }
      notifications.append(packet)
    }
  }

  /// The payload of the next notification of this kind.
  func notification(_ group: UInt8, _ opcode: UInt8) throws -> [UInt8] {
    while true {
      if let index = notifications.firstIndex(where: { $0[0] == 0x60 | group && $0[1] == opcode }) {
        return Array(notifications.remove(at: index)[4...])
      }
      notifications.append(try packet())
    }
  }

  /// Brings the chip up, opens a two-way session, and returns its token.
  func openSession(own: UInt8, peer: UInt8, isInitiator: Bool) throws -> [UInt8] {
    #expect(try command(0, 0, [0]) == [0])
    let opened = try command(1, 0, [42, 0, 0, 0, 0])
    #expect(opened[0] == 0)
    let token = opened.count >= 5 ? Array(opened[1...4]) : [42, 0, 0, 0]
    let role: UInt8 = isInitiator ? 1 : 0
    let parameters: [[UInt8]] = [
      [0x26, 1, 0], [0x05, 1, 1], [0x00, 1, role], [0x11, 1, role], [0x01, 1, 2], [0x03, 1, 0],
      [0x22, 1, 1], [0x06, 2, own, 0], [0x07, 2, peer, 0], [0x09, 4, 60, 0, 0, 0], [0x27, 2, 8, 7],
      [0x28, 6, 1, 2, 3, 4, 5, 6],
    ]
    let answer = try command(1, 3, token + [UInt8(parameters.count)] + parameters.joined())
    #expect(answer.first == 0, "SET_APP_CONFIG: \(answer)")
    return token
  }
}

/// A server on a free port, and its reports.
private func serve(
  _ change: (inout ChipServer.Configuration) -> Void = { _ in }
) throws -> (server: ChipServer, port: UInt16, events: AsyncStream<ChipServer.Event>) {
  var configuration = ChipServer.Configuration()
  configuration.port = 0
  change(&configuration)
  let (events, continuation) = AsyncStream.makeStream(of: ChipServer.Event.self)
  let server = ChipServer(configuration) { continuation.yield($0) }
  return (server, try server.start(), events)
}

@Suite("Chips over TCP", .ownThreads)
struct LinksChipServerTests {
  @Test("Two script hosts bring their chips up, open a session and range", arguments: [UCIDialect.v1, .v2])
  func twoHostsRange(dialect: UCIDialect) throws {
    let (server, port, _) = try serve {
      $0.dialect = dialect
      $0.places = .line(spacing: 3)
    }
    defer { server.stop() }
    let initiator = try ScriptHost(port: port)
    let responder = try ScriptHost(port: port)
    let initiatorToken = try initiator.openSession(own: 1, peer: 2, isInitiator: true)
    let responderToken = try responder.openSession(own: 2, peer: 1, isInitiator: false)
    #expect(try initiator.command(0, 2)[1] == (dialect == .v1 ? 1 : 2))
    #expect(try initiator.command(0, 3)[1] > 10)
    #expect(try responder.command(2, 0, responderToken) == [0])
    #expect(try initiator.command(2, 0, initiatorToken) == [0])
    for host in [initiator, responder] {
      var centimetres: [Int] = []
      for _ in 0..<3 {
        let info = try host.notification(2, 0)
        #expect(info.count == 56)
        #expect(info[24] == 1)
        #expect(info[27] == 0, "status of the measurement")
        centimetres.append(Int(info[29]) | Int(info[30]) << 8)
      }
      // As with real radios, one range in two thousand is wrong by metres.
      #expect((250...350).contains(centimetres.sorted()[1]))
    }
    #expect(try initiator.command(2, 1, initiatorToken) == [0])
    #expect(try responder.command(1, 1, responderToken) == [0])
  }

  @Test("With one port per place, a new connection to a port replaces the earlier one")
  func portPerPlace() throws {
    var configuration = ChipServer.Configuration()
    let bodies = (0..<3).map {
      configuration.world.addBody(.standing([0, Double($0), 1.2]), facing: .fixed(Rotation(heading: 0)))
    }
    configuration.places = .radios(bodies.map { configuration.world.addRadio(on: $0) })
    let places = Mutex<[Int]>([])
    let left = DispatchSemaphore(value: 0)
    let server = ChipServer(configuration) { event in
      switch event {
      case .connected(_, let place): places.withLock { $0.append(place) }
      case .left: left.signal()
      case .dropped, .silent, .refused, .refusedMachine, .acceptFailed: break
      }
    }
    let ports = try server.startPortPerPlace()
    defer { server.stop() }
    #expect(Set(ports).count == 3)
    let hosts = try [2, 0, 2].map { place in
      let host = try ScriptHost(port: ports[place])
      // READY: the host has a chip.
      #expect(try host.packet() == [0x60, 0x01, 0x00, 0x01, 0x01])
      return host
    }
    #expect(places.withLock { $0 } == [2, 0, 2])
    #expect(left.wait(timeout: .now() + 60) == .success)
    #expect(throws: ScriptHost.Ended.self) { while true { _ = try hosts[0].packet() } }
    #expect(try hosts[2].command(0, 0, [0]) == [0])
    #expect(try hosts[1].command(0, 0, [0]) == [0])
  }

  @Test("Every client gets READY before it sends anything")
  func saysReady() throws {
    let (server, port, _) = try serve()
    defer { server.stop() }
    #expect(try ScriptHost(port: port).packet() == [0x60, 0x01, 0x00, 0x01, 0x01])
  }

  @Test("Random octets from one client do not affect another", arguments: [UInt64(1), 2, 3])
  func garbage(seed: UInt64) throws {
    let (server, port, _) = try serve()
    defer { server.stop() }
    let hostile = try ScriptHost(port: port)
    let honest = try ScriptHost(port: port)
    var state = seed
    for _ in 0..<200 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let length = Int(state >> 55)
      hostile.write(
        (0..<length).map { UInt8(truncatingIfNeeded: (state &+ UInt64($0) &* 0x9E37_79B9) >> 24) })
    }
    #expect(try honest.command(0, 0, [0]) == [0], "seed \(seed)")
    #expect(try honest.command(0, 2)[0] == 0, "seed \(seed)")
  }

  @Test("A client that does not read is dropped with the reason, and other clients stay connected")
  func slowClient() async throws {
    let (server, port, events) = try serve { $0.queueLimit = 64 * 1024 }
    defer { server.stop() }
    let slow = try ScriptHost(port: port)
    let honest = try ScriptHost(port: port)
    // Its first command, for which a client has 30 s. On a loaded machine the flood may take longer than
    // that.
    #expect(try honest.command(0, 0, [0]) == [0])
    let getCapabilities = (0..<2000).flatMap { _ in [0x20, 0x03, 0x00, 0x00] as [UInt8] }
    slow.write([0x20, 0, 0, 1, 0])
    let flooding = Task.onOwnThread { [slow = UncheckedBox(slow)] in
      while !Task.isCancelled, slow.value.flood(getCapabilities) { await Task.yield() }
    }
    var reason: LinkError?
    for await event in events {
      if case .dropped(let chip, let error) = event {
        #expect(chip == 0)
        reason = error
        break
      }
    }
    flooding.cancel()
    try await flooding.value
    #expect(reason == .congested(limit: 64 * 1024))
    #expect(try honest.command(0, 0, [0]) == [0])
  }

  @Test("Connections over the limit are closed immediately, and a free place is reused")
  func limit() async throws {
    let (server, port, events) = try serve { $0.limit = 1 }
    defer { server.stop() }
    var iterator = events.makeAsyncIterator()
    do {
      let first = try ScriptHost(port: port)
      #expect(await iterator.next() == .connected(chip: 0, place: 0))
      let second = try ScriptHost(port: port)
      #expect(throws: ScriptHost.Ended.self) { try second.packet() }
      #expect(await iterator.next() == .refused(limit: 1))
      #expect(try first.packet().count == 5)
    }
    #expect(await iterator.next() == .left(chip: 0))
    let third = try ScriptHost(port: port)
    #expect(await iterator.next() == .connected(chip: 1, place: 0))
    #expect(try third.packet().count == 5)
  }

  @Test(
    "A connection that ends frees its place, by RST or FIN, with or without unread octets",
    .timeLimit(.minutes(4)),
    arguments: [true, false], [0, 5, 60_000])
  func ends(isReset: Bool, unread: Int) async throws {
    let (server, port, events) = try serve { $0.limit = 1 }
    defer { server.stop() }
    var iterator = events.makeAsyncIterator()
    for chip in 0..<20 {
      let host = try ScriptHost(port: port)
      #expect(await iterator.next() == .connected(chip: chip, place: 0))
      // Repeat CORE_GET_DEVICE_INFO without ever reading the responses.
      let commands = (0..<(unread + 3) / 4).flatMap { _ in [0x20, 0x02, 0x00, 0x00] as [UInt8] }
      host.write(Array(commands.prefix(unread)))
      if isReset { host.abort() } else { withExtendedLifetime(host) {} }
      _ = consume host
      #expect(await iterator.next() == .left(chip: chip))
    }
    #expect(try ScriptHost(port: port).command(0, 0, [0]) == [0])
  }

  @Test("One computer's connections are limited, and a new one is accepted after one has ended")
  func limitPerMachine() async throws {
    let (server, port, events) = try serve { $0.limitPerMachine = 2 }
    defer { server.stop() }
    var iterator = events.makeAsyncIterator()
    let first = try ScriptHost(port: port)
    let second = try ScriptHost(port: port)
    let third = try ScriptHost(port: port)
    #expect(throws: ScriptHost.Ended.self) { try third.packet() }
    first.abort()
    var left: [ChipServer.Event] = []
    for _ in 0..<4 { if let event = await iterator.next() { left.append(event) } }
    #expect(left.contains(.refusedMachine(limit: 2)))
    #expect(left.contains(.left(chip: 0)))
    #expect(try ScriptHost(port: port).command(0, 0, [0]) == [0])
    #expect(try second.command(0, 0, [0]) == [0])
  }

  @Test("By default another computer may open a quarter of the connections, and this one all of them")
  func standardLimits() {
    var configuration = ChipServer.Configuration()
    configuration.limit = 64
    #expect(configuration.limit(for: PeerHost(address: [127, 0, 0, 1])) == 64)
    #expect(configuration.limit(for: PeerHost(address: [10, 0, 0, 1])) == 16)
    configuration.limit = 2
    #expect(configuration.limit(for: PeerHost(address: [10, 0, 0, 1])) == 1)
    configuration.limitPerMachine = 9
    #expect(configuration.limit(for: PeerHost(address: [10, 0, 0, 1])) == 2)
  }

  @Test("A connection without a complete command is dropped after the limit; one that sent a command stays")
  func silence() async throws {
    let limit = Duration.milliseconds(300)
    let (server, port, events) = try serve { $0.commandLimit = limit }
    defer { server.stop() }
    let honest = try ScriptHost(port: port)
    #expect(try honest.command(0, 0, [0]) == [0])
    let silent = try ScriptHost(port: port)
    let unfinished = try ScriptHost(port: port)
    unfinished.write([0x20, 0, 0])
    for host in [silent, unfinished] {
      #expect(throws: ScriptHost.Ended.self) { while true { _ = try host.packet() } }
    }
    var dropped: [ChipServer.Event] = []
    for await event in events {
      if case .silent = event { dropped.append(event) }
      if dropped.count == 2 { break }
    }
    #expect(dropped == [.silent(chip: 1, limit), .silent(chip: 2, limit)])
    #expect(try honest.command(0, 2)[0] == 0)
  }

  @Test("Stopping closes every connection and frees the port")
  func stopping() throws {
    let (server, port, _) = try serve()
    let host = try ScriptHost(port: port)
    #expect(try host.packet().count == 5)
    server.stop()
    #expect(throws: ScriptHost.Ended.self) { try host.packet() }
    server.stop()
  }

  @Test("A port in use is an error")
  func takenPort() throws {
    let (server, port, _) = try serve()
    defer { server.stop() }
    #expect(throws: LinkError.inUse(address: "127.0.0.1:\(port)")) {
      _ = try serve { $0.port = port }
    }
  }
}

/// `@unchecked Sendable`: `flood` is the only call from the other task, on a socket that nothing reads.
private struct UncheckedBox<Value>: @unchecked Sendable {
  let value: Value
  init(_ value: Value) { self.value = value }
}
