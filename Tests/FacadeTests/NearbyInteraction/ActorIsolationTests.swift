import NearbyInteraction
import NearbyTesting
import Testing

@MainActor
private final class PlainModel: NSObject {
  let session = NISession()
  var distance: Float?
  override init() {
    super.init()
    session.delegate = self
  }
}

extension PlainModel: NISessionDelegate {
  nonisolated func session(_ session: NISession, didUpdate nearbyObjects: [NINearbyObject]) {
    let distance = nearbyObjects.first?.distance
    Task { @MainActor in self.distance = distance }
  }
}

@MainActor
private final class CheckedModel: NSObject {
  let session = NISession()
  var distance: Float?
  override init() {
    super.init()
    session.delegate = self
  }
}

extension CheckedModel: @preconcurrency NISessionDelegate {
  func session(_ session: NISession, didUpdate nearbyObjects: [NINearbyObject]) {
    distance = nearbyObjects.first?.distance
  }
}

@MainActor
private final class IsolatedModel: NSObject {
  let session = NISession()
  var distance: Float?
  override init() {
    super.init()
    session.delegate = self
  }
}

extension IsolatedModel: @MainActor NISessionDelegate {
  func session(_ session: NISession, didUpdate nearbyObjects: [NINearbyObject]) {
    distance = nearbyObjects.first?.distance
  }
}

@MainActor private protocol RangingModel: AnyObject, Sendable {
  var session: NISession { get }
  var distance: Float? { get }
}
extension PlainModel: RangingModel {}
extension CheckedModel: RangingModel {}
extension IsolatedModel: RangingModel {}

@Suite("Delegates on the main actor")
@MainActor
struct ActorIsolationTests {
  @Test("A delegate on the main actor receives updates", arguments: 0..<3)
  func isolated(kind: Int) async {
    let world = World(seed: 3)
    let ann = world.addPhone("Ann", at: [0, 0, 1.2], heading: 0)
    let ben = world.addPhone("Ben", at: [0, 3, 1.2], heading: 180)
    func make() -> any RangingModel {
      switch kind {
      case 0: PlainModel()
      case 1: CheckedModel()
      default: IsolatedModel()
      }
    }
    let first = ann.launch { make() }
    let second = ben.launch { make() }
    guard let mine = first.session.discoveryToken, let theirs = second.session.discoveryToken else {
      Issue.record("no token")
      return
    }
    first.session.run(NINearbyPeerConfiguration(peerToken: theirs))
    second.session.run(NINearbyPeerConfiguration(peerToken: mine))
    await world.advance(by: .seconds(4))
    for _ in 0..<20 where first.distance == nil { await Task.yield() }
    #expect(abs((first.distance ?? 0) - 3) < 0.4)
  }
}
