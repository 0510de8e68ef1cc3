import Foundation
import NearbyPeerNetwork
import TestSupport
import Testing

@Suite(
  "Machines connected by virtual cables",
  .needs(.ip), .enabled(if: Namespaces.areAllowed, "network namespaces are not permitted here: run as root"),
  .tags(.slow), .ownThreads)
struct NamespaceTests {
  @Test(
    "Without a daemon two machines find each other and connect; addresses follow a link that goes down and up"
  )
  func embedded() async throws {
    let wire = try Namespaces(wires: 2)
    let type = DiscoveryTests.freshType()
    let server = try await wire.inside(wire.left) { try End() }
    let (left, _) = try await wire.inside(wire.left) { try DiscoveryTests.discovery() }
    let (right, told) = try await wire.inside(wire.right) { try DiscoveryTests.discovery() }
    defer {
      left.stop()
      right.stop()
    }
    try right.browse(type)
    _ = try left.register(Service(name: "left", type: type), text: ServiceText(), port: server.port)
    let addresses: [SocketAddress] = try await told.first { $0.services.first?.addresses }
    let client = try await wire.inside(wire.right) { try End(listens: false) }
    let channel = try await client.endpoint.connect(to: addresses)
    #expect(channel.credentials?.fingerprint == server.identity.fingerprint)
    channel.close()

    try await told.until { $0.hasAddresses(["10.99.0.1", "10.99.1.1"]) }
    Spawning.shell("ip -n \(wire.right) link set w0 down")
    try await told.until { $0.last { $0.isView }?.addresses.contains("10.99.0.1") == false }
    Spawning.shell("ip -n \(wire.right) link set w0 up")
    let count = told.entries.count
    try await told.until { Array($0.dropFirst(count)).hasAddresses(["10.99.0.1", "10.99.1.1"]) }
    #expect(!told.entries.contains(.lost(Service(name: "left", type: type))))
  }

  @Test("When one of two links to a peer goes down, the other is used at once")
  func twoWires() async throws {
    let wire = try Namespaces(wires: 2)
    let type = DiscoveryTests.freshType()
    let peer = try PeerProcess(type, "left", in: wire.left)
    let place = try await peer.place()
    let (right, told) = try await wire.inside(wire.right) { try DiscoveryTests.discovery() }
    defer { right.stop() }
    try right.browse(type)
    try await told.until { $0.hasAddresses(["10.99.0.1", "10.99.1.1"]) }
    let client = try await wire.inside(wire.right) { try End(listens: false) }
    // The dialler has the addresses from before the link went down, in either order.
    let known = try ["10.99.0.1", "10.99.1.1"].map { try SocketAddress(host: $0, port: place.port) }
    let first = try await client.endpoint.connect(to: known)
    #expect(first.remote.host == "10.99.0.1")
    Spawning.shell("ip -n \(wire.left) link set w0 down")
    let second = try await client.endpoint.connect(to: known)
    #expect(second.remote.host == "10.99.1.1")
    #expect(second.credentials?.fingerprint == first.credentials?.fingerprint)
    try await second.expectEcho()
    Spawning.shell("ip -n \(wire.left) link set w0 up; ip -n \(wire.left) link set w1 down")
    let third = try await client.endpoint.connect(to: known.reversed())
    #expect(third.remote.host == "10.99.0.1")
    try await third.expectEcho()
  }

