import PeerLink
import TestSupport
import Testing

/// Random histories of two and three peers against the rules: see `PeerApp` and `disagreements`.
@Suite("Interleavings")
struct InterleavingTests {
  @Test("Whatever happens, the rules hold and all agree in the end", .tags(.slow), arguments: 0..<100)
  func interleavings(hundred: UInt64) {
    for seed in hundred * 100..<hundred * 100 + 100 {
      let found = Self.run(seed: seed)
      #expect(found == [], "seed \(seed)")
    }
  }

  /// One history.
  ///
  /// - Returns: What broke a rule.
  static func run(seed: UInt64) -> [String] {
    var world = Self.world(seed: seed)
    world.run(.seconds(70))
    return world.complaints + world.disagreements()
  }

  /// A world after its history, the network whole again.
  static func world(seed: UInt64) -> PeerWorld {
    var world = PeerWorld(2 + Int(seed % 2), seed: seed)
    world.isCutting = seed % 8 == 0
    for index in world.apps.indices { world.apps[index].answers = .anything }
    var random = SeededGenerator(seed: seed &* 77)
    for _ in 0..<Int.random(in: 5...30, using: &random) {
      step(&world, &random)
      world.run(.milliseconds(Int.random(in: 0...600, using: &random)))
    }
    world.partitions = []
    return world
  }

  private static func step(_ world: inout PeerWorld, _ random: inout SeededGenerator) {
    let a = Int.random(in: 0..<world.apps.count, using: &random)
    let b = (a + Int.random(in: 1..<world.apps.count, using: &random)) % world.apps.count
    switch Int.random(in: 0..<20, using: &random) {
    case 0...4: world.invite(b, from: a, timeout: .seconds(Int.random(in: 0...8, using: &random)))
    case 5:
      world.invite(b, from: a)
      world.invite(a, from: b)
    case 6...11:
      world.send(Int.random(in: 1...20, using: &random), from: a, to: b)
      world.send(Int.random(in: 1...20, using: &random), from: b, to: a)
    case 12...13: world.cut(a, b, isTold: true)
    case 14: world.cut(a, b, isTold: false)
    case 15: world.partitions.insert([min(a, b), max(a, b)])
    case 16: world.partitions = []
    case 17: world.disconnect(a)
    case 18: world.restart(a)
    default: world.run(.seconds(Int.random(in: 1...12, using: &random)))
    }
  }
}
