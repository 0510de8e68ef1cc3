import MultipeerConnectivity
import NearbyTesting
import Testing

@Suite("Members of a session")
struct MultipeerMembershipTests {
  /// Phones with networkers that discover each other.
  private static func crowd(_ count: Int, seed: UInt64 = 1) -> (World, [Phone], [Networker]) {
    let world = World(seed: seed, drainsMainQueue: false)
    let phones = (0..<count).map { world.addPhone("Phone \($0)", at: [Double($0), 0, 1.2]) }
    let apps = phones.enumerated().map { place, phone in phone.launch { Networker("p\(place)") } }
    apps.forEach { $0.start() }
    world.advance(by: .seconds(1))
    return (world, phones, apps)
  }

  @Test("If one peer invites seven, all eight are connected with each other, and a ninth is refused")
  func full() throws {
    let (world, _, apps) = Self.crowd(9)
    for other in apps[1..<8] { apps[0].invite(other) }
    world.advance(by: .seconds(5))
    for app in apps[..<8] {
      #expect(Set(app.session.connectedPeers) == Set(apps[..<8].map(\.peer)).subtracting([app.peer]))
    }
    #expect(kMCSessionMaximumNumberOfPeers == 8)
    let before = apps[0].states
    apps[0].invite(apps[8])
    world.advance(by: .seconds(5))
    #expect(apps[0].states == before + ["p8 notConnected"])
    #expect(apps[8].states.isEmpty)
    // In the other direction, the full session declines the invitation on its own.
    apps[8].invite(apps[3])
    world.advance(by: .seconds(5))
    #expect(apps[8].states.last == "p3 notConnected")
    #expect(apps[8].session.connectedPeers.isEmpty)
    for app in apps[..<8] { #expect(app.session.connectedPeers.count == 7) }
  }

  @Test("When one of eight leaves, there is room for another")
  func roomAgain() {
    let (world, _, apps) = Self.crowd(9)
    for other in apps[1..<8] { apps[0].invite(other) }
    world.advance(by: .seconds(5))
    apps[4].session.disconnect()
    world.advance(by: .seconds(2))
    #expect(apps[4].session.connectedPeers.isEmpty)
    apps[0].invite(apps[8])
    world.advance(by: .seconds(5))
    let members = apps.enumerated().filter { $0.offset != 4 }.map(\.element)
    for app in members {
      #expect(Set(app.session.connectedPeers) == Set(members.map(\.peer)).subtracting([app.peer]))
    }
  }

  @Test("A message to all members reaches each once; with a non-member among them it reaches none")
  func broadcast() throws {
    let (world, _, apps) = Self.crowd(5)
    for other in apps[1..<4] { apps[0].invite(other) }
    world.advance(by: .seconds(3))
    for number in 0..<20 { try apps[2].send("\(number)") }
    world.advance(by: .seconds(1))
    for app in [apps[0], apps[1], apps[3]] { #expect(app.messages == (0..<20).map { "p2: \($0)" }) }
    do {
      try apps[2].session.send(
        Data([1]), toPeers: apps[2].session.connectedPeers + [apps[4].peer], with: .reliable)
      Issue.record("a message was sent to a non-member")
    } catch MCError.notConnected {} catch { Issue.record("\(error)") }
    world.advance(by: .seconds(1))
    for app in apps { #expect(app.messages.count <= 20) }
  }

  @Test("Peers with the same name are different peers")
  func equalNames() throws {
    let world = World(seed: 2, drainsMainQueue: false)
    let apps = (0..<3).map { place in
      world.addPhone("Phone \(place)", at: [Double(place), 0, 1.2]).launch { Networker("same") }
    }
    apps.forEach { $0.start() }
    world.advance(by: .seconds(1))
    #expect(apps[0].found.count == 2)
    #expect(Set(apps[0].found) == Set(apps[1...].map(\.peer)))
    apps[0].invite(apps[2])
    world.advance(by: .seconds(2))
    #expect(apps[0].session.connectedPeers == [apps[2].peer])
    #expect(apps[1].states.isEmpty)
    try apps[0].send("x")
    world.advance(by: .seconds(1))
    #expect(apps[2].messages == ["same: x"])
    #expect(apps[1].messages.isEmpty)
    #expect(MCPeerID(displayName: "same") != MCPeerID(displayName: "same"))
  }

  @Test("Two peers of one app find each other and connect")
  func onePhone() {
    let world = World(seed: 2, drainsMainQueue: false)
    let phone = world.addPhone("Phone")
    let (first, second) = phone.launch { (Networker("first"), Networker("second")) }
    first.start()
    second.start()
    world.advance(by: .seconds(1))
    first.invite(second)
    world.advance(by: .seconds(1))
    #expect(first.session.connectedPeers == [second.peer])
    #expect(second.session.connectedPeers == [first.peer])
  }

  // MARK: Without discovery

  private func exchange(_ pair: Pair) async throws -> (Data, Data) {
    let toBen = try await pair.atAnn.session.nearbyConnectionData(forPeer: pair.atBen.peer)
    let toAnn = try await pair.atBen.session.nearbyConnectionData(forPeer: pair.atAnn.peer)
    return (toBen, toAnn)
  }

  @Test("Peers that exchange connection data by other means connect", .timeLimit(.minutes(10)))
  func customDiscovery() async throws {
    let pair = Pair()
    let (toBen, toAnn) = try await exchange(pair)
    pair.atAnn.session.connectPeer(pair.atBen.peer, withNearbyConnectionData: toAnn)
    pair.atBen.session.connectPeer(pair.atAnn.peer, withNearbyConnectionData: toBen)
    await pair.world.advance(by: .seconds(3))
    #expect(pair.atAnn.states == ["ben connecting", "ben connected"])
    #expect(pair.atBen.states == ["ann connecting", "ann connected"])
  }

  @Test(
    "A one-sided connection attempt ends; the form with a handler gives the same data",
    .timeLimit(.minutes(10)))
  func oneSided() async throws {
    let pair = Pair()
    let toAnn = Box<Data?>(nil)
    pair.atBen.session.nearbyConnectionData(forPeer: pair.atAnn.peer) { data, error in
      #expect(error == nil)
      toAnn.value = data
    }
    #expect(toAnn.value == .some(nil))
    await pair.world.advance(by: .seconds(1))
    let data = try #require(toAnn.value ?? nil)
    #expect(try await pair.atBen.session.nearbyConnectionData(forPeer: pair.atAnn.peer) == data)
    pair.atAnn.session.connectPeer(pair.atBen.peer, withNearbyConnectionData: data)
    await pair.world.advance(by: .seconds(60))
    #expect(pair.atAnn.states == ["ben connecting", "ben notConnected"])
    #expect(pair.atBen.states.isEmpty)
  }

  @Test(
    "Connection data that is damaged, or for another peer, ends in notConnected", .timeLimit(.minutes(10)))
  func badData() async throws {
    let pair = Pair()
    let (toBen, toAnn) = try await exchange(pair)
    for data in [Data(), Data([1, 2, 3]), toBen, toAnn.dropLast()] {
      pair.atAnn.forget()
      pair.atAnn.session.connectPeer(pair.atBen.peer, withNearbyConnectionData: data)
      await pair.world.advance(by: .seconds(1))
      #expect(pair.atAnn.states == ["ben notConnected"])
    }
  }

  @Test(
    "A cancelled attempt ends in notConnected, and so does a cancelled invitation", .timeLimit(.minutes(10)))
  func cancelled() async throws {
    let pair = Pair()
    let (_, toAnn) = try await exchange(pair)
    pair.atAnn.session.connectPeer(pair.atBen.peer, withNearbyConnectionData: toAnn)
    await pair.world.advance(by: .seconds(1))
    pair.atAnn.session.cancelConnectPeer(pair.atBen.peer)
    await pair.world.advance(by: .seconds(1))
    #expect(pair.atAnn.states == ["ben connecting", "ben notConnected"])

    let other = Pair(seed: 5)
    other.atBen.answer = .never
    other.connect()
    other.atAnn.session.cancelConnectPeer(other.atBen.peer)
    await other.world.advance(by: .seconds(1))
    #expect(other.atAnn.states == ["ben notConnected"])
    other.atAnn.session.cancelConnectPeer(other.atBen.peer)
    await other.world.advance(by: .seconds(1))
    #expect(other.atAnn.states == ["ben notConnected"])
  }

  @Test("Cancelling does not end a connection")
  func cancelConnected() {
    let pair = Pair()
    pair.connect()
    pair.atAnn.session.cancelConnectPeer(pair.atBen.peer)
    pair.world.advance(by: .seconds(5))
    #expect(pair.atAnn.session.connectedPeers == [pair.atBen.peer])
  }

  // MARK: Encryption

  @Test(
    "A peer that requires encryption does not connect with one that has none",
    arguments: [
      (MCEncryptionPreference.required, MCEncryptionPreference.none, false),
      (.none, .required, false), (.none, .none, true), (.optional, .none, true),
      (.optional, .required, true), (.required, .required, true), (.optional, .optional, true),
    ])
  func preferences(_ first: MCEncryptionPreference, _ second: MCEncryptionPreference, connects: Bool) {
    let world = World(seed: 8, drainsMainQueue: false)
    let ann = world.addPhone("Ann").launch { Networker("ann", encryption: first) }
    let ben = world.addPhone("Ben", at: [0, 3, 1.2]).launch { Networker("ben", encryption: second) }
    ann.start()
    ben.start()
    world.advance(by: .seconds(1))
    ann.invite(ben)
    world.advance(by: .seconds(20))
    #expect(ann.session.connectedPeers == (connects ? [ben.peer] : []))
    #expect(ben.session.connectedPeers == (connects ? [ann.peer] : []))
    #expect(ann.states.last == (connects ? "ben connected" : "ben notConnected"))
    #expect(ann.session.encryptionPreference == first)
  }
}
