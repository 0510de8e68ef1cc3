import NearbyPeerLink
import Testing

@Suite("Sessions between nodes")
struct SessionTests {
  @Test(
    "An accepted invitation connects both peers, and messages arrive in order",
    arguments: [(0, 1), (1, 0), (4, 2)])
  func accepted(pair: (Int, Int)) {
    var world = PeerWorld(5, seed: 1)
    world.invite(pair.1, from: pair.0, context: [1, 2])
    world.run(.seconds(1))
    #expect(world.history(pair.1, at: pair.0) == [.connecting, .connected])
    #expect(world.history(pair.0, at: pair.1) == [.connecting, .connected])
    #expect(world.apps[pair.0].ends == [nil])
    #expect(world.disagreements() == [])
    world.send(100, from: pair.0, to: pair.1)
    world.send(100, from: pair.1, to: pair.0)
    world.run(.seconds(1))
    #expect(world.disagreements() == [])
    #expect(world.complaints == [])
  }

  @Test("Crossing invitations give one connection", arguments: 0..<50)
  func crossing(seed: UInt64) {
    var world = PeerWorld(2, seed: seed)
    world.invite(1, from: 0)
    world.run(.milliseconds(Int64(seed % 10) * 5))
    world.invite(0, from: 1)
    world.run(.seconds(3))
    for (at, of) in [(0, 1), (1, 0)] {
      #expect(world.history(of, at: at) == [.connecting, .connected], "seed \(seed)")
      #expect(world.apps[at].ends == [nil])
    }
    #expect(world.disagreements() == [], "seed \(seed)")
    #expect(world.complaints == [])
  }

