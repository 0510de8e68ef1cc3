import MultipeerConnectivity
import NearbyTesting
import Testing

@Suite("MultipeerConnectivity between phones")
struct MultipeerTests {
  let pair = Pair()
  private var world: World { pair.world }

  @Test("Peers are found with their info, do not find themselves, and are lost when they stop")
  func discovery() {
    pair.atAnn.start()
    pair.atBen.start()
    world.advance(by: .seconds(1))
    #expect(pair.atAnn.history == ["found ben b"])
    #expect(pair.atBen.history == ["found ann a"])
    pair.atBen.advertiser.stopAdvertisingPeer()
    world.advance(by: .seconds(3))
    #expect(pair.atAnn.history == ["found ben b", "lost ben"])
    pair.atBen.advertiser.startAdvertisingPeer()
    world.advance(by: .seconds(1))
    #expect(pair.atAnn.history == ["found ben b", "lost ben", "found ben b"])
  }

  @Test("An accepted invitation connects both, with the context, and data passes in both directions in order")
  func accepted() throws {
    pair.atAnn.start()
    pair.atBen.start()
    world.advance(by: .seconds(1))
    pair.atAnn.invite(pair.atBen, context: Data("hello".utf8))
    world.advance(by: .seconds(1))
    #expect(pair.atAnn.states == ["ben connecting", "ben connected"])
    #expect(pair.atBen.states == ["ann connecting", "ann connected"])
    #expect(pair.atBen.contexts == [Data("hello".utf8)])
    for number in 0..<100 {
      try pair.atAnn.send("\(number)")
      try pair.atBen.send("\(number)", mode: .unreliable)
    }
    world.advance(by: .seconds(1))
    #expect(pair.atBen.messages == (0..<100).map { "ann: \($0)" })
    #expect(Set(pair.atAnn.messages) == Set((0..<100).map { "ben: \($0)" }))
  }

  @Test(
    "A declined and an unanswered invitation end in notConnected", arguments: [Networker.Answer.no, .never])
  func refused(answer: Networker.Answer) {
    pair.atBen.answer = answer
    pair.atAnn.timeout = 5
    pair.connect()
    if case .never = answer {
      #expect(pair.atAnn.states.isEmpty)
      world.advance(by: .seconds(5))
    }
    #expect(pair.atAnn.states == ["ben notConnected"])
    #expect(pair.atBen.states.isEmpty)
    #expect(pair.atAnn.session.connectedPeers.isEmpty)
  }

  @Test("An invitation without a time-out expires after 30 s")
  func defaultTimeout() {
    pair.atBen.answer = .never
    pair.atAnn.timeout = 0
    pair.connect()
    world.advance(by: .seconds(28))
    #expect(pair.atAnn.states.isEmpty)
    world.advance(by: .seconds(2))
    #expect(pair.atAnn.states == ["ben notConnected"])
  }

  @Test("Crossing invitations connect each side once", arguments: 1...20 as ClosedRange<UInt64>)
  func crossing(seed: UInt64) {
    let pair = Pair(seed: seed)
    pair.atAnn.invites = true
    pair.atBen.invites = true
    pair.atAnn.start()
    pair.atBen.start()
    pair.world.advance(by: .seconds(40))
    #expect(pair.atAnn.states == ["ben connecting", "ben connected"], "seed \(seed)")
    #expect(pair.atBen.states == ["ann connecting", "ann connected"], "seed \(seed)")
  }

  @Test("Data sent before disconnect arrives; both are notified, and the session can be used again")
  func disconnect() throws {
    pair.connect()
    try pair.atAnn.send("last words")
    pair.atAnn.session.disconnect()
    world.advance(by: .seconds(1))
    #expect(pair.atBen.messages == ["ann: last words"])
    #expect(pair.atAnn.states.last == "ben notConnected")
    #expect(pair.atBen.states.last == "ann notConnected")
    #expect(pair.atBen.session.connectedPeers.isEmpty)
    pair.atAnn.invite(pair.atBen)
    world.advance(by: .seconds(1))
    #expect(pair.atAnn.session.connectedPeers == [pair.atBen.peer])
    #expect(pair.atBen.session.connectedPeers == [pair.atAnn.peer])
  }

  @Test("send throws an error with the reason")
  func errors() throws {
    let (ann, ben) = (pair.atAnn, pair.atBen)
    func code(_ peers: [MCPeerID]) -> MCError.Code? {
      do {
        try ann.session.send(Data([1]), toPeers: peers, with: .reliable)
        return nil
      } catch { return (error as? MCError)?.code }
    }
    #expect(code([]) == .invalidParameter)
    #expect(code([ben.peer]) == .notConnected)
    pair.connect()
    #expect(code([ben.peer]) == nil)
    #expect(code([ben.peer, ann.peer]) == .notConnected)
    do {
      try ann.session.send(Data(), toPeers: [], with: .reliable)
      Issue.record("sending to no peers did not throw")
    } catch MCError.invalidParameter {} catch { Issue.record("\(error)") }
  }

