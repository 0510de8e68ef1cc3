import Combine
import MultipeerConnectivity
import NearbyInteraction
import NearbyTesting
import Testing

@Suite("Patterns of real apps")
struct RealAppTests {
  @Test("A connection manager with one import connects, publishes state and observes the background")
  @MainActor
  func manager() async {
    let world = World(seed: 41)
    let (ann, ben) = (world.addPhone("Ann"), world.addPhone("Ben", at: [0, 3, 1.2]))
    let managers = [ann, ben].map { phone in phone.launch { ConnectionManager() } }
    ann.launch { managers[0].start() }
    ben.launch { managers[1].start() }
    await world.advance(by: .seconds(5))
    #expect(managers[0].connectedPeers.map(\.displayName) == ["Ben"])
    #expect(managers[0].isReady.value)
    managers[1].send("hello")
    await world.advance(by: .seconds(1))
    // The notification centre belongs to the process, so notifications of other tests' phones arrive, too.
    #expect(managers[0].log.filter { $0 != "background" } == ["Ben hello"])
    ann.suspend()
    await world.advance(by: .seconds(1))
    #expect(managers[0].log.contains("background"))
    #expect(ann.launch { DeviceFacts.lines() }.first == "Ann")
    ann.launch {
      DeviceFacts.stayAwake(); DeviceFacts.openSettings()
    }
  }

  @Test("A session's configuration survives suspension and timeout")
  func resuming() {
    let world = World(seed: 42)
    let ann = world.addPhone("Ann", at: [0, 0, 1.2], heading: 0)
    let ben = world.addPhone("Ben", at: [0, 3, 1.2], heading: 180)
    let first = ann.launch { Resumer() }
    let second = ben.launch { Resumer() }
    first.session.run(NINearbyPeerConfiguration(peerToken: second.session.discoveryToken!))
    second.session.run(NINearbyPeerConfiguration(peerToken: first.session.discoveryToken!))
    world.advance(by: .seconds(3))
    ann.suspend()
    world.advance(by: .seconds(1))
    ann.resume()
    world.advance(by: .seconds(3))
    #expect(first.history == ["update", "suspended", "resumed", "update"])
    ben.leaveRange()
    world.advance(by: .seconds(20))
    #expect(first.history.contains("timeout"))
    #expect(first.session.configuration != nil)
  }

  @Test(
    "Running a session with its own token shows whether permission was granted", arguments: [true, false])
  func probe(isAllowed: Bool) {
    let world = World(seed: 43)
    let phone = world.addPhone("Ann")
    phone.setAnswer(isAllowed ? .allow : .deny)
    let probe = phone.launch { PermissionProbe() }
    phone.launch { probe.check() }
    world.advance(by: .seconds(1))
    #expect(probe.answer == isAllowed)
  }

  @Test("A peer's archive is stable and unique to the peer")
  func stableKeys() throws {
    let phone = World(seed: 44).addPhone("Ann")
    let peers = phone.launch { (0..<50).map { _ in MCPeerID(displayName: "Ann") } }
    let keys = try peers.map(stableKey)
    #expect(try peers.map(stableKey) == keys)
    #expect(Set(keys).count == 50)
    let defaults = try #require(UserDefaults(suiteName: "swift-nearby.\(UUID())"))
    let kept = try phone.launch { try keptPeerID(named: "Ann", in: defaults) }
    #expect(try phone.launch { try keptPeerID(named: "Ann", in: defaults) } == kept)
    #expect(try phone.launch { try keptPeerID(named: "Ben", in: defaults) } != kept)
  }

  @Test("Names differ from tokens by being UTF-8, and archived classes are recognised by decoding")
  func telling() throws {
    let world = World(seed: 45)
    let phone = world.addPhone("Ann")
    let tokens = phone.launch { (0..<300).map { _ in NISession() } }.compactMap(\.discoveryToken)
    #expect(tokens.count == 300)
    for token in tokens {
      guard case .token(let read)? = NameOrToken(archive(token)) else {
        Issue.record("a token was read as a name")
        continue
      }
      #expect(read == token)
    }
    guard case .name("Ann")? = NameOrToken(Data("Ann".utf8)) else {
      Issue.record("a name was not read as a name")
      return
    }
    let peer = phone.launch { MCPeerID(displayName: "Ben") }
    #expect(received(archive(tokens[0])) == "token \(tokens[0].hash)")
    #expect(received(try stableKey(peer)) == "peer Ben")
    let text = try NSKeyedArchiver.archivedData(withRootObject: "hi" as NSString, requiringSecureCoding: true)
    #expect(received(text) == "text hi")
    #expect(received(Data("nothing".utf8)) == "unknown")
    let date = try NSKeyedArchiver.archivedData(withRootObject: NSDate(), requiringSecureCoding: true)
    #expect(received(date) == "unknown")
  }

  @Test("Peers connect with connection data that the app exchanges itself")
  func byHand() {
    let world = World(seed: 46)
    let (ann, ben) = (world.addPhone("Ann"), world.addPhone("Ben"))
    let first = ann.launch { MCSession(peer: MCPeerID(displayName: "Ann")) }
    let second = ben.launch { MCSession(peer: MCPeerID(displayName: "Ben")) }
    connectByHand(first, second.myPeerID) { data in
      second.connectPeer(first.myPeerID, withNearbyConnectionData: data)
    }
    connectByHand(second, first.myPeerID) { data in
      first.connectPeer(second.myPeerID, withNearbyConnectionData: data)
    }
    world.advance(by: .seconds(3))
    #expect(first.connectedPeers == [second.myPeerID])
  }

  @Test("Submodules can be imported")
  func imports() {
    let phone = World(seed: 47).addPhone("Ann")
    #expect(phone.launch { SubmoduleImports.peer() }.displayName == "imported")
    SubmoduleImports.logger.debug("compiled")
    let model = ViewModel()
    var count = 0
    let tie = model.objectWillChange.sink { count += 1 }
    model.text = "a"
    #expect(count == 1)
    tie.cancel()
  }

  @Test("Names of NearbyInteraction have Apple's types and values")
  func nearbyNames() {
    #expect(EveryNearbyName.codes == EveryNearbyName.shorthands)
    #expect(EveryNearbyName.codes.map(\.rawValue) == Array(-5889...(-5880)))
    #expect(EveryNearbyName.reasons.map(\.rawValue) == [0, 1])
    #expect(EveryNearbyName.verticals.map(\.rawValue) == [0, 1, 2, 3, 4])
    #expect(EveryNearbyName.coordinateTypes.map(\.rawValue) == [0, 1])
    #expect(EveryNearbyName.measurementTypes.map(\.rawValue) == [0, 1, 2])
    #expect(EveryNearbyName.domains == [NIErrorDomain, NIErrorDomain])
    let session = World(seed: 48).addPhone("Ann").launch { NISession() }
    EveryNearbyName.session(session)
    EveryNearbyName.configurations(session.discoveryToken!, NSKeyedArchiver(requiringSecureCoding: true))
    #expect(EveryNearbyName.capability(NISession.deviceCapabilities).count == 6)
    EveryCameraName.configuration()
    #expect(EveryCameraName.anchor().count == 3)
    #expect(EveryCameraName.codes.first?.rawValue == 100)
  }
}
