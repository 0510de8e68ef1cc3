import Foundation
import NearbyInteraction
import NearbyTesting
import TestSupport
import Testing

/// Two phones with the sample app, which stay connected.
struct PeekabooPair {
  let world: World
  let ann: Phone
  let ben: Phone
  let atAnn: PeekabooApp
  let atBen: PeekabooApp

  init(seed: UInt64, frameLoss: Double = 0) {
    world = World(seed: seed)
    world.loseFrames(frameLoss)
    ann = world.addPhone("Ann", at: [0, 0, 1.2], heading: 0)
    ben = world.addPhone("Ben", at: [0, 2, 1.2], heading: 180)
    let wire = Wire(world: world, delay: .milliseconds(40))
    atAnn = PeekabooApp(wire: wire)
    atBen = PeekabooApp(wire: wire)
    wire.attach(ann, atAnn)
    wire.attach(ben, atBen)
    ann.launch { atAnn.start() }
    ben.launch { atBen.start() }
  }
}

@Suite("Flow of Apple's peer-to-peer sample")
struct PeekabooTests {
  @Test("Two phones connect, exchange tokens, and measure their distance")
  func meeting() {
    let pair = PeekabooPair(seed: 1)
    pair.world.advance(by: .seconds(10))
    #expect(pair.atAnn.history == ["running"])
    #expect(pair.atBen.history == ["running"])
    #expect(pair.atAnn.updates > 50)
    #expect(abs((pair.atAnn.lastDistance ?? 0) - 2) < 0.3)
    #expect(abs((pair.atBen.lastDistance ?? 0) - 2) < 0.3)
  }

  @Test("When one phone starts a new session, both range again")
  func restart() {
    let pair = PeekabooPair(seed: 2)
    pair.world.advance(by: .seconds(3))
    pair.world.at(pair.world.now, as: pair.ann) { pair.atAnn.restart() }
    pair.world.advance(by: .seconds(5))
    let before = (pair.atAnn.updates, pair.atBen.updates)
    pair.world.advance(by: .seconds(2))
    #expect(pair.atAnn.updates > before.0 + 5)
    #expect(pair.atBen.updates > before.1 + 5)
  }

  @Test("A denied permission stops the flow, without retrying endlessly")
  func refusal() {
    let pair = PeekabooPair(seed: 3)
    pair.ann.setAnswer(.deny)
    pair.world.advance(by: .seconds(20))
    #expect(pair.atAnn.isRefused)
    #expect(pair.atAnn.history.count == 1)
    #expect(pair.atBen.updates == 0)
  }

  /// Both apps start over, go to the background and return, and walk away, at times drawn from the seed, so
  /// that these events overlap. The air loses 30 % of all frames.
  @Test("After any overlapping restarts both phones range again", .tags(.slow), arguments: 1...100)
  func crossingRestarts(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let pair = PeekabooPair(seed: UInt64(seed), frameLoss: 0.3)
    let phones = [(pair.ann, pair.atAnn), (pair.ben, pair.atBen)]
    for _ in 0..<6 {
      let (phone, app) = phones[Int.random(in: 0...1, using: &random)]
      let time = Duration.milliseconds(Int.random(in: 500...20_000, using: &random))
      let away = Duration.milliseconds(Int.random(in: 100...14_000, using: &random))
      switch Int.random(in: 0...3, using: &random) {
      case 0, 1: pair.world.at(time, as: phone) { app.restart() }
      case 2:
        pair.world.at(time) { phone.suspend() }
        pair.world.at(time + away) { phone.resume() }
      default:
        pair.world.at(time) { phone.loseFrames(1) }
        pair.world.at(time + away) { phone.loseFrames(0) }
      }
    }
    pair.world.advance(by: .seconds(60))
    let before = phones.map(\.1.updates)
    // Only one round in six gets all its frames through.
    pair.world.advance(by: .seconds(10))
    for (index, (phone, app)) in phones.enumerated() {
      #expect(
        app.updates > before[index] + 5,
        "seed \(seed): \(phone.name) gets no updates; history: \(app.history)")
      // With one range per second, a range that is wrong by 0.5 m is visible until the next one.
      #expect(abs((app.recentDistance ?? 0) - 2) < 0.25, "seed \(seed): \(phone.name)")
    }
  }
}
