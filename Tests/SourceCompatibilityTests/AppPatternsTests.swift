import NearbyInteraction
import NearbyTesting
import Testing

@Suite("Sources written for Apple's NearbyInteraction")
struct AppPatternsTests {
  @Test("A tutorial's view controller finds its peer, and starts a new session when the peer ends")
  func tutorial() {
    let world = World(seed: 11)
    let ann = world.addPhone("Ann", at: [0, 0, 1.2], heading: 0)
    let ben = world.addPhone("Ben", at: [0, 2, 1.2], heading: 180)
    let first = ann.launch { PeekViewController() }
    let second = ben.launch { PeekViewController() }
    ann.launch { first.startup() }
    ben.launch { second.startup() }
    let tokens = [first, second].map { $0.session!.discoveryToken! }
    ann.launch { first.dataReceived(first.shareMyDiscoveryToken(token: tokens[1])) }
    ben.launch { second.dataReceived(second.shareMyDiscoveryToken(token: tokens[0])) }
    world.advance(by: .seconds(4))
    #expect(first.currentState == .notCloseUpInFOV)
    #expect(second.currentState == .notCloseUpInFOV)
    #expect(first.log.contains { $0.hasSuffix(" m") })
    ben.launch { second.session?.invalidate() }
    world.advance(by: .seconds(4))
    #expect(first.peerDiscoveryToken == nil)
    #expect(first.session?.discoveryToken != tokens[0])
  }

  @Test("An app can keep one session per peer, each with its own queue")
  func hub() {
    let world = World(seed: 12)
    let phone = world.addPhone("Ann", at: [0, 0, 1.2], heading: 0)
    let hub = phone.launch { Hub() }
    var apps: [PeekViewController] = []
    for (name, x) in [("Ben", 1.0), ("Cam", -1.0)] {
      let other = world.addPhone(name, at: [x, 3, 1.2], heading: 180)
      let app = other.launch { PeekViewController() }
      other.launch { app.startup() }
      apps.append(app)
      let mine = phone.launch { hub.session(for: name) }
      let peer = app.session!.discoveryToken!
      phone.launch { mine.run(NINearbyPeerConfiguration(peerToken: peer)) }
      other.launch { app.dataReceived(app.shareMyDiscoveryToken(token: mine.discoveryToken!)) }
    }
    world.advance(by: .seconds(5))
    #expect(apps.allSatisfy { $0.session != nil })
    #expect(hub.distances.count == 2)
    #expect(hub.distances.values.allSatisfy { abs($0 - 3.16) < 0.4 })
  }

  @Test("Errors can be matched in all usual spellings")
  func errors() {
    #expect(catching() == 1)
    let error: Error = NIError(.sessionFailed)
    #expect((error as NSError).code == -5887)
    #expect((error as NSError).domain == NIErrorDomain)
    #expect(NIError(.sessionFailed) == NIError(.sessionFailed))
    #expect(!error.localizedDescription.isEmpty)
    let controller = PeekViewController()
    controller.session(NISession(), didInvalidateWith: NIError(.userDidNotAllow))
    #expect(controller.log.count == 1)
  }

  @Test("Tokens survive every archiver call that apps use")
  func archives() {
    let token = NISession().discoveryToken!
    #expect(decode(archive(token)) == token)
    #expect(multi(archive(token)) == token)
    #expect(decode(Data("hello".utf8)) == nil)
    #expect(MockSession.deviceCapabilities.supportsDirectionMeasurement)
  }
}
