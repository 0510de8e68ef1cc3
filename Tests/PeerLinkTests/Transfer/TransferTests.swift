import NearbyPeerLink
import Testing

/// Two connected nodes. The test carries their octets, immediately and without delay.
struct PeerPair {
  var world: PeerWorld
  let a = PeerWorld.identity(0)
  let b = PeerWorld.identity(1)
  var links: [LinkID] = []
  /// The actions of each node, without outputs and wake-ups.
  var actions: [[PeerNode.Action]] = [[], []]

  init(limits: PeerLimits = PeerLimits()) {
    world = PeerWorld(2, seed: 1, limits: limits)
    world.invite(1, from: 0)
    world.run(.seconds(1))
    guard let pipe = world.pipes.last(where: { !$0.isDead }) else { return }
    links =
      pipe.dialler.node == 0
      ? [pipe.dialler.link, pipe.acceptor.link] : [pipe.acceptor.link, pipe.dialler.link]
  }

  var sessions: [SessionKey] { world.apps.map { $0.sessions[0] } }

  /// Carries octets until both nodes are silent, for at most `rounds` rounds.
  mutating func carry(rounds: Int = 10_000) {
    for _ in 0..<rounds {
      var isSilent = true
      for side in 0..<2 {
        while let output = world.apps[side].node.takeOutput(links[side]) {
          isSilent = false
          world.apps[1 - side].node.received(output.octets.span, on: links[1 - side], at: world.time)
        }
      }
      collectActions()
      if isSilent { return }
    }
  }

  mutating func collectActions() {
    for side in 0..<2 { actions[side] += world.apps[side].node.takeActions() }
  }

  func transfers(_ side: Int) -> [TransferEvent] {
    actions[side].compactMap { if case .report(.transfer(_, _, let event)) = $0 { event } else { nil } }
  }

  func messages(_ side: Int) -> [[UInt8]] {
    actions[side].compactMap { if case .received(_, _, let octets) = $0 { octets } else { nil } }
  }

  mutating func send(_ octets: [UInt8], _ mode: SendMode = .reliable) throws {
    try world.apps[0].node.send(octets.span, to: [b], in: sessions[0], mode)
  }
}

@Suite("Messages, resources and streams")
struct TransferTests {
  @Test("Messages of all sizes arrive unchanged", arguments: [0, 1, 64, 16_383, 16_384, 65_536, 1 << 20])
  func sizes(count: Int) throws {
    var pair = PeerPair()
    let octets = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    for _ in 0..<3 { try pair.send(octets) }
    try pair.send([1], .unreliable)
    pair.carry()
    #expect(pair.messages(1).count == 4)
    #expect(pair.messages(1).count { $0 == octets } >= 3)
    for side in 0..<2 { pair.world.apps[side].node.timePassed(at: pair.world.time + .seconds(1)) }
    pair.carry()
    #expect(pair.world.disagreements() == [])
  }

  @Test("A long queue pauses the app, room resumes it, and a full queue refuses messages")
  func backPressure() throws {
    var limits = PeerLimits()
    (limits.highWater, limits.lowWater, limits.maximumBacklog) = (1 << 20, 1 << 19, 1 << 21)
    var pair = PeerPair(limits: limits)
    let message = [UInt8](repeating: 1, count: 1 << 18)
    for _ in 0..<5 { try pair.send(message) }
    pair.collectActions()
    let pause = PeerNode.Action.report(.pause(pair.sessions[0], pair.b))
    #expect(pair.actions[0].count { $0 == pause } == 1)
    for _ in 0..<2 { try pair.send(message) }
    #expect(throws: PeerLinkError.request(.backlogged(pair.b))) { try pair.send(message) }
    pair.carry()
    #expect(pair.actions[0].contains(.report(.resume(pair.sessions[0], pair.b))))
    #expect(pair.messages(1).count == 7)
  }

