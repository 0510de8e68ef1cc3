import NearbyPeerLink
import TestSupport
import Testing

@Suite("Limits on strangers and members")
struct AdmissionTests {
  /// The header of a frame without its payload.
  private func header(_ type: PeerFrameType, count: UInt32) -> [UInt8] {
    [type.rawValue] + (0..<4).map { UInt8(truncatingIfNeeded: count >> (8 * UInt32($0))) }
  }

  private func violations(_ actions: [PeerNode.Action]) -> [PeerLinkError] {
    actions.compactMap { if case .report(.violation(_, _, let error)) = $0 { error } else { nil } }
  }

  private func world() -> PeerWorld {
    var world = PeerWorld(2, seed: 5)
    world.apps[0].answers = .never
    return world
  }

  // MARK: Numbers of transfers

  @Test(
    "The largest transfer number is accepted; the error for the next transfer names both numbers",
    arguments: [PeerFrameType.resourceOffer, .streamOpen], [UInt32(0), 1, .max - 1, .max])
  func lastNumber(type: PeerFrameType, next: UInt32) {
    var pair = PeerPair()
    func begin(_ number: UInt32) -> PeerFrame {
      let id = TransferID(number: number)
      return type == .streamOpen ? .streamOpen(id, name: "s") : .resourceOffer(id, size: nil, name: "r")
    }
    var octets: [UInt8] = []
    for number in [UInt32.max, next] { begin(number).write(to: &octets) }
    pair.world.apps[0].node.received(octets.span, on: pair.links[0], at: pair.world.time)
    let actions = pair.world.apps[0].node.takeActions()
    let problems = violations(actions).compactMap { error -> OctetProblem? in
      if case .octets(.transfer, at: _, let problem) = error { problem } else { nil }
    }
    #expect(problems == [.unusableNumber(found: next, last: .max, expectsOdd: true)])
    #expect(pair.world.apps[0].node.state(pair.sessions[0], pair.b) == .notConnected)
  }