  @Test("Channels and datagrams work with nothing but link-local IPv6")
  func linkLocal() async throws {
    let wire = try Namespaces(wires: 1, hasIPv4: false)
    let type = DiscoveryTests.freshType()
    let server = try await wire.inside(wire.left) { try End() }
    let (left, _) = try await wire.inside(wire.left) { try DiscoveryTests.discovery() }
    let (right, told) = try await wire.inside(wire.right) { try DiscoveryTests.discovery() }
    defer {
      left.stop()
      right.stop()
    }
    try right.browse(type)
    _ = try left.register(Service(name: "left", type: type), text: ServiceText(), port: server.port)
    let addresses: [SocketAddress] = try await told.first { $0.services.first?.addresses }
    #expect(addresses.allSatisfy { $0.isLinkLocal && $0.isIPv6 && $0.scope != 0 })
    let client = try await wire.inside(wire.right) { try End(listens: false) }
    let channel = try await client.endpoint.connect(to: addresses)
    let arrived = try await server.arrival()
    let heard = arrived.record()
    _ = channel.record()
    try channel.send([1, 2, 3])
    try await heard.until { $0.octets == [1, 2, 3] }
    try await channel.sendDatagram([7], until: heard)
  }

  @Test("With nothing but loopback, two processes of a machine find each other and connect")
  func loopbackOnly() async throws {
    let container = try Namespaces(wires: 0)
    let type = DiscoveryTests.freshType()
    let left = try PeerProcess(type, "a", in: container.left)
    let right = try PeerProcess(type, "b", meets: true, in: container.left)
    let place = try await left.place()
    try await left.line("found b other")
    try await right.line("found a other \(place.port)")
    try await right.line("connected \(place.fingerprint) a")
    #expect(try await left.line("arrived") == "arrived \(try await right.place().fingerprint)")
    try await left.finish()
    try await right.line("lost a")
  }

  @Test(
    "Machines with and without Avahi's daemon find each other; when the daemon ends, discovery continues",
    .enabled(
      if: DaemonInNamespace.isUsable, "avahi-daemon or dbus-daemon is not installed, or a sanitizer runs"))
  func daemon() async throws {
    let wire = try Namespaces(wires: 1)
    let daemon = try DaemonInNamespace(wire.left)
    defer { daemon.stop() }
    try daemon.untilReady()
    let type = DiscoveryTests.freshType()
    let leftTold = Journal<DiscoveryEvent>()
    let address = daemon.busAddress
    let left = try await wire.inside(wire.left) {
      setenv("DBUS_SYSTEM_BUS_ADDRESS", address, 1)
      return try ServiceDiscovery { leftTold.add($0) }
    }
    let (right, rightTold) = try await wire.inside(wire.right) { try DiscoveryTests.discovery() }
    defer {
      left.stop()
      right.stop()
    }
    let way: DiscoveryWay = try await leftTold.first { if case .serving(let way) = $0 { way } else { nil } }
    #expect(way == .daemon)
    try left.browse(type)
    try right.browse(type)
    let text = try ServiceText(["key": "value"])
    _ = try left.register(Service(name: "left", type: type), text: text, port: 1)
    _ = try right.register(Service(name: "right", type: type), text: text, port: 2)
    let atLeft = try await leftTold.first { $0.found(named: "right") }
    let atRight = try await rightTold.first { $0.found(named: "left") }
    #expect(atLeft.text == text)
    #expect(atRight.text == text)
    #expect(atLeft.addresses.allSatisfy { $0.port == 2 })
    try await leftTold.until { $0.hasAddresses(["10.99.0.2"]) }
    #expect(try await leftTold.first { $0.found(named: "left") }.isOwn)

    daemon.stop()
    try await leftTold.until { $0.contains(.serving(.embedded)) }
    let count = leftTold.entries.count
    try await leftTold.until { $0.dropFirst(count - 1).contains { $0.found(named: "right") != nil } }
  }
}

extension DiscoveryEvent {
  /// Whether this event reports where a service is.
  var isView: Bool {
    switch self {
    case .found, .changed: true
    default: false
    }
  }

  var services: [FoundService] {
    switch self {
    case .found(let found), .changed(let found): [found]
    default: []
    }
  }

  var addresses: [String] { services.flatMap(\.addresses).map(\.host) }
}

extension Array where Element == DiscoveryEvent {
  func hasAddresses(_ hosts: [String]) -> Bool {
    contains { event in hosts.allSatisfy(event.addresses.contains) }
  }
}
