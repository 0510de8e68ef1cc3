import NearbyPeerLink
import TestSupport
import Testing

/// A stranger that sends octets to a node of a world, under any identity.
struct Stranger {
  let link: LinkID
  let identity: PeerIdentity

  init?(_ node: inout PeerNode, _ identity: PeerIdentity, at uptime: Duration = .zero) {
    link = node.linkAccepted(at: uptime)
    self.identity = identity
    node.linkSecured(link, remote: identity, at: uptime)
    say([.hello(Hello(displayName: FrameSample.name, contact: [9]))], to: &node, at: uptime)
  }

  func say(_ frames: [PeerFrame], to node: inout PeerNode, at uptime: Duration = .zero) {
    var octets: [UInt8] = []
    for frame in frames { frame.write(to: &octets) }
    node.received(octets.span, on: link, at: uptime)
  }

  static func invite(_ number: UInt64) -> PeerFrame {
    .invite(
      Invite(
        number: number, session: PeerSessionID(stamp: 1, secret: number), preference: .required,
        timeoutMilliseconds: 30_000, serviceType: PeerWorld.type, context: nil))
  }
}

@Suite("Hostile peers")
struct HostileTests {
  /// A world of two connected peers, to which strangers connect.
  private func world() -> PeerWorld {
    var world = PeerWorld(2, seed: 5)
    world.invite(1, from: 0)
    world.run(.seconds(1))
    world.apps[0].answers = .never
    return world
  }

  /// Checks that the two peers still work.
  private func expectUndisturbed(_ world: inout PeerWorld) {
    world.send(10, from: 0, to: 1)
    world.send(10, from: 1, to: 0)
    world.run(.seconds(60))
    #expect(world.history(1, at: 0) == [.connecting, .connected])
    #expect(world.disagreements() == [])
  }

  /// Closes the links that the node wants closed, as the shell does.
  private func closeLinks(_ world: inout PeerWorld) { world.perform(0) }

  @Test("Of a flood of invitations the app sees at most 32, and connected peers are not disturbed")
  func flood() throws {
    var world = world()
    for index in 0..<2000 {
      let identity = PeerWorld.identity(10 + index % 20)
      guard let stranger = Stranger(&world.apps[0].node, identity, at: world.time) else { continue }
      stranger.say([Stranger.invite(UInt64(index))], to: &world.apps[0].node, at: world.time)
      closeLinks(&world)
      world.run(.milliseconds(1))
      #expect(world.apps[0].node.census.invitations <= 32)
      #expect(world.apps[0].node.census.links <= 400)
    }
    #expect(world.apps[0].invited.count <= 32)
    expectUndisturbed(&world)
  }

  @Test("A thousand half-open links evict each other, not connected peers")
  func halfOpen() {
    var world = world()
    for index in 0..<1000 {
      let link = world.apps[0].node.linkAccepted(at: world.time)
      if index % 2 == 0 {
        world.apps[0].node.linkSecured(link, remote: PeerWorld.identity(20), at: world.time)
      }
      closeLinks(&world)
      world.run(.milliseconds(2))
      #expect(world.apps[0].node.census.links <= 140)
    }
    expectUndisturbed(&world)
  }

  @Test("Invalid frames close only the link they arrived on, with a reason")
  func noFrames() {
    var world = world()
    let texts = [
      "GET / HTTP/1.1\r\n\r\n", "\u{16}\u{3}\u{1}", "\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}",
      "@\u{7F}\u{7F}\u{7F}\u{7F}",
    ]
    for text in texts {
      let link = world.apps[0].node.linkAccepted(at: world.time)
      world.apps[0].node.linkSecured(link, remote: PeerWorld.identity(30), at: world.time)
      _ = world.apps[0].node.takeOutput(link)
      world.apps[0].node.received(Array(text.utf8).span, on: link, at: world.time)
      #expect(world.apps[0].node.takeOutput(link)?.octets == [4, 1, 0, 0, 0, PeerReason.violation.rawValue])
      let actions = world.apps[0].node.takeActions()
      #expect(actions.contains(.close(link)))
      let violations = actions.count { if case .report(.violation(link, _, _)) = $0 { true } else { false } }
      #expect(violations == 1)
      world.apps[0].node.linkClosed(link, at: world.time)
    }
    expectUndisturbed(&world)
  }

