import Foundation
import NearbyInteraction
import NearbyTesting
import Testing

@Suite("A world and its phones")
struct WorldTests {
  /// Keeps both apps of a pair alive during the test, because neither a session nor a wire does.
  private final class Apps { var all: [PeekabooApp] = [] }
  private let apps = Apps()

  private func pair(_ world: World, distance: Double) -> (Phone, Phone, PeekabooApp, PeekabooApp) {
    let ann = world.addPhone("Ann", at: [0, 0, 1.2], heading: 0)
    let ben = world.addPhone("Ben", at: [0, distance, 1.2], heading: 180)
    let wire = Wire(world: world, delay: .milliseconds(40))
    let (atAnn, atBen) = (PeekabooApp(wire: wire), PeekabooApp(wire: wire))
    apps.all += [atAnn, atBen]
    wire.attach(ann, atAnn)
    wire.attach(ben, atBen)
    ann.launch { atAnn.start() }
    ben.launch { atBen.start() }
    return (ann, ben, atAnn, atBen)
  }

  @Test("A wall between phones lengthens the distance by up to 2 m until it is removed")
  func wall() {
    let world = World(seed: 4)
    let (ann, ben, atAnn, _) = pair(world, distance: 5)
    world.advance(by: .seconds(5))
    let open = atAnn.lastDistance ?? 0
    let wall = world.addWall(between: ann, and: ben, material: .concrete)
    #expect(!ann.truth(to: ben).isLineOfSight)
    world.advance(by: .seconds(8))
    let blocked = atAnn.lastDistance ?? 0
    #expect(blocked > open + 0.1)
    #expect(blocked < open + 2)
    world.remove(wall)
    #expect(ann.truth(to: ben).isLineOfSight)
    world.advance(by: .seconds(8))
    #expect(abs((atAnn.lastDistance ?? 0) - open) < 0.15)
  }

  @Test("The distance to a walking phone lags by less than 0.35 m at 1 m/s")
  func walking() {
    let world = World(seed: 5)
    let (ann, ben, atAnn, _) = pair(world, distance: 2)
    world.advance(by: .seconds(3))
    ben.walk(to: [0, 12, 1.2], speed: 1)
    world.advance(by: .seconds(3))
    var errors: [Double] = []
    for _ in 0..<20 {
      world.advance(by: .milliseconds(150))
      errors.append(Double(atAnn.lastDistance ?? 0) - ann.truth(to: ben).distance)
    }
    let mean = errors.reduce(0, +) / Double(errors.count)
    // A distance that is up to one round old is 0.15 m late for that reason alone.
    #expect(abs(mean) < 0.35, "mean error \(mean) m at 1 m/s")
  }

  @Test("advance(until:) stops when the condition holds, or at its time limit")
  func until() {
    let world = World(seed: 6)
    let (_, _, atAnn, _) = pair(world, distance: 2)
    #expect(world.advance(until: { atAnn.updates > 0 }, within: .seconds(5)))
    #expect(world.now < .seconds(2))
    let before = world.now
    #expect(!world.advance(until: { false }, within: .seconds(1)))
    #expect(world.now == before + .seconds(1))
  }

  @Test("Six phones in one room all range with each other")
  func room() {
    let world = World(seed: 8)
    let phones = (0..<6).map { index in
      world.addPhone("Phone \(index)", at: [Double(index % 3) * 2, Double(index / 3) * 2, 1.2])
    }
    var sessions: [[Int: (NISession, Listener)]] = phones.map { _ in [:] }
    for a in 0..<6 {
      for b in 0..<6 where a != b {
        let listener = Listener()
        let session = phones[a].launch { NISession() }
        session.delegate = listener
        sessions[a][b] = (session, listener)
      }
    }
    for a in 0..<6 {
      for b in 0..<6 where a != b {
        if let token = sessions[b][a]?.0.discoveryToken {
          sessions[a][b]?.0.run(NINearbyPeerConfiguration(peerToken: token))
        }
      }
    }
    world.advance(by: .seconds(10))
    for a in 0..<6 {
      for b in 0..<6 where a != b {
        let error = abs(Double(sessions[a][b]?.1.distance ?? -9) - phones[a].truth(to: phones[b]).distance)
        #expect(error < 0.4, "from \(a) to \(b)")
      }
    }
  }

  private final class Listener: NSObject, NISessionDelegate, @unchecked Sendable {
    // Used on the one thread that advances the world's time.
    var distance: Float?
    func session(_ session: NISession, didUpdate nearbyObjects: [NINearbyObject]) {
      if let heard = nearbyObjects.first?.distance { distance = heard }
    }
  }
}
