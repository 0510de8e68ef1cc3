import Foundation
import Synchronization
import TestSupport

@testable import NearbyEventLoop
@testable import NearbyPeerNetwork

/// Relays the datagrams of two associations, and does to them what networks and attackers do.
final class DatagramRelay: Sendable {
  enum Direction: Sendable { case toServer, toClient }
  /// Maps a datagram to those that are forwarded in its place, in order.
  typealias Policy = @Sendable (Direction, [UInt8]) -> [[UInt8]]

  /// The sockets that receive from the client and from the server.
  private let clientSide: Int32
  private let serverSide: Int32
  /// A box, because a bare closure in a generic context would be wrapped once more on each read.
  private struct Box: Sendable { var policy: Policy }
  private let box: Mutex<Box>
  private let isEnded = Atomic<Bool>(false)

  init(_ policy: @escaping Policy) throws {
    box = Mutex(Box(policy: policy))
    clientSide = try Sockets.datagrams(at: .loopback(port: 0))
    serverSide = try Sockets.datagrams(at: .loopback(port: 0))
  }

  deinit {
    close(clientSide)
    close(serverSide)
  }

  /// Ends the relay's thread.
  func stop() { isEnded.store(true, ordering: .relaxed) }

  /// The address that the client uses for the server.
  var placeForClient: SocketAddress { Sockets.localAddress(of: clientSide) ?? .loopback(port: 0) }
  var placeForServer: SocketAddress { Sockets.localAddress(of: serverSide) ?? .loopback(port: 0) }

  func join(clientPort: UInt16, serverPort: UInt16) throws {
    try Sockets.join(clientSide, to: .loopback(port: clientPort))
    try Sockets.join(serverSide, to: .loopback(port: serverPort))
    Thread.detachNewThread { [self] in
      while !isEnded.load(ordering: .relaxed) {
        var descriptors = [
          pollfd(fd: clientSide, events: Int16(POLLIN), revents: 0),
          pollfd(fd: serverSide, events: Int16(POLLIN), revents: 0),
        ]
        poll(&descriptors, 2, 50)
        pass(.toServer)
        pass(.toClient)
      }
    }
  }

  func change(_ policy: @escaping Policy) { box.withLock { $0.policy = policy } }

  /// Injects a datagram that seems to come from the other side.
  func inject(_ octets: [UInt8], _ direction: Direction) {
    _ = send(direction == .toServer ? serverSide : clientSide, octets, octets.count, 0)
  }

  private func pass(_ direction: Direction) {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let source = direction == .toServer ? clientSide : serverSide
    while case let count = recv(source, &buffer, buffer.count, 0), count >= 0 {
      let policy = box.withLock { $0 }.policy
      for octets in policy(direction, Array(buffer[..<count])) { inject(octets, direction) }
    }
  }
}

/// Two ends of an association with a relay between them.
final class RelayedPair: Sendable {
  /// An association and what it has received. It lives on its loop.
  final class Side: @unchecked Sendable {
    let received = Journal<[UInt8]>()
    let opened = Journal<Int>()
    fileprivate let loop: EventLoop
    /// Used only on the loop's thread.
    fileprivate var association: DatagramAssociation?

    fileprivate init(_ loop: EventLoop) { self.loop = loop }

    fileprivate func make(isClient: Bool, key: [UInt8]) async throws -> UInt16 {
      try await on { [self] in
        let made = try DatagramAssociation(
          loop: loop, local: .loopback(port: 0), isClient: isClient, key: key,
          opened: { [opened] in opened.add($0) }, receive: { [received] in received.add($0.array) })
        association = made
        return made.port
      }
    }

    fileprivate func open(to place: SocketAddress) async throws {
      try await on { [self] in try association?.open(to: place) }
    }

    func send(_ octets: [UInt8]) {
      loop.perform { [self] in try? association?.send(octets) }
    }

    fileprivate func on<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws
      -> Result
    {
      try await withCheckedThrowingContinuation { continuation in
        loop.perform { continuation.resume(with: Swift.Result { try body() }) }
      }
    }
  }

  let client: Side
  let server: Side
  let relay: DatagramRelay
  private let loop: EventLoop

  init(_ policy: @escaping DatagramRelay.Policy) async throws {
    loop = try EventLoop(label: "relayed pair")
    client = Side(loop)
    server = Side(loop)
    relay = try DatagramRelay(policy)
    let key = (0..<32).map { _ in UInt8.random(in: .min ... .max) }
    try relay.join(
      clientPort: try await client.make(isClient: true, key: key),
      serverPort: try await server.make(isClient: false, key: key))
    try await server.open(to: relay.placeForServer)
    try await client.open(to: relay.placeForClient)
  }

  deinit {
    relay.stop()
    for side in [client, server] { loop.perform { side.association?.close() } }
    loop.stop()
  }

  /// Sends in both directions until one datagram has arrived in each; others may be lost.
  func expectPassage(_ octets: [UInt8]) async throws {
    for (from, to) in [(client, server), (server, client)] {
      try await to.received.until({ $0.contains(octets) }, repeating: { from.send(octets) })
    }
  }
}
