import Foundation
import NearbyInteraction
import NearbyRadioLinks
import NearbyScenarios
import NearbyWorld
import NearbyWorldProtocol
import TestSupport
import Testing

@Suite("Hostile clients", .ownThreads)
struct HostileClientTests {
  /// A client that sends arbitrary octets.
  private static func connect(_ world: ServedWorld) throws -> DescriptorLink {
    let descriptor = try TCPSockets.connect(host: "127.0.0.1", port: world.port, timeout: .seconds(5))
    return DescriptorLink(descriptor: descriptor)
  }

  private static func isDrop(_ event: WorldServer.Event) -> Bool {
    if case .dropped = event { true } else { false }
  }

  @Test("Random frames end their connection, and do not disturb a ranging pair", arguments: 0..<3)
  func randomFrames(_ seed: UInt64) async throws {
    let world = try ServedWorld()
    let anna = RangingApp(on: try world.join("anna"))
    let ben = RangingApp(on: try world.join("ben"))
    try anna.range(with: ben)
    try ben.range(with: anna)
    #expect(await anna.told.wait { $0.count > 2 })
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<40 {
      let link = try Self.connect(world)
      link.start(onReceive: { _ in }, onClose: { _ in })
      // Half of them send a hello, so that the octets after it are parsed.
      var octets: [UInt8] = []
      if Bool.random(using: &generator) {
        DeviceMessage.hello(DeviceHello(token: "", device: "mallory", program: "")).frame(at: .zero)
          .write(to: &octets)
      }
      octets += (0..<200).map { _ in UInt8.random(in: 0...255, using: &generator) }
      // A length that no frame can have.
      octets += [255, 255, 255, 255] + [UInt8](repeating: 0, count: 16)
      try link.send(octets)
    }
    #expect(await world.events.wait { $0.filter(Self.isDrop).count >= 40 })
    let count = anna.told.all.count
    #expect(await anna.told.wait { $0.count > count + 3 })
    #expect(!anna.told.all.contains(.removed(.timeout)))
    #expect(!anna.told.all.contains(.invalidated))
    #expect(world.server.connectionCount == 2)
  }

  @Test("Silent connections up to the limit make room for a program that identifies itself")
  func silentConnections() async throws {
    let world = try ServedWorld {
      $0.settings.deviceLimit = 4
      $0.spareConnections = 4
    }
    var silent: [DescriptorLink] = []
    for _ in 0..<20 {
      let link = try Self.connect(world)
      link.start(onReceive: { _ in }, onClose: { _ in })
      silent.append(link)
    }
    let anna = try world.join("anna")
    #expect(world.server.connectionCount <= 8)
    #expect(world.server.withWorld { $0.deviceNames } == ["anna"])
    _ = (anna, silent)
  }