  @Test("A stranger's frame that is not allowed yet is a violation", arguments: FrameSample.all)
  func outOfTurn(sample: FrameSample) throws {
    var world = world()
    let stranger = try #require(Stranger(&world.apps[0].node, PeerWorld.identity(30), at: world.time))
    closeLinks(&world)
    stranger.say([sample.frame], to: &world.apps[0].node, at: world.time)
    let actions = world.apps[0].node.takeActions()
    switch sample.frame {
    case .invite, .join, .refuse, .ping, .pong, .proof: break
    default:
      let violations = actions.compactMap {
        if case .report(.violation(_, _, let error)) = $0 { error } else { nil }
      }
      let start = 5 + Hello(displayName: FrameSample.name, contact: [9]).size
      #expect(violations == [.unexpectedFrame(sample.frame.type, at: start)])
    }
    world.apps[0].node.linkClosed(stranger.link, at: world.time)
    expectUndisturbed(&world)
  }

  @Test("A peer cannot join with another peer's connection data")
  func replayedIdentity() throws {
    var world = world()
    let session = world.apps[0].node
    // The stranger knows the session's id because it was a member before. It uses the id under its own key.
    let data = try ConnectionData(
      session.connectionData(world.apps[0].sessions[0], for: PeerWorld.identity(30)))
    let stranger = try #require(Stranger(&world.apps[0].node, PeerWorld.identity(30), at: world.time))
    let join = Join(
      target: data.session, session: PeerSessionID(stamp: .max, secret: 1), preference: .required,
      connection: 0)
    stranger.say([.join(join)], to: &world.apps[0].node, at: world.time)
    closeLinks(&world)
    world.run(.seconds(30))
    #expect(
      world.apps[0].states[PeerWorld.identity(30)] == nil, "a peer that no member introduced must not appear")
    // A node that dials a peer and reaches another refuses it.
    world.invite(1, from: 0)
    expectUndisturbed(&world)
  }

  @Test("A link to the wrong peer, or to the peer itself, is refused")
  func wrongPeer() throws {
    var world = PeerWorld(3, seed: 1)
    let peer = world.apps[1].node.local
    _ = try world.apps[0].node.invite(
      peer, contact: [2], to: world.apps[0].sessions[0], serviceType: PeerWorld.type, context: nil,
      timeout: .seconds(3), at: .zero)
    world.run(.seconds(5))
    #expect(world.apps[0].ends == [.timedOut])
    #expect(world.apps[2].invited == [])
    let link = world.apps[0].node.linkAccepted(at: world.time)
    world.apps[0].node.linkSecured(link, remote: PeerWorld.identity(0), at: world.time)
    #expect(world.apps[0].node.takeActions().contains(.close(link)))
  }

  @Test("A member that sends impossible numbers or exceeds its credit is disconnected")
  func lies() throws {
    let lies: [PeerFrame] = [
      .acknowledgement(received: 1_000_000), .acknowledgement(received: .max),
      .hello(Hello(displayName: FrameSample.name, contact: [])),
      .streamOpen(TransferID(number: 0), name: ""),
      .resourceOffer(TransferID(number: 1), size: nil, name: ""),
      Stranger.invite(1), .use(LinkChoice(connection: 1, generation: 9, resumesAt: 0, received: 0)),
    ]
    for lie in lies {
      var pair = PeerPair()
      var octets: [UInt8] = []
      lie.write(to: &octets)
      // Try both transfer numbers, because one of them belongs to the receiver.
      if case .resourceOffer = lie {
        PeerFrame.resourceOffer(TransferID(number: 2), size: nil, name: "").write(to: &octets)
      }
      if case .streamOpen = lie { PeerFrame.streamOpen(TransferID(number: 1), name: "").write(to: &octets) }
      if case .streamOpen = lie { PeerFrame.streamOpen(TransferID(number: 1), name: "").write(to: &octets) }
      pair.world.apps[0].node.received(octets.span, on: pair.links[0], at: pair.world.time)
      pair.collectActions()
      #expect(pair.world.apps[0].node.state(pair.sessions[0], pair.b) == .notConnected, "\(lie)")
      #expect(pair.world.apps[0].node.census.octets < 64)
    }
    var pair = PeerPair()
    let id = try pair.world.apps[1].node.openStream(name: "s", to: pair.a, in: pair.sessions[1])
    pair.carry()
    var octets: [UInt8] = []
    for _ in 0..<5 { PeerFrame.streamData(id, [UInt8](repeating: 0, count: 65_536)).write(to: &octets) }
    pair.world.apps[0].node.received(octets.span, on: pair.links[0], at: pair.world.time)
    pair.collectActions()
    #expect(pair.world.apps[0].node.state(pair.sessions[0], pair.b) == .notConnected)
  }

  @Test("Required and none do not connect; none with none switches to plain links")
  func encryption() throws {
    for (a, b) in [
      (EncryptionPreference.none, EncryptionPreference.required), (.none, .none), (.none, .optional),
    ] {
      var world = PeerWorld(2, seed: 1)
      world.apps[0].sessions = [world.apps[0].node.openSession(a)]
      world.apps[1].sessions = [world.apps[1].node.openSession(b)]
      world.invite(1, from: 0)
      world.run(.seconds(2))
      #expect(world.state(1, at: 0) == (b == .required ? .notConnected : .connected))
      #expect(world.apps.map(\.plainLinks) == (b == .none ? [1, 1] : [0, 0]))
      #expect(world.disagreements() == [])
    }
  }

  @Test("Peers stay connecting until the app decides about a certificate; a refusal disconnects both")
  func certificates() {
    for isAccepted in [true, false] {
      for asked in 0..<2 {
        var world = PeerWorld(2, seed: 1)
        world.apps[asked].sessions = [world.apps[asked].node.openSession(.required, asksCertificates: true)]
        world.invite(1, from: 0)
        world.run(.seconds(2))
        #expect(world.state(1, at: 0) == .connecting)
        #expect(world.state(0, at: 1) == .connecting)
        let session = world.apps[asked].sessions[0]
        let other = PeerWorld.identity(1 - asked)
        world.apps[asked].node.certificateDecided(session, other, isAccepted: isAccepted, at: world.time)
        world.run(.seconds(2))
        let last: PeerState = isAccepted ? .connected : .notConnected
        #expect(world.history(1, at: 0) == [.connecting, last])
        #expect(world.history(0, at: 1) == [.connecting, last])
        #expect(world.disagreements() == [])
      }
    }
  }

  @Test("Frames with a changed octet do not stop a node or disturb connected peers", arguments: 0..<200)
  func random(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var world = world()
    let samples = FrameSample.all.map(\.octets)
    let stranger = try #require(Stranger(&world.apps[0].node, PeerWorld.identity(40), at: world.time))
    for _ in 0..<20 {
      var octets = samples.randomElement(using: &random) ?? []
      octets[Int.random(in: 0..<octets.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      world.apps[0].node.received(octets.span, on: stranger.link, at: world.time)
      closeLinks(&world)
    }
    world.apps[0].node.linkClosed(stranger.link, at: world.time)
    expectUndisturbed(&world)
    #expect(world.apps[0].node.census.links == 1, "seed \(seed): the stranger's link remains")
  }
}

extension Hello {
  /// Size of the payload in octets.
  var size: Int { 6 + 2 + displayName.text.utf8.count + 2 + contact.count }
}