  @Test(
    "A peer that reads nothing for minutes stays connected, and later receives everything",
    arguments: [[0], [0, 1]])
  func slowReaders(_ slow: [Int]) {
    var world = PeerWorld(2, seed: 4)
    world.invite(1, from: 0)
    world.run(.seconds(1))
    for node in slow { world.stopReading(node, from: 1 - node) }
    world.send(500, from: 0, to: 1)
    world.send(500, from: 1, to: 0)
    world.run(.seconds(300))
    for node in slow { world.goOnReading(node, from: 1 - node) }
    world.run(.seconds(20))
    for (at, of) in [(0, 1), (1, 0)] { #expect(world.history(of, at: at) == [.connecting, .connected]) }
    #expect(world.disagreements() == [])
    #expect(world.complaints == [])
    // From now on, silence must end the connection again.
    world.forget(0, 1)
    world.partitions = [[0, 1]]
    world.run(.seconds(60))
    #expect(world.state(1, at: 0) == .notConnected)
    #expect(world.state(0, at: 1) == .notConnected)
  }

  @Test("A declined invitation is reported and leaves nothing behind")
  func declined() {
    var world = PeerWorld(2, seed: 1)
    world.apps[1].answers = .no
    world.invite(1, from: 0)
    world.run(.seconds(1))
    #expect(world.apps[0].ends == [.declined])
    #expect(world.history(1, at: 0) == [.notConnected])
    #expect(world.history(0, at: 1) == [])
    #expect(world.disagreements() == [])
  }

  @Test("An unanswered invitation times out; a timeout of zero means 30 s", arguments: [0, 5])
  func neverAnswered(seconds: Int) {
    var world = PeerWorld(2, seed: 1)
    world.apps[1].answers = .never
    world.invite(1, from: 0, timeout: .seconds(seconds))
    let time = seconds == 0 ? 30 : seconds
    world.run(.seconds(time) - .milliseconds(1))
    #expect(world.apps[0].ends == [])
    world.run(.seconds(1))
    #expect(world.apps[0].ends == [.timedOut])
    #expect(world.history(1, at: 0) == [.notConnected])
    #expect(world.disagreements() == [])
  }

  @Test("An unreachable peer is dialled until the invitation's timeout")
  func absent() {
    var world = PeerWorld(2, seed: 1)
    world.partitions = [[0, 1]]
    world.invite(1, from: 0, timeout: .seconds(10))
    world.run(.seconds(5))
    #expect(world.apps[0].ends == [])
    world.partitions = []
    world.run(.seconds(4))
    #expect(world.history(1, at: 0) == [.connecting, .connected])
  }

  @Test("A peer that is invited into a session connects to all of its members")
  func mesh() {
    var world = PeerWorld(8, seed: 3)
    for peer in 1..<8 {
      world.invite(peer, from: peer - 1)
      world.run(.seconds(2))
    }
    for a in 0..<8 {
      for b in 0..<8 where a != b { #expect(world.history(b, at: a) == [.connecting, .connected]) }
    }
    #expect(world.disagreements() == [])
    #expect(world.complaints == [])
  }

  @Test("A peer over the limit is refused as session full; the limit can be raised")
  func full() {
    var limits = PeerLimits()
    limits.maximumPeers = 3
    var world = PeerWorld(4, seed: 3, limits: limits)
    for peer in 1..<3 {
      world.invite(peer, from: 0)
      world.run(.seconds(2))
    }
    world.invite(1, from: 3)
    world.run(.seconds(2))
    #expect(world.apps[3].ends == [.sessionFull])
    #expect(world.disagreements() == [])
    limits.maximumPeers = 12
    var large = PeerWorld(12, seed: 3, limits: limits)
    for peer in 1..<12 {
      large.invite(peer, from: 0)
      large.run(.seconds(3))
    }
    #expect(large.apps[11].node.connectedPeers(large.apps[11].sessions[0]).count == 11)
    #expect(large.disagreements() == [])
  }

  @Test("A short loss of the link is not reported to apps, and no message is lost", arguments: [true, false])
  func shortLoss(isTold: Bool) {
    var world = PeerWorld(2, seed: 9)
    world.invite(1, from: 0)
    world.run(.seconds(1))
    for _ in 0..<20 {
      world.send(30, from: 0, to: 1)
      world.send(30, from: 1, to: 0)
      world.run(.milliseconds(15))
      world.cut(0, 1, isTold: isTold)
      world.send(30, from: 1, to: 0)
      world.run(.seconds(9))
    }
    #expect(world.history(1, at: 0) == [.connecting, .connected])
    #expect(world.history(0, at: 1) == [.connecting, .connected])
    #expect(world.disagreements() == [])
    #expect(world.complaints == [])
  }

  @Test("A long loss of the link is reported to both, and the session can be used again")
  func longLoss() {
    var world = PeerWorld(2, seed: 9)
    world.invite(1, from: 0)
    world.run(.seconds(1))
    world.partitions = [[0, 1]]
    world.cut(0, 1, isTold: false)
    world.run(.seconds(30))
    #expect(world.state(1, at: 0) == .notConnected)
    #expect(world.state(0, at: 1) == .notConnected)
    world.partitions = []
    world.invite(0, from: 1)
    world.run(.seconds(2))
    #expect(world.history(1, at: 0) == [.connecting, .connected, .notConnected, .connecting, .connected])
    #expect(world.disagreements() == [])
  }

  @Test("Disconnecting first delivers what was sent, and is reported to all members")
  func disconnecting() {
    var world = PeerWorld(3, seed: 4)
    world.invite(1, from: 0)
    world.run(.seconds(1))
    world.invite(2, from: 0)
    world.run(.seconds(1))
    world.send(500, from: 0, to: 1)
    world.disconnect(0)
    #expect(world.history(1, at: 0) == [.connecting, .connected, .notConnected])
    world.apps[1].messages = []
    world.run(.seconds(20))
    #expect(world.history(0, at: 1) == [.connecting, .connected, .notConnected])
    #expect(world.history(0, at: 2) == [.connecting, .connected, .notConnected])
    #expect(world.state(2, at: 1) == .connected)
    #expect(world.disagreements() == [])
    #expect(world.complaints == [])
    world.invite(2, from: 0)
    world.run(.seconds(2))
    #expect(world.state(1, at: 0) == .connected, "a session can be used again after it was disconnected")
  }

  @Test("A peer that restarts replaces its former self at all members", arguments: 0..<20)
  func restart(seed: UInt64) {
    var world = PeerWorld(3, seed: seed)
    world.invite(1, from: 0)
    world.run(.seconds(1))
    world.invite(2, from: 0)
    world.run(.seconds(1))
    world.restart(2)
    world.invite(1, from: 2)
    world.run(.seconds(40))
    for a in 0..<3 { for b in 0..<3 where a != b { #expect(world.state(b, at: a) == .connected) } }
    #expect(world.disagreements() == [], "seed \(seed)")
    #expect(world.complaints == [])
  }

  @Test("Connection data connects two peers that both use it, and no others")
  func connectionData() throws {
    var world = PeerWorld(3, seed: 4)
    let data = try (0..<2).map { index in
      try world.apps[index].node.connectionData(
        world.apps[index].sessions[0], for: PeerWorld.identity(1 - index))
    }
    let (first, second) = (world.apps[0].node.local, world.apps[1].node.local)
    try world.apps[0].node.connect(second, connectionData: data[1], to: world.apps[0].sessions[0], at: .zero)
    world.perform(0)
    world.run(.seconds(3))
    #expect(world.history(1, at: 0) == [.connecting])
    #expect(world.history(0, at: 1) == [])
    try world.apps[1].node.connect(
      first, connectionData: data[0], to: world.apps[1].sessions[0], at: world.time)
    world.run(.seconds(3))
    #expect(world.history(1, at: 0) == [.connecting, .connected])
    #expect(world.history(0, at: 1) == [.connecting, .connected])
    #expect(world.disagreements() == [])
    #expect(throws: PeerLinkError.request(.wrongPeer)) {
      let session = world.apps[2].sessions[0]
      try world.apps[2].node.connect(first, connectionData: data[0], to: session, at: .zero)
    }
  }

  @Test("A connection attempt can be cancelled")
  func cancelling() throws {
    var world = PeerWorld(2, seed: 4)
    let data = try world.apps[1].node.connectionData(world.apps[1].sessions[0], for: PeerWorld.identity(0))
    let (session, second) = (world.apps[0].sessions[0], world.apps[1].node.local)
    try world.apps[0].node.connect(second, connectionData: data, to: session, at: .zero)
    world.run(.seconds(1))
    world.apps[0].node.cancelConnect(session, second.identity, at: world.time)
    world.run(.seconds(1))
    #expect(world.history(1, at: 0) == [.connecting, .notConnected])
    #expect(world.disagreements() == [])
  }
}