  // MARK: Networks that fail

  @Test("A partition of eight seconds is not reported, and no message is lost")
  func shortPartition() throws {
    pair.connect()
    pair.atAnn.forget()
    pair.atBen.forget()
    world.partition(pair.ann, pair.ben)
    for number in 0..<8 {
      try pair.atAnn.send("\(number)")
      world.advance(by: .seconds(1))
    }
    #expect(pair.atBen.messages.isEmpty)
    world.heal()
    world.advance(by: .seconds(5))
    #expect(pair.atBen.messages == (0..<8).map { "ann: \($0)" })
    #expect(pair.atAnn.history.isEmpty)
    #expect(pair.atBen.history.isEmpty)
  }

  @Test("A longer partition ends the connection, and later the peer is reported as lost")
  func longPartition() {
    pair.connect()
    pair.atAnn.forget()
    world.partition(pair.ann, pair.ben)
    world.advance(by: .seconds(30))
    #expect(pair.atAnn.history == ["ben notConnected"])
    world.advance(by: .seconds(120))
    #expect(pair.atAnn.history == ["ben notConnected", "lost ben"])
    world.heal()
    world.advance(by: .seconds(1))
    #expect(pair.atAnn.history.last == "found ben b")
  }

  @Test("Broken connections are restored without being reported")
  func broken() throws {
    pair.connect()
    pair.atAnn.forget()
    for number in 0..<10 {
      try pair.atAnn.send("\(number)")
      world.breakConnections(pair.ann, pair.ben)
      world.advance(by: .seconds(2))
    }
    #expect(pair.atBen.messages == (0..<10).map { "ann: \($0)" })
    #expect(pair.atAnn.history.isEmpty)
  }

  @Test("Loss delays reliable messages and drops others")
  func loss() throws {
    pair.connect()
    world.setNetworkLoss(0.3)
    for number in 0..<100 {
      try pair.atAnn.send("\(number)")
      try pair.atBen.send("\(number)", mode: .unreliable)
      world.advance(by: .milliseconds(20))
    }
    world.advance(by: .seconds(10))
    #expect(pair.atBen.messages == (0..<100).map { "ann: \($0)" })
    #expect((50..<90).contains(pair.atAnn.messages.count))
  }

  @Test("A peer that leaves the network loses all others at once, and finds them again on return")
  func leaving() {
    pair.connect()
    pair.atBen.forget()
    pair.ben.leaveNetwork()
    world.advance(by: .seconds(30))
    #expect(pair.atBen.history == ["lost ann", "ann notConnected"])
    pair.ben.joinNetwork()
    world.advance(by: .seconds(1))
    #expect(pair.atBen.history.last == "found ann a")
  }

  @Test("A relaunched app is lost to its peer, and returns under its archived identity")
  func relaunch() throws {
    pair.connect()
    let archive = try NSKeyedArchiver.archivedData(
      withRootObject: pair.atBen.peer, requiringSecureCoding: true)
    pair.atAnn.forget()
    pair.ben.relaunch()
    #expect(throws: MCError.self) {
      try pair.atBen.session.send(Data([1]), toPeers: [pair.atAnn.peer], with: .reliable)
    }
    let peer = try #require(try NSKeyedUnarchiver.unarchivedObject(ofClass: MCPeerID.self, from: archive))
    let again = pair.ben.launch { Networker("ben", peer: peer, info: ["identity": "new"]) }
    again.start()
    world.advance(by: .seconds(1))
    #expect(pair.atAnn.history.contains("found ben new"))
    pair.atAnn.invite(again)
    world.advance(by: .seconds(20))
    #expect(pair.atAnn.session.connectedPeers == [peer])
    #expect(again.session.connectedPeers == [pair.atAnn.peer])
    try pair.atAnn.send("to the new one")
    world.advance(by: .seconds(1))
    #expect(again.messages == ["ann: to the new one"])
    #expect(pair.atBen.messages.isEmpty)
  }

  // MARK: Determinism

  @Test("The same seed gives the same history")
  func determinism() throws {
    func run() throws -> [[String]] {
      let pair = Pair(seed: 9)
      pair.world.setNetworkLoss(0.1)
      pair.connect()
      try pair.atAnn.send("x")
      pair.world.partition(pair.ann, pair.ben)
      pair.world.advance(by: .seconds(40))
      return [pair.atAnn.history, pair.atBen.history, pair.atBen.messages, ["\(pair.atAnn.peer)"]]
    }
    #expect(try run() == run())
  }
}
