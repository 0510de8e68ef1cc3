import NearbyPeerLink
import TestSupport
import Testing

/// Checks random histories of two and three peers against the rules: see `PeerApp` and `disagreements`.
@Suite("Random interleavings")
struct InterleavingTests {
  @Test("After any random history the rules hold and all peers agree", .tags(.slow), arguments: 0..<100)
  func interleavings(hundred: UInt64) {
    var (connections, messages) = (0, 0)
    for seed in hundred * 100..<hundred * 100 + 100 {
      var world = Self.world(seed: seed)
      world.run(.seconds(70))
      #expect(world.complaints + world.disagreements() == [], "seed \(seed)")
      connections += world.apps.reduce(0) { $0 + $1.states.values.joined().count { $0 == .connected } }
      messages += world.apps.reduce(0) { $0 + $1.received }
    }
    // The rules prove nothing unless enough happens.
    #expect(connections > 100)
    #expect(messages > 1000)
  }

  @Test("Crossing invitations give one connection whatever the delays", arguments: [1, 2, 5, 30])
  func crossing(first: Int) {
    for code in 0..<4 * 4 * 4 * 9 {
      let choices = [1, 2, 5, 30]
      var world = PeerWorld(2, seed: 1)
      (world.isCutting, world.longestDelay) = (false, 0)
      world.delays = [first, choices[code % 4], choices[code / 4 % 4], choices[code / 16 % 4]]
      world.apps[0].thinks = [1, 3, 40][code / 64 % 3]
      world.apps[1].thinks = [1, 3, 40][code / 192]
      world.invite(1, from: 0)
      world.invite(0, from: 1)
      world.run(.seconds(1))
      world.send(5, from: 0, to: 1)
      world.send(5, from: 1, to: 0)
      world.run(.seconds(1))
      let isOne =
        world.history(1, at: 0) == [.connecting, .connected]
        && world.history(0, at: 1) == [.connecting, .connected]
      #expect(isOne, "delays \(world.delays) code \(code)")
      #expect(world.complaints + world.disagreements() == [], "delays \(world.delays) code \(code)")
    }
  }

  @Test(
    "Losing the link at any moment while connecting only delays the connection", arguments: [true, false])
  func lossAtAnyMoment(isTold: Bool) {
    for (a, b) in [(0, 1), (1, 0)] {
      for isCrossing in [false, true] {
        for count in 0..<60 {
          var world = PeerWorld(2, seed: UInt64(count))
          world.isCutting = false
          world.invite(b, from: a)
          if isCrossing { world.invite(a, from: b) }
          world.run(happenings: count)
          world.send(3, from: 0, to: 1)
          world.send(3, from: 1, to: 0)
          world.cut(0, 1, isTold: isTold)
          world.run(.seconds(29))
          let isThere = world.state(1, at: 0) == .connected && world.state(0, at: 1) == .connected
          let found = world.complaints + world.disagreements()
          #expect(isThere, "\(a) \(isCrossing) cut at \(count), \(found) \(world.histories)")
          #expect(found == [], "\(a) \(isCrossing) cut at \(count), \(found) \(world.histories)")
        }
      }
    }
  }

  @Test(
    "A full mesh of eight peers with links cut at random loses no message and leaves nothing behind",
    arguments: 0..<4)
  func mesh(seed: UInt64) {
    var world = PeerWorld(8, seed: seed)
    world.isCutting = false
    for peer in 1..<8 {
      world.invite(peer, from: 0)
      world.run(.seconds(1))
    }
    var random = SeededGenerator(seed: seed)
    for round in 0..<300 {
      for a in 0..<8 { for b in 0..<8 where a != b { world.send(2, from: a, to: b) } }
      if round % 3 == 0 {
        let a = Int.random(in: 0..<8, using: &random)
        let b = (a + Int.random(in: 1..<8, using: &random)) % 8
        switch Int.random(in: 0..<3, using: &random) {
        case 0: world.cut(a, b, isTold: true)
        case 1: world.cut(a, b, isTold: false)
        default: world.forget(a, b)
        }
      }
      world.run(.milliseconds(100))
    }
    world.run(.seconds(20))
    #expect(world.complaints + world.disagreements() == [], "seed \(seed)")
    for a in 0..<8 {
      for b in 0..<8 where a != b { #expect(world.history(b, at: a) == [.connecting, .connected]) }
      #expect(world.apps[a].received == 7 * 600)
    }
  }

  /// A world after its history, with the network restored.
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
    case 14: Bool.random(using: &random) ? world.cut(a, b, isTold: false) : world.forget(a, b)
    case 15: world.partitions.insert([min(a, b), max(a, b)])
    case 16: world.partitions = []
    case 17: world.disconnect(a)
    case 18: world.restart(a)
    default: world.run(.seconds(Int.random(in: 1...12, using: &random)))
    }
  }
}