  @Test("Sending to no peer, to an unconnected peer or too large a message throws and sends nothing")
  func refusals() throws {
    var limits = PeerLimits()
    limits.maximumMessage = 100
    var pair = PeerPair(limits: limits)
    let session = pair.sessions[0]
    #expect(throws: PeerLinkError.request(.noPeers)) {
      try pair.world.apps[0].node.send([1].span, to: [], in: session, .reliable)
    }
    let stranger = PeerWorld.identity(9)
    #expect(throws: PeerLinkError.request(.notConnected(stranger))) {
      try pair.world.apps[0].node.send([1].span, to: [pair.b, stranger], in: session, .reliable)
    }
    #expect(throws: PeerLinkError.request(.tooLarge(count: 101, maximum: 100))) {
      try pair.send([UInt8](repeating: 0, count: 101))
    }
    pair.carry()
    #expect(pair.messages(1) == [])
  }

  @Test("Unreliable messages that fit are sent as datagrams once the association is open")
  func datagrams() throws {
    var pair = PeerPair()
    pair.world.apps[0].node.datagramsOpened(pair.links[0], maximum: 20)
    try pair.send([1, 2], .unreliable)
    try pair.send([UInt8](repeating: 3, count: 16), .unreliable)
    pair.carry()
    #expect(pair.messages(1) == [[UInt8](repeating: 3, count: 16)])
    let datagrams = pair.actions[0].compactMap {
      if case .sendDatagram(_, let octets) = $0 { octets } else { nil }
    }
    #expect(datagrams.count == 1 && datagrams[0].count == 7)
    let datagram = datagrams[0]
    try pair.world.apps[1].node.receivedDatagram(datagram.span, on: pair.links[1])
    var foreign = datagram
    foreign[1] ^= 1
    try pair.world.apps[1].node.receivedDatagram(foreign.span, on: pair.links[1])
    pair.collectActions()
    #expect(pair.messages(1).last == [1, 2])
    #expect(pair.messages(1).count == 2)
  }

  /// Transfers a resource to an app that reads, stores and counts its octets.
  private func pass(_ size: Int, told: Bool, _ pair: inout PeerPair) throws -> (most: Int, stored: Int) {
    let (from, to) = (pair.sessions[0], pair.sessions[1])
    let id = try pair.world.apps[0].node.sendResource(
      name: "r", size: told ? UInt64(size) : nil, to: pair.b, in: from)
    var (most, stored, place) = (0, 0, [0, 0])
    let piece = [UInt8](repeating: 5, count: 65_536)
    while true {
      pair.carry()
      var isDone = true
      for side in 0..<2 {
        let events = pair.transfers(side)
        for event in events.dropFirst(place[side]) {
          isDone = false
          switch event {
          case .resourceOffered: try pair.world.apps[1].node.acceptResource(id, from: pair.a, in: to)
          case .readResource(_, let offset, let count):
            let octets = Array(piece.prefix(min(count, size - Int(offset))))
            try pair.world.apps[0].node.resourceRead(id, octets.span, to: pair.b, in: from)
          case .resourceChunk(_, let octets):
            stored += octets.count
            try pair.world.apps[1].node.resourceConsumed(id, octets.count, from: pair.a, in: to)
          case .resourceComplete: try pair.world.apps[1].node.resourceStored(id, from: pair.a, in: to)
          case .resourceProgress, .resourceSent, .resourceFailed, .streamOpened, .streamData, .streamWritable,
            .streamEnded, .streamClosed:
            break
          }
          most = max(most, pair.world.apps[0].node.census.octets)
        }
        place[side] = events.count
      }
      if isDone { return (most, stored) }
    }
  }

  @Test(
    "A resource arrives complete, with progress, and uses about 1 MiB of memory", arguments: [true, false])
  func resource(told: Bool) throws {
    var pair = PeerPair()
    let size = 20_000_001
    let (most, stored) = try pass(size, told: told, &pair)
    #expect(stored == size)
    #expect(most <= (1 << 20) + 70_000)
    let events = pair.transfers(0)
    #expect(
      events.last == .resourceSent(TransferID(number: 2))
        || events.last == .resourceSent(TransferID(number: 3)))
    let progress = events.compactMap { if case .resourceProgress(_, let stored) = $0 { stored } else { nil } }
    #expect(progress == progress.sorted())
    #expect(progress.count > 50)
  }

  @Test("A small message does not wait for a large resource")
  func fairness() throws {
    var pair = PeerPair()
    let (from, to) = (pair.sessions[0], pair.sessions[1])
    let id = try pair.world.apps[0].node.sendResource(name: "r", size: 1 << 30, to: pair.b, in: from)
    pair.carry()
    try pair.world.apps[1].node.acceptResource(id, from: pair.a, in: to)
    pair.carry()
    var place = 0
    for _ in 0..<200 {
      let events = pair.transfers(0)
      for case .readResource(_, _, let count) in events.dropFirst(place) {
        let octets = [UInt8](repeating: 0, count: count)
        try pair.world.apps[0].node.resourceRead(id, octets.span, to: pair.b, in: from)
      }
      place = events.count
      pair.collectActions()
    }
    #expect(pair.world.apps[0].node.census.octets < (1 << 20) + 70_000, "octets queued before a new message")
    try pair.send([7])
    pair.carry()
    #expect(pair.messages(1) == [[7]])
  }

  private let none: [UInt8] = []

  @Test("Either side can cancel a resource; one of the wrong size fails as a violation")
  func cancelling() throws {
    for side in 0..<2 {
      var pair = PeerPair()
      let (from, to) = (pair.sessions[0], pair.sessions[1])
      let id = try pair.world.apps[0].node.sendResource(name: "r", size: 100, to: pair.b, in: from)
      pair.carry()
      try pair.world.apps[1].node.acceptResource(id, from: pair.a, in: to)
      pair.carry()
      if side == 0 {
        pair.world.apps[0].node.cancelResource(id, with: pair.b, in: from)
      } else {
        pair.world.apps[1].node.cancelResource(id, with: pair.a, in: to)
      }
      pair.carry()
      #expect(pair.transfers(1 - side).last == .resourceFailed(id, .cancelled))
      #expect(pair.world.complaints == [])
    }
    var pair = PeerPair()
    let id = try pair.world.apps[0].node.sendResource(name: "r", size: 100, to: pair.b, in: pair.sessions[0])
    pair.carry()
    try pair.world.apps[1].node.acceptResource(id, from: pair.a, in: pair.sessions[1])
    pair.carry()
    try pair.world.apps[0].node.resourceRead(id, [1, 2].span, to: pair.b, in: pair.sessions[0])
    try pair.world.apps[0].node.resourceRead(id, none.span, to: pair.b, in: pair.sessions[0])
    pair.carry()
    #expect(pair.transfers(1).last == .resourceFailed(id, .violation))
    #expect(pair.transfers(0).last == .resourceFailed(id, .violation))
  }

  @Test("Streams carry octets both ways, wait for the reader, and end in each direction separately")
  func streams() throws {
    var pair = PeerPair()
    let (from, to) = (pair.sessions[0], pair.sessions[1])
    let id = try pair.world.apps[0].node.openStream(name: "s", to: pair.b, in: from)
    pair.carry()
    #expect(pair.transfers(1) == [.streamOpened(id, name: "s")])
    let many = [UInt8](repeating: 4, count: 1 << 20)
    let taken = try pair.world.apps[0].node.writeStream(id, many.span, to: pair.b, in: from)
    #expect(taken == 256 << 10)
    _ = try pair.world.apps[1].node.writeStream(id, [9].span, to: pair.a, in: to)
    pair.carry()
    #expect(pair.transfers(0).last == .streamData(id, [9]))
    let came = pair.transfers(1).reduce(0) {
      if case .streamData(_, let octets) = $1 { $0 + octets.count } else { $0 }
    }
    #expect(came == 256 << 10)
    try pair.world.apps[1].node.streamConsumed(id, came, from: pair.a, in: to)
    pair.carry()
    #expect(pair.transfers(0).last == .streamWritable(id))
    try pair.world.apps[0].node.endStream(id, to: pair.b, in: from)
    pair.carry()
    #expect(pair.transfers(1).last == .streamEnded(id))
    _ = try pair.world.apps[1].node.writeStream(id, [1].span, to: pair.a, in: to)
    #expect(throws: PeerLinkError.request(.transferEnded(id))) {
      try pair.world.apps[0].node.writeStream(id, [1].span, to: pair.b, in: from)
    }
    try pair.world.apps[1].node.endStream(id, to: pair.a, in: to)
    pair.carry()
    #expect(
      pair.transfers(0).suffix(3) == [.streamData(id, [1]), .streamEnded(id), .streamClosed(id, .left)])
  }

  @Test("When a peer leaves, its transfers fail before it is reported as not connected")
  func failing() throws {
    var pair = PeerPair()
    let id = try pair.world.apps[0].node.openStream(name: "s", to: pair.b, in: pair.sessions[0])
    pair.carry()
    pair.world.apps[0].node.disconnect(pair.sessions[0], at: pair.world.time)
    pair.carry()
    let reports = pair.actions[1].compactMap { if case .report(let event) = $0 { event } else { nil } }
    #expect(
      reports.suffix(2) == [
        .transfer(pair.sessions[1], pair.a, .streamClosed(id, .left)),
        .state(pair.sessions[1], pair.world.apps[0].node.local, .notConnected),
      ])
  }
}
