import NearbyInteraction
import NearbyTesting
import Testing

func archive(_ token: NIDiscoveryToken) throws -> Data {
  try NSKeyedArchiver.archivedData(withRootObject: token, requiringSecureCoding: true)
}

func discoveryToken(in archive: Data) throws -> NIDiscoveryToken? {
  try NSKeyedUnarchiver.unarchivedObject(ofClass: NIDiscoveryToken.self, from: archive)
}

final class Ranger: NSObject, NISessionDelegate {
  let session = NISession()
  private(set) var distance: Float?
  private(set) var azimuth: Float?
  private(set) var failure: NIError?

  override init() {
    super.init()
    session.delegate = self
  }

  func range(with token: NIDiscoveryToken) {
    session.run(NINearbyPeerConfiguration(peerToken: token))
  }

  func session(_ session: NISession, didUpdate nearbyObjects: [NINearbyObject]) {
    guard let peer = nearbyObjects.first else { return }
    distance = peer.distance
    azimuth = peer.direction.map { atan2($0.x, -$0.z) }
  }
}

extension Ranger {
  func session(
    _ session: NISession, didRemove nearbyObjects: [NINearbyObject], reason: NINearbyObject.RemovalReason
  ) {
    distance = nil
    azimuth = nil
    if reason == .timeout, let configuration = session.configuration { session.run(configuration) }
  }

  func sessionSuspensionEnded(_ session: NISession) {
    if let configuration = session.configuration { session.run(configuration) }
  }

  func session(_ session: NISession, didInvalidateWith error: any Error) {
    distance = nil
    failure = error as? NIError
  }
}

func show(_ session: NISession) async {
  for await event in session.events {
    switch event {
    case .updated(let objects): print(objects.first?.distance ?? .nan)
    case .removed(_, let reason): print("lost:", reason)
    case .invalidated(let error): print("over:", error.localizedDescription)
    case _: break
    }
  }
}

func canRange() -> Bool {
  NISession.deviceCapabilities.supportsPreciseDistanceMeasurement
}

@Suite("Ranging between two devices")
struct RangingArticle {
  @Test("A peer is measured, lost and measured again")
  func lostAndFound() throws {
    let world = World(seed: 2)
    let ann = world.addPhone("Ann", at: [0, 0, 1.2], heading: 0)
    let ben = world.addPhone("Ben", at: [1, 3, 1.2], heading: 180)
    #expect(ann.launch { canRange() })
    let (atAnn, atBen) = (ann.launch { Ranger() }, ben.launch { Ranger() })
    let archives = try [atAnn, atBen].map { try archive(#require($0.session.discoveryToken)) }
    atAnn.range(with: try #require(try discoveryToken(in: archives[1])))
    atBen.range(with: try #require(try discoveryToken(in: archives[0])))
    world.advance(by: .seconds(5))
    #expect(abs(try #require(atAnn.distance) - 3.16) < 0.3)
    #expect(abs(try #require(atAnn.azimuth) - 0.32) < 0.15)
    ben.leaveRange()
    world.advance(by: .seconds(20))
    #expect(atAnn.distance == nil)
    ben.place(at: [0, 2, 1.2])
    #expect(world.advance(until: { atAnn.distance != nil }, within: .seconds(20)))
    ann.changePermission(to: .deny)
    world.advance(by: .seconds(1))
    #expect(atAnn.failure?.code == .userDidNotAllow)
  }
}