  @Test("A frame larger than any hello, before the hello, ends its connection")
  func largeFirstFrame() async throws {
    let world = try ServedWorld()
    let link = try Self.connect(world)
    link.start(onReceive: { _ in }, onClose: { _ in })
    var octets: [UInt8] = []
    DeviceMessage.uci([UInt8](repeating: 0, count: 30_000)).frame(at: .zero).write(to: &octets)
    try link.send(Array(octets.prefix(16)))
    #expect(
      await world.events.wait { events in
        events.contains { if case .dropped(let why) = $0 { why.contains("at most 2048") } else { false } }
      })
  }

  @Test("UCI hosts from one address are limited; those that leave keep no device")
  func hostsOfOneAddress() async throws {
    var configuration = WorldServer.Configuration()
    configuration.port = 0
    configuration.uciPort = 0
    configuration.hostsPerAddress = 3
    let events = Heard<WorldServer.Event>()
    let server = WorldServer(HostedWorld(.empty), configuration) { events.add($0) }
    let port = try #require(try server.start().uci)
    defer { server.stop() }
    var links: [DescriptorLink] = []
    for _ in 0..<6 {
      let descriptor = try TCPSockets.connect(host: "127.0.0.1", port: port, timeout: .seconds(5))
      let link = DescriptorLink(descriptor: descriptor)
      link.start(onReceive: { _ in }, onClose: { _ in })
      links.append(link)
    }
    #expect(await events.wait { $0.filter(Self.isDrop).count == 3 })
    #expect(server.withWorld { $0.deviceNames } == ["uci-1", "uci-2", "uci-3"])
    for link in links { link.close() }
    #expect(
      await events.wait { events in
        events.count { if case .left = $0 { true } else { false } } == 3
      })
    #expect(server.withWorld { $0.deviceNames.isEmpty })
  }

  @Test("A program that is refused later, for a second hello, releases its device")
  func refusedHolder() async throws {
    let world = try ServedWorld()
    let link = try Self.connect(world)
    link.start(onReceive: { _ in }, onClose: { _ in })
    var octets: [UInt8] = []
    let hello = DeviceMessage.hello(DeviceHello(token: "", device: "anna", program: "old"))
    hello.frame(at: .zero).write(to: &octets)
    hello.frame(at: .zero).write(to: &octets)
    try link.send(octets)
    #expect(await world.events.wait { $0.contains(where: Self.isDrop) })
    _ = try world.join("anna")
  }

  @Test("Invalid UCI is answered by the chip, and the connection stays open")
  func randomUCI() async throws {
    let world = try ServedWorld()
    let link = try Self.connect(world)
    let heard = Heard<WorldMessage>()
    let reader = FrameCollector(heard)
    link.start(onReceive: { reader.receive($0) }, onClose: { _ in })
    var generator = SeededGenerator(seed: 5)
    var octets: [UInt8] = []
    DeviceMessage.hello(DeviceHello(token: "", device: "mallory", program: "")).frame(at: .zero)
      .write(to: &octets)
    for _ in 0..<200 {
      let noise = (0..<40).map { _ in UInt8.random(in: 0...255, using: &generator) }
      DeviceMessage.uci(noise).frame(at: .zero).write(to: &octets)
    }
    // Enough GET_DEVICE_INFO commands that at least one follows the longest packet that the noise can begin.
    let commands = [[UInt8]](repeating: [0x20, 0x02, 0, 0], count: 1000).flatMap(\.self)
    for _ in 0..<20 { DeviceMessage.uci(commands).frame(at: .zero).write(to: &octets) }
    try link.send(octets)
    #expect(
      await heard.wait { messages in
        messages.contains {
          if case .uci(let octets) = $0 { octets.starts(with: [0x40, 0x02]) } else { false }
        }
      })
    #expect(world.server.connectionCount == 1)
  }

  @Test("Killing sixty programs does not disturb a ranging pair and leaves nothing behind")
  func killsAndReturns() async throws {
    let world = try ServedWorld()
    let anna = RangingApp(on: try world.join("anna"))
    let ben = RangingApp(on: try world.join("ben"))
    try anna.range(with: ben)
    try ben.range(with: anna)
    #expect(await anna.told.wait { $0.count > 2 })
    for number in 0..<60 {
      let link = try Self.connect(world)
      link.start(onReceive: { _ in }, onClose: { _ in })
      var octets: [UInt8] = []
      DeviceMessage.hello(DeviceHello(token: "", device: "guest-\(number % 6)", program: "")).frame(at: .zero)
        .write(to: &octets)
      try link.send(octets)
      // Some clients leave before the world has answered, others after.
      if number % 3 != 0 {
        let joined = number + 1
        _ = await world.events.wait { events in
          events.count { if case .joined = $0 { true } else { false } } >= joined / 3
        }
      }
      link.close()
    }
    let count = anna.told.all.count
    #expect(await anna.told.wait { $0.count > count + 3 })
    #expect(!anna.told.all.contains(.removed(.timeout)))
    #expect(await world.connectionsFall(to: 2))
    #expect(world.server.withWorld { $0.deviceNames.count } <= 8)
  }
}

/// Collects frames from received octets.
final class FrameCollector: @unchecked Sendable {
  // Used only on the link's queue.
  private var reader = WorldFrameReader()
  private let heard: Heard<WorldMessage>
  init(_ heard: Heard<WorldMessage>) { self.heard = heard }

  func receive(_ octets: [UInt8]) {
    reader.append(octets)
    while let frame = try? reader.next() {
      if let message = try? WorldMessage(frame) { heard.add(message) }
    }
  }
}
