import MultipeerConnectivity
import NearbyInteraction
import NearbyTesting
import TestSupport
import Testing

@testable import Cerca

@Suite("Cerca")
struct CercaTests {
  @Test("Two phones find each other, exchange tokens, and show each other's position")
  func meeting() throws {
    let pair = CercaPair(seed: 1)
    pair.launch()
    #expect(pair.meet(within: .seconds(5)))
    pair.world.advance(by: .seconds(3))
    let sighting = try #require(pair.ann.sighting)
    #expect(sighting.peer == "Ben")
    #expect(abs((sighting.distance ?? 0) - 2) < 0.3)
    #expect(sighting.isPointedAt)
    #expect(pair.ben.sighting?.peer == "Ann")
    #expect(pair.ann.history.map { $0.split(separator: " ")[1] } == ["meeting(peer:", "near"])
  }

  @Test("Of three phones, the third finds no partner until one of the others leaves")
  func three() {
    let pair = CercaPair(seed: 2)
    pair.launch()
    #expect(pair.meet())
    let cid = CercaPhone(
      world: pair.world, phone: pair.world.addPhone("Cid", at: [2, 1, 1.2], heading: 270))
    cid.launch()
    pair.world.advance(by: .seconds(20))
    #expect(cid.app?.state == .searching)
    pair.ben.stop()
    #expect(pair.world.advance(until: { cid.sighting != nil }, within: .seconds(30)))
    #expect(cid.sighting?.peer == "Ann")
    #expect(pair.ann.sighting?.peer == "Cid")
  }

  @Test("Phones with different identities do not connect")
  func identities() {
    let world = World(seed: 3)
    let apps = ["one", "other"].map { identity in
      world.addPhone(identity).launch {
        var settings = NearbyViewModel.Settings()
        settings.identity = identity
        let app = NearbyViewModel(peer: MCPeerID(displayName: identity), settings: settings)
        app.start()
        return app
      }
    }
    world.advance(by: .seconds(10))
    #expect(apps.map(\.state) == [.searching, .searching])
  }

  @Test("A phone without the radio reports that and does not search")
  func unsupported() {
    let world = World(seed: 4)
    var profile = PhoneProfile()
    profile.hasUltraWideband = false
    let old = CercaPhone(world: world, phone: world.addPhone("Old", profile: profile))
    old.launch()
    world.advance(by: .seconds(3))
    #expect(old.app?.state == .unsupported)
    #expect(old.phone.launch { SupportCheck.current } == .unsupported)
    #expect(world.addPhone("Watch", profile: .watch).launch { SupportCheck.current } == .distanceOnly)
    #expect(world.addPhone("New").launch { SupportCheck.current } == .distanceAndDirection)
  }

  @Test("A denied permission is shown and ends the search; the other phone keeps searching")
  func refusal() {
    let pair = CercaPair(seed: 5)
    pair.ann.phone.setAnswer(.deny)
    pair.launch()
    pair.world.advance(by: .seconds(20))
    #expect(pair.ann.app?.state == .refused)
    #expect(pair.ben.updates == 0)
    #expect(pair.ben.app?.state == .searching || pair.ben.app?.state == .lost(peer: "Ann"))
  }

  @Test("In the background it is shown as suspended; in the foreground it ranges again")
  func suspension() {
    let pair = CercaPair(seed: 6)
    pair.launch()
    #expect(pair.meet())
    pair.ann.phone.suspend()
    pair.world.advance(by: .seconds(20))
    #expect(pair.ann.app?.state == .suspended)
    #expect(pair.ben.app?.state == .lost(peer: "Ann"))
    pair.ann.phone.resume()
    #expect(pair.meet(within: .seconds(10)))
  }

  @Test("A peer out of range is lost, and found again when it returns")
  func rangeAndBack() {
    let pair = CercaPair(seed: 7)
    pair.launch()
    #expect(pair.meet())
    pair.ben.phone.leaveRange()
    pair.world.advance(by: .seconds(20))
    #expect(pair.ann.app?.state == .lost(peer: "Ben"))
    pair.ben.phone.place(at: [0, 2, 1.2])
    #expect(pair.meet(within: .seconds(10)))
  }