  @Test("A peer's first 16 resource offers are reported; the others wait in order unless cancelled")
  func waitingOffers() throws {
    var pair = PeerPair()
    let ids = try (0..<20).map { index in
      try pair.world.apps[1].node.sendResource(
        name: "\(index)", size: 1, to: pair.a, in: pair.sessions[1])
    }
    pair.carry()
    #expect(pair.transfers(0) == (0..<16).map { .resourceOffered(ids[$0], name: "\($0)", size: 1) })
    pair.world.apps[1].node.cancelResource(ids[16], with: pair.a, in: pair.sessions[1])
    pair.carry()
    #expect(pair.transfers(0).count == 16)
    pair.world.apps[0].node.cancelResource(ids[3], with: pair.b, in: pair.sessions[0])
    pair.world.apps[1].node.cancelResource(ids[0], with: pair.a, in: pair.sessions[1])
    pair.carry()
    let later = pair.transfers(0).dropFirst(16)
    #expect(
      Array(later) == [
        .resourceOffered(ids[17], name: "17", size: 1), .resourceOffered(ids[18], name: "18", size: 1),
        .resourceFailed(ids[0], .cancelled),
      ])
  }

  @Test("A member that offers resources endlessly without reading the replies is disconnected")
  func unreadAnswers() {
    var limits = PeerLimits()
    (limits.maximumBacklog, limits.replyBacklog, limits.maximumTransfers) = (4096, 4096, 1)
    var pair = PeerPair(limits: limits)
    var most = 0
    for number in stride(from: UInt32(1), to: 100_001, by: 2) {
      var octets: [UInt8] = []
      PeerFrame.resourceOffer(TransferID(number: number), size: nil, name: "r").write(to: &octets)
      pair.world.apps[0].node.received(octets.span, on: pair.links[0], at: pair.world.time)
      most = max(most, pair.world.apps[0].node.census.octets)
    }
    #expect(most < 16_384)
    #expect(pair.world.apps[0].node.state(pair.sessions[0], pair.b) == .notConnected)
  }

  // MARK: Strangers' frames

  @Test(
    "A stranger whose frame claims 64 MiB is refused with a reason, and nothing of it is stored",
    arguments: [false, true])
  func largeClaims(isGreeted: Bool) throws {
    var world = world()
    let piece = [UInt8](repeating: 0, count: 1 << 20)
    for index in 0..<40 {
      let identity = PeerWorld.identity(20 + index)
      let link = world.apps[0].node.linkAccepted(at: world.time)
      world.apps[0].node.linkSecured(link, remote: identity, at: world.time)
      if isGreeted {
        var hello: [UInt8] = []
        PeerFrame.hello(Hello(displayName: FrameSample.name, contact: [])).write(to: &hello)
        world.apps[0].node.received(hello.span, on: link, at: world.time)
      }
      _ = world.apps[0].node.takeOutput(link)
      _ = world.apps[0].node.takeActions()
      let octets = header(.data, count: 64 << 20)
      world.apps[0].node.received(octets.span, on: link, at: world.time)
      for _ in 0..<64 { world.apps[0].node.received(piece.span, on: link, at: world.time) }
      let start = isGreeted ? 5 + Hello(displayName: FrameSample.name, contact: []).size : 0
      #expect(violations(world.apps[0].node.takeActions()) == [.unexpectedFrame(.data, at: start)])
      #expect(
        world.apps[0].node.takeOutput(link)?.octets == [4, 1, 0, 0, 0, PeerReason.violation.rawValue])
      #expect(world.apps[0].node.census.strangers == 0)
    }
  }

  @Test(
    "Of a stranger's frames, only invitations and proofs may be larger than 2 KiB",
    arguments: PeerFrameType.allCases)
  func claims(type: PeerFrameType) throws {
    var world = world()
    let stranger = try #require(Stranger(&world.apps[0].node, PeerWorld.identity(30), at: world.time))
    _ = world.apps[0].node.takeActions()
    let octets = header(type, count: 2049)
    world.apps[0].node.received(octets.span, on: stranger.link, at: world.time)
    let mayClaim = type == .invite || type == .proof
    #expect(violations(world.apps[0].node.takeActions()).isEmpty == mayClaim)
    #expect(world.apps[0].node.census.strangers == (mayClaim ? 2049 : 0))
  }

  @Test("All strangers' large invitations together use at most 4 MiB; more are refused as crowded")
  func sharedMemory() throws {
    var world = world()
    var refused = 0
    let claim = header(.invite, count: 65_600)
    let part = [UInt8](repeating: 1, count: 60_000)
    for index in 0..<100 {
      let identity = PeerWorld.identity(20 + index)
      let link = world.apps[0].node.linkAccepted(at: world.time)
      world.apps[0].node.linkSecured(link, remote: identity, at: world.time)
      let stranger = PeerFrame.hello(Hello(displayName: FrameSample.name, contact: []))
      var octets: [UInt8] = []
      stranger.write(to: &octets)
      world.apps[0].node.received((octets + claim + part).span, on: link, at: world.time)
      _ = world.apps[0].node.takeOutput(link)
      #expect(world.apps[0].node.census.strangers <= 4 << 20)
      for error in violations(world.apps[0].node.takeActions()) {
        guard case .crowded(.invite, at: _, count: 65_600, maximum: 4 << 20) = error else {
          Issue.record("\(error)")
          continue
        }
        refused += 1
      }
    }
    #expect(refused == 100 - (4 << 20) / 65_600)
    // A small invitation is still accepted.
    let guest = try #require(Stranger(&world.apps[0].node, PeerWorld.identity(200), at: world.time))
    guest.say([Stranger.invite(1)], to: &world.apps[0].node, at: world.time)
    let isInvited = world.apps[0].node.takeActions().contains {
      if case .report(.invited) = $0 { true } else { false }
    }
    #expect(isInvited)
    // The strangers' memory is released after a time-out.
    world.apps[0].node.timePassed(at: world.time + .seconds(11))
    #expect(world.apps[0].node.census.strangers == 0)
  }

  @Test("Memory stays bounded for a stranger that pings endlessly and reads nothing")
  func pings() throws {
    var world = world()
    let stranger = try #require(Stranger(&world.apps[0].node, PeerWorld.identity(30), at: world.time))
    for _ in 0..<1000 {
      stranger.say((0..<100).map { .ping($0) }, to: &world.apps[0].node, at: world.time)
    }
    #expect(world.apps[0].node.census.octets < 32_768)
  }

  // MARK: Invented members

  private func inventedIdentity(_ number: Int) -> PeerIdentity {
    let octets = [UInt8(number & 255), UInt8(100 + number >> 8 & 63)] + [UInt8](repeating: 0, count: 30)
    guard let identity = try? PeerIdentity(octets: octets) else { preconditionFailure("32 octets") }
    return identity
  }

  /// A list of members in which a member announces peers that no other member knows.
  private func invented(_ count: Int, from start: Int) -> PeerFrame {
    .members(
      (0..<count).map { index in
        IntroducedMember(
          peer: PeerID(identity: inventedIdentity(start + index), displayName: FrameSample.name),
          session: PeerSessionID(stamp: .max, secret: UInt64(start + index)), contact: [255])
      })
  }

  @Test("A member that announces invented members causes a bounded number of connections and dials")
  func inventedMembers() throws {
    var pair = PeerPair()
    let start = pair.world.time
    var dials = 0
    for step in 0..<600 {
      let time = start + .milliseconds(100 * Int64(step))
      if step % 10 == 0 {
        var octets: [UInt8] = []
        invented(7, from: 7 * step).write(to: &octets)
        pair.world.apps[0].node.received(octets.span, on: pair.links[0], at: time)
      }
      pair.world.apps[0].node.timePassed(at: time)
      for action in pair.world.apps[0].node.takeActions() {
        switch action {
        case .dial(let link, _, _):
          dials += 1
          pair.world.apps[0].node.linkClosed(link, at: time)
        case .close(let link): pair.world.apps[0].node.linkClosed(link, at: time)
        case .output, .openDatagrams, .sendDatagram, .wake, .report, .received: break
        }
      }
      #expect(pair.world.apps[0].node.census.connections <= 7)
    }
    #expect(dials > 0)
    #expect(dials <= 16 + 60)
    #expect(pair.world.apps[0].node.state(pair.sessions[0], pair.b) == .connected)
  }

  @Test("A peer that really connects displaces peers that a member only announced")
  func placesTaken() throws {
    var world = PeerWorld(3, seed: 9)
    world.invite(1, from: 0)
    world.run(.seconds(1))
    let link = try #require(
      world.apps[0].node.link(of: PeerWorld.identity(1), in: world.apps[0].sessions[0]))
    var octets: [UInt8] = []
    invented(7, from: 10).write(to: &octets)
    world.apps[0].node.received(octets.span, on: link, at: world.time)
    world.perform(0)
    #expect(world.apps[0].node.census.connections == 7)
    // Peer 2 connects by its own invitation.
    world.invite(0, from: 2)
    world.run(.seconds(2))
    #expect(world.state(2, at: 0) == .connected)
    #expect(world.state(0, at: 2) == .connected)
  }

  @Test("A member's false announcement about a peer does not keep that peer out")
  func falseWord() throws {
    var world = PeerWorld(3, seed: 9)
    world.invite(1, from: 0)
    world.run(.seconds(1))
    let link = try #require(
      world.apps[0].node.link(of: PeerWorld.identity(1), in: world.apps[0].sessions[0]))
    var octets: [UInt8] = []
    let peer = world.apps[2].node.local
    let lie = IntroducedMember(peer: peer, session: PeerSessionID(stamp: .max, secret: 1), contact: [255])
    PeerFrame.members([lie]).write(to: &octets)
    world.apps[0].node.received(octets.span, on: link, at: world.time)
    world.perform(0)
    world.invite(2, from: 0)
    world.run(.seconds(3))
    #expect(world.state(2, at: 0) == .connected)
    #expect(world.state(0, at: 2) == .connected)
  }
}
