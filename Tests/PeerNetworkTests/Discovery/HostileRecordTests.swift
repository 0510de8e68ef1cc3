import Foundation
import NearbyPeerNetwork
import TestSupport
import Testing

@Suite(
  "Hostile neighbours in DNS-SD",
  .needs(.ip), .enabled(if: Namespaces.areAllowed, "network namespaces are not permitted here: run as root"),
  .tags(.slow), .ownThreads)
struct HostileRecordTests {
  @Test(
    "Odd names, oversized texts, garbage and forged goodbyes do not prevent honest peers from being found",
    arguments: [1, 2])
  func hostile(seed: UInt64) async throws {
    let wire = try Namespaces(wires: 1)
    let type = DiscoveryTests.freshType()
    let victim = try PeerProcess(type, "victim", in: wire.left)
    let port = try await victim.place().port
    let honest = try PeerProcess(type, "honest", in: wire.right)
    try await victim.line("found honest other")
    let descriptors = victim.descriptorCount
    let resident = victim.residentKibibytes
    try await wire.inside(wire.right) {
      var random = SeededGenerator(seed: seed)
      try HostileRecords.send(Self.messages(type: type, port: port, &random), from: "10.99.0.2")
    }
    // A peer that starts after the hostile records must be found and must connect.
    let late = try PeerProcess(type, "zlate", meets: true, in: wire.right)
    try await victim.line("found zlate other")
    try await late.line("connected \(try await victim.place().fingerprint) victim")
    // A forged goodbye for the honest peer has effect only for moments, because the honest peer announces
    // itself again.
    try await victim.said.until { lines in
      lines.last { $0.contains(" honest") }?.hasPrefix("lost") == false
    }
    // Its own service under another name leads back to itself, and is refused.
    victim.writeLine("connect 10.99.0.1 \(port)")
    #expect(try await victim.line("failed 10.99.0.1").contains("ownKey"))
    #expect(victim.count("ended") == 0)
    #expect(honest.count("ended") == 0)
    // Only the late peer's channel remains, with its socket for datagrams.
    try waitByPolling(for: "two descriptors more than the first \(descriptors)") {
      victim.descriptorCount
    } until: {
      $0 <= descriptors + 2
    }
    #expect(Sanitizers.isActive || victim.residentKibibytes < resident + 16 * 1024, "seed \(seed)")
  }

  private static func messages(type: String, port: UInt16, _ random: inout SeededGenerator) -> [[UInt8]] {
    func some(_ counts: ClosedRange<Int>) -> [UInt8] {
      (0..<Int.random(in: counts, using: &random)).map { _ in .random(in: .min ... .max, using: &random) }
    }
    var messages: [[UInt8]] = []
    for _ in 0..<200 {
      var odd = HostileRecords()
      // A label that is one octet longer would be parsed as a pointer. The random messages cover those.
      odd.addService(
        some(1...63), type: type, port: port, host: HostileRecords.name([some(1...63), Array("local".utf8)]),
        text: some(0...300), address: [10, 99, 0, 1])
      messages.append(odd.octets)
      messages.append(some(0...600))
      var broken = odd.octets
      for _ in 0..<4 { broken[Int.random(in: 0..<broken.count, using: &random)] = some(1...1)[0] }
      messages.append(broken)
      messages.append(Array(broken.prefix(Int.random(in: 0...broken.count, using: &random))))
    }
    var large = HostileRecords()
    let text = (0..<30).flatMap { _ in [255] + [UInt8](repeating: UInt8(ascii: "k"), count: 255) }
    large.addService(
      Array("large".utf8), type: type, port: 0,
      host: HostileRecords.name([[0, 0xFF, 46], Array("local".utf8)]),
      text: text, address: [10, 99, 0, 1])
    messages.append(large.octets)
    var goodbye = HostileRecords()
    let kind = HostileRecords.labels(type + ".local")
    goodbye.add(
      HostileRecords.name(kind), type: 12, life: 0, HostileRecords.name([Array("honest".utf8)] + kind))
    messages += [[UInt8]](repeating: goodbye.octets, count: 300)
    return messages
  }
}