  @Test("Ranging continues without the network; a restarted app is found when the network returns")
  func withoutNetwork() {
    let pair = CercaPair(seed: 8)
    pair.launch()
    #expect(pair.meet())
    pair.world.partition(pair.ann.phone, pair.ben.phone)
    pair.world.advance(by: .seconds(40))
    #expect(pair.both.allSatisfy { $0.sighting != nil })
    pair.ben.kill()
    pair.ben.launch(keepsPeer: false)
    pair.world.advance(by: .seconds(20))
    #expect(pair.ann.app?.state == .lost(peer: "Ben"))
    pair.world.heal()
    #expect(pair.meet(within: .seconds(40)))
  }

  @Test("A missing network permission is shown, and the app retries until it is granted")
  func localNetwork() {
    let pair = CercaPair(seed: 9)
    pair.ann.phone.changeLocalNetworkPermission(isAllowed: false)
    pair.launch()
    pair.world.advance(by: .seconds(20))
    #expect(pair.ann.app?.state == .noNetwork)
    #expect(pair.ben.app?.state == .searching)
    pair.ann.phone.changeLocalNetworkPermission(isAllowed: true)
    #expect(pair.meet())
  }

  @Test("After any sequence of interruptions both phones range again", .tags(.slow), arguments: 1...100)
  func flapping(seed: Int) {
    let pair = CercaPair(seed: UInt64(seed))
    Disturbances(seed: UInt64(seed)).arrange(for: pair)
    pair.world.advance(by: Disturbances.end)
    pair.world.advance(by: .seconds(30))
    let before = pair.both.map(\.updates)
    pair.world.advance(by: .seconds(5))
    for (phone, before) in zip(pair.both, before) {
      #expect(
        phone.updates > before + 5,
        "seed \(seed): \(phone.phone.name) does not range: \(phone.history)")
      #expect(
        phone.sighting != nil,
        "seed \(seed): \(phone.phone.name) does not range: \(phone.history)")
      #expect(abs((phone.sighting?.distance ?? 0) - 2) < 0.4, "seed \(seed): \(phone.phone.name)")
    }
  }

  @Test("The same seed gives the same history, another seed a different one")
  func determinism() {
    func run(_ seed: UInt64) -> [[String]] {
      let pair = CercaPair(seed: seed)
      Disturbances(seed: seed).arrange(for: pair)
      pair.world.advance(by: Disturbances.end + .seconds(20))
      return pair.both.map(\.history)
    }
    #expect(run(11) == run(11))
    #expect(run(11) != run(12))
  }
}

/// The disturbances of a run, drawn from its seed. All are over by `end`.
private struct Disturbances {
  static let end = Duration.seconds(90)
  private static let longest = 25_000

  private var random: SeededGenerator

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  consuming func arrange(for pair: CercaPair) {
    var random = random
    let world = pair.world
    world.setNetworkLoss(Double.random(in: 0...0.3, using: &random))
    world.loseFrames(Double.random(in: 0...0.2, using: &random))
    for phone in pair.both {
      world.at(.milliseconds(Int.random(in: 0...3000, using: &random))) { phone.launch() }
    }
    for _ in 0..<7 {
      let start = Duration.milliseconds(Int.random(in: 500...60_000, using: &random))
      let length = Duration.milliseconds(Int.random(in: 10...Self.longest, using: &random))
      let phone = pair.both[Int.random(in: 0...1, using: &random)]
      let keepsPeer = Bool.random(using: &random)
      let (begin, finish) = Self.disturbance(
        Int.random(in: 0...7, using: &random), of: phone, in: pair, keepsPeer: keepsPeer)
      world.at(start, perform: begin)
      world.at(start + length, perform: finish)
    }
  }

  private static func disturbance(
    _ kind: Int, of phone: CercaPhone, in pair: CercaPair, keepsPeer: Bool
  ) -> (begin: @Sendable () -> Void, end: @Sendable () -> Void) {
    let (world, ann, ben) = (pair.world, pair.ann.phone, pair.ben.phone)
    return switch kind {
    case 0, 1: ({ world.partition(ann, ben) }, { world.heal() })
    case 2: ({ phone.kill() }, { phone.launch(keepsPeer: keepsPeer) })
    case 3: ({ phone.phone.suspend() }, { phone.phone.resume() })
    case 4: ({ phone.phone.leaveNetwork() }, { phone.phone.joinNetwork() })
    case 5: ({ phone.phone.loseFrames(1) }, { phone.phone.loseFrames(0) })
    case 6: ({ phone.stop() }, { phone.start() })
    default: ({ world.breakConnections(ann, ben) }, { world.breakConnections(ann, ben) })
    }
  }
}
