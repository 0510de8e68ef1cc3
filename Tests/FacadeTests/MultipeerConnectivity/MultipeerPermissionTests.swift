import MultipeerConnectivity
import NearbyTesting
import Testing

@Suite("Permission for the local network")
struct MultipeerPermissionTests {
  let pair = Pair()
  private var world: World { pair.world }

  @Test("Without permission nothing starts; once it is granted, everything does")
  func denied() {
    pair.ben.changeLocalNetworkPermission(isAllowed: false)
    pair.atAnn.start()
    pair.atBen.start()
    world.advance(by: .seconds(2))
    #expect(pair.atBen.history == ["did not advertise unavailable", "did not browse unavailable"])
    #expect(pair.atAnn.history.isEmpty)
    pair.ben.changeLocalNetworkPermission(isAllowed: true)
    world.advance(by: .seconds(2))
    #expect(pair.atAnn.history.isEmpty)
    pair.atBen.start()
    world.advance(by: .seconds(2))
    #expect(pair.atAnn.history == ["found ben b"])
    #expect(pair.atBen.history.last == "found ann a")
  }

  @Test("Revoking the permission ends running services, and connections soon after")
  func takenAway() {
    pair.connect()
    pair.atBen.forget()
    pair.ben.changeLocalNetworkPermission(isAllowed: false)
    world.advance(by: .seconds(1))
    #expect(pair.atBen.history == ["did not advertise unavailable", "did not browse unavailable"])
    world.advance(by: .seconds(30))
    #expect(pair.atBen.states == ["ann notConnected"])
    #expect(pair.atAnn.states.last == "ben notConnected")
  }

  @Test("A service type that the app does not declare is refused, in both forms")
  func declared() {
    pair.ann.setBonjourServices(["_nisample._tcp", "_nisample._udp"])
    pair.ben.setBonjourServices(["_nisample._tcp", "_other._udp"])
    pair.atAnn.start()
    pair.atBen.start()
    world.advance(by: .seconds(2))
    #expect(pair.atAnn.history.isEmpty)
    #expect(pair.atBen.history == ["did not advertise unavailable", "did not browse unavailable"])
    pair.ben.setBonjourServices(nil)
    pair.atBen.start()
    world.advance(by: .seconds(2))
    #expect(pair.atAnn.history == ["found ben b"])
  }

  @Test("Capitals in a service type or in its declaration make no difference; the app's spelling is kept")
  func capitals() {
    pair.ann.setBonjourServices(["_NISample._tcp", "_niSample._UDP"])
    pair.atAnn.start()
    let capitals = pair.ben.launch {
      MCNearbyServiceAdvertiser(
        peer: MCPeerID(displayName: "Cat"), discoveryInfo: nil, serviceType: "NiSample")
    }
    capitals.startAdvertisingPeer()
    world.advance(by: .seconds(2))
    #expect(pair.atAnn.history == ["found Cat -"])
    #expect(capitals.serviceType == "NiSample")
  }
}
