import Foundation
import NearbyRadioLinks
import NearbyWorld
import NearbyWorldProtocol

/// The connections of a stepped world's programs. Nothing here waits: the world asks when all programs do.
struct SteppedConnections: ~Copyable {
  private struct Connection {
    let descriptor: Int32
    var reader = WorldFrameReader(payloadLimit: DeviceHello.longestPayload)
    var unsent: [UInt8] = []
    /// Whether its first frame has arrived.
    var hasGreeted = false
  }

  /// Octets that may wait to be read by a program; `Docs/world-protocol.md` §5.
  private static let queueLimit = 1 << 20
  /// Connections at once. Beyond it the oldest one without a first frame is closed to make room.
  private static let most = 256
  /// Connections that are accepted, and reads of each one, before the programs' output and time have their turn.
  private static let turnLimit = 64

  private let listener: Int32
  private var connections: [WorldClient: Connection] = [:]
  private var made = 0
  /// Dropped, which the world does not know yet.
  private var gone: [WorldClient] = []
  /// Reasons for which connections were dropped, for the person.
  private var troubles: [String] = []
  private var hellos: [DeviceHello] = []

  /// - Parameter listener: A listening socket that does not wait. Belongs to this value from now on.
  init(listener: Int32) { self.listener = listener }

  deinit {
    for connection in connections.values { close(connection.descriptor) }
    close(listener)
  }

  /// Accepts, and passes what has arrived to the world, one connection after the other in the order in which they were
  /// made. Returns whether there was anything, so that programs may have been woken.
  mutating func receive(into world: inout HostedWorld) -> Bool {
    for client in gone { world.left(client) }
    var hasMoved = !gone.isEmpty
    gone = []
    if accept() { hasMoved = true }
    for client in connections.keys.sorted() {
      for _ in 0..<Self.turnLimit {
        guard let octets = read(client) else { break }
        hasMoved = true
        receive(octets, from: client, &world)
      }
    }
    return hasMoved
  }

  /// Sends the world's messages. Returns whether there were any.
  mutating func send(_ actions: [HostedWorld.Action]) -> Bool {
    var closing: [WorldClient] = []
    for action in actions {
      switch action {
      case .send(let message, to: let client, at: let time):
        guard connections[client] != nil else { continue }
        message.frame(at: time).write(to: &connections[client, default: Connection(descriptor: -1)].unsent)
      case .sendBare: continue
      case .close(let client, let reason):
        note(reason)
        closing.append(client)
      }
    }
    for client in connections.keys.sorted() { flush(client) }
    for client in closing { drop(client) }
    return !actions.isEmpty
  }

  /// The programs that have asked to join since the last call.
  mutating func takeHellos() -> [DeviceHello] {
    defer { hellos = [] }
    return hellos
  }

  mutating func takeTroubles() -> [String] {
    defer { troubles = [] }
    return troubles
  }

  // MARK: One connection

  private mutating func accept() -> Bool {
    var hasAccepted = false
    for _ in 0..<Self.turnLimit {
      // Another failure than "nothing waits" is met again next time.
      guard let descriptor = try? TCPSockets.accept(from: listener) else { break }
      hasAccepted = true
      if connections.count >= Self.most, !makeRoom() {
        close(descriptor)
        continue
      }
      made += 1
      connections[WorldClient(number: made)] = Connection(descriptor: descriptor)
    }
    return hasAccepted
  }

  /// Drops the oldest connection without a first frame. Returns whether there was one.
  private mutating func makeRoom() -> Bool {
    guard let oldest = connections.filter({ !$0.value.hasGreeted }).keys.min() else { return false }
    drop(oldest)
    return true
  }

  /// The next octets of a connection; `nil` if none wait. A connection that has ended is dropped.
  private mutating func read(_ client: WorldClient) -> [UInt8]? {
    guard let descriptor = connections[client]?.descriptor else { return nil }
    let octets = withUnsafeTemporaryAllocation(byteCount: 65_536, alignment: 1) { buffer -> [UInt8]? in
      while true {
        let count = Foundation.read(descriptor, buffer.baseAddress, buffer.count)
        if count >= 0 { return Array(buffer.prefix(count)) }
        if errno == EAGAIN { return nil }
        if errno != EINTR { return [] }
      }
    }
    guard let octets, octets.isEmpty else { return octets }
    drop(client)
    return nil
  }

  private mutating func receive(
    _ octets: [UInt8], from client: WorldClient, _ world: inout HostedWorld
  ) {
    connections[client]?.reader.append(octets)
    do throws(WorldProtocolError) {
      while let frame = try next(client) {
        connections[client]?.reader.payloadLimit = WorldFrame.maximumPayload
        connections[client]?.hasGreeted = true
        let message = try DeviceMessage(frame)
        if case .hello(let hello) = message { hellos.append(hello) }
        world.received(message, from: client)
      }
    } catch {
      note("bad frame: \(error)")
      drop(client)
    }
  }

  /// Strangers may cause any number of troubles; the person needs the first ones.
  private mutating func note(_ trouble: String) {
    if troubles.count < Self.turnLimit { troubles.append(trouble) }
  }

  private mutating func next(_ client: WorldClient) throws(WorldProtocolError) -> WorldFrame? {
    guard var connection = connections.removeValue(forKey: client) else { return nil }
    defer { connections[client] = connection }
    return try connection.reader.next()
  }

  /// Sends as much as there is room for. A program that does not read is dropped at the limit.
  private mutating func flush(_ client: WorldClient) {
    guard var connection = connections[client], !connection.unsent.isEmpty else { return }
    var sent = 0
    while sent < connection.unsent.count {
      let count = connection.unsent.withUnsafeBytes { octets in
        Foundation.send(
          connection.descriptor, octets.baseAddress.map { $0 + sent }, octets.count - sent,
          Int32(MSG_NOSIGNAL))
      }
      if count > 0 { sent += count } else if errno != EINTR { break }
    }
    connection.unsent.removeFirst(sent)
    let isTooMuch = connection.unsent.count > Self.queueLimit
    connections[client] = connection
    if isTooMuch {
      note("a program left more than \(Self.queueLimit) octets unread")
      drop(client)
    }
  }

  private mutating func drop(_ client: WorldClient) {
    guard let connection = connections.removeValue(forKey: client) else { return }
    close(connection.descriptor)
    gone.append(client)
  }
}
