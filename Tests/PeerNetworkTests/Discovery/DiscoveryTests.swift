import Foundation
import NearbyPeerNetwork
import TestSupport
import Testing

@Suite("Services on this machine, without a daemon", .ownThreads)
struct DiscoveryTests {
  @Test("Two instances in a process find each other and report changed texts and departures", .tags(.slow))
  func mutual() async throws {
    let type = Self.freshType()
    let (left, leftTold) = try Self.discovery()
    let (right, rightTold) = try Self.discovery()
    defer { left.stop() }
    try left.browse(type)
    try right.browse(type)
    let text = try ServiceText(["name": "Ada", "empty": ""])
    let own = try left.register(Service(name: "left", type: type), text: text, port: 4711)
    _ = try right.register(Service(name: "right", type: type), text: ServiceText(), port: 4712)

    let found = try await rightTold.first { $0.found(named: "left") }
    _ = try await leftTold.first { $0.found(named: "right") }
    #expect(found.text == text)
    #expect(!found.isOwn)
    #expect(found.addresses.allSatisfy { $0.port == 4711 })
    #expect(try await leftTold.first { $0.found(named: "left") }.isOwn)
    #expect(leftTold.entries.first == .serving(.embedded))

    let newer = try ServiceText(["name": "Grace"])
    left.update(own, text: newer)
    try await rightTold.until { entries in
      entries.contains { if case .changed(let found) = $0 { found.text == newer } else { false } }
    }
    right.stop()
    try await leftTold.until { $0.contains(.lost(Service(name: "right", type: type))) }
  }

  @Test("A service whose name is taken is renamed", .tags(.slow))
  func collision() async throws {
    let type = Self.freshType()
    let (left, leftTold) = try Self.discovery()
    let (right, rightTold) = try Self.discovery()
    defer {
      left.stop()
      right.stop()
    }
    let first = try left.register(Service(name: "same", type: type), text: ServiceText(), port: 1)
    try await leftTold.until { $0.contains(.registered(first, Service(name: "same", type: type))) }
    let second = try right.register(Service(name: "same", type: type), text: ServiceText(), port: 2)
    let service = try await rightTold.first { event in
      if case .registered(second, let service) = event { service } else { nil }
    }
    #expect(service.name == "same #2")
  }

  @Test(
    "Service types, names and texts that DNS-SD does not allow are refused",
    arguments: [
      "_a-b._tcp": true, "_x._udp": true, "_fifteen-letters._tcp": true, "_1a._tcp": true,
      "_sixteen-letters-._tcp": false, "_sixteen-letterss._tcp": false, "_-a._tcp": false, "_a-._tcp": false,
      "_a--b._tcp": false, "_123._tcp": false, "_._tcp": false, "a._tcp": false, "_a.tcp": false,
      "_ä._tcp": false, "_a_b._tcp": false,
    ])
  func types(type: String, isLegal: Bool) {
    let isTaken = (try? Service.checkType(type)) != nil
    #expect(isTaken == isLegal)
    #expect(throws: NetworkError.self) { try Service(name: "", type: "_a._tcp").check() }
    let long = String(repeating: "n", count: 64)
    #expect(throws: NetworkError.self) { try Service(name: long, type: "_a._tcp").check() }
    #expect(throws: NetworkError.self) { try ServiceText(["a=b": "c"]) }
    #expect(throws: NetworkError.self) { try ServiceText(["key": String(repeating: "v", count: 252)]) }
    #expect((try? ServiceText(["key": String(repeating: "v", count: 251)])) != nil)
  }

  static func discovery() throws -> (ServiceDiscovery, Journal<DiscoveryEvent>) {
    let journal = Journal<DiscoveryEvent>()
    return (try ServiceDiscovery(.only(.embedded)) { journal.add($0) }, journal)
  }

  /// A type that no other test on this machine uses.
  static func freshType() -> String { "_t\(UInt32.random(in: .min ... .max))._tcp" }
}

extension DiscoveryEvent {
  func found(named name: String) -> FoundService? {
    if case .found(let found) = self, found.service.name == name { found } else { nil }
  }
}
