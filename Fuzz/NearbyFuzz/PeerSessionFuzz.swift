import NearbyPeerLink

/// Plays a script against a node that has several links in several roles: whole frames with numbers that
/// parsers often get wrong, frames that are cut off, requests of the app, time, and links that open and
/// close.
///
/// The octets are the script. Each step is an operation (one octet), a link (one octet), and the operation's
/// arguments.
func fuzzPeerSession(_ octets: [UInt8]) {
  var script = SessionScript(octets)
  var pair = FuzzedPair.connected
  var uptime = pair.uptime
  var links = [pair.link]
  while let operation = script.next(), let choice = script.next() {
    let link = links[Int(choice) % links.count]
    switch operation % 8 {
    case 0, 1, 2:
      var frame: [UInt8] = []
      script.frame().write(to: &frame)
      if operation & 0x80 != 0 { frame = Array(frame.prefix(Int(choice))) }
      pair.node.received(frame.span, on: link, at: uptime)
    case 3: pair.node.received(script.claim().span, on: link, at: uptime)
    case 4: pair.request(Int(choice), at: uptime)
    case 5:
      uptime += .milliseconds(10 * Int64(choice))
      pair.node.timePassed(at: uptime)
    case 6 where links.count < 24:
      // A stranger, or the peer itself on another link.
      let new = pair.node.linkAccepted(at: uptime)
      let identity = choice & 1 == 0 ? pair.other.local.identity : FuzzedPair.identity(3 + choice / 2)
      pair.node.linkSecured(new, remote: identity, at: uptime)
      links.append(new)
      if choice & 2 == 0 { pair.node.received(SessionScript.hello.span, on: new, at: uptime) }
    default: pair.node.linkClosed(link, at: uptime)
    }
    pair.perform(at: uptime)
    expectBounded(pair.node)
  }
  pair.finish(links, at: uptime)
}

/// Checks that a node's memory is bounded: a few kilobytes for each of its links, and what strangers share.
private func expectBounded(_ node: PeerNode) {
  let (census, limits) = (node.census, node.limits)
  precondition(census.connections < limits.maximumPeers + 1, "too many connections: \(census.connections)")
  precondition(census.links <= 64, "too many links: \(census.links)")
  precondition(
    census.strangers <= limits.strangerMemory, "strangers use too much memory: \(census.strangers) octets")
  precondition(
    census.octets <= limits.maximumBacklog + limits.replyBacklog + 64 * 2 * limits.controlBacklog,
    "too many octets are queued: \(census.octets)")
}

extension FuzzedPair {
  /// Ends all links and the app, lets time pass, and checks that nothing is kept.
  fileprivate mutating func finish(_ links: [LinkID], at start: Duration) {
    var uptime = start
    for link in links { node.linkClosed(link, at: uptime) }
    node.disconnect(session, at: uptime)
    for _ in 0..<100 where node.census != .nothing {
      uptime += .seconds(1)
      node.timePassed(at: uptime)
      perform(at: uptime)
    }
    precondition(node.census == .nothing, "an idle node still has \(node.census)")
  }
}

/// Reads steps, and frames that are well-formed but contain arbitrary values.
private struct SessionScript {
  private var rest: ArraySlice<UInt8>
  private static let numbers: [UInt64] = [
    0, 1, 2, 3, 5, 7, 0x7F, 0xFFFF, 0x7FFF_FFFF, 0xFFFF_FFFD, 0xFFFF_FFFE, 0xFFFF_FFFF, 1 << 32,
    UInt64(Int64.max), 1 << 63, .max,
  ]

  static let hello: [UInt8] = {
    var octets: [UInt8] = []
    PeerFrame.hello(Hello(displayName: name, contact: [1])).write(to: &octets)
    return octets
  }()
  private static let name = FuzzedPair.required { try DisplayName("fuzz") }
  private static let type = FuzzedPair.required { try ServiceType("fuzz") }

  init(_ octets: [UInt8]) { rest = octets[...] }

  mutating func next() -> UInt8? { rest.popFirst() }

  private mutating func octet() -> UInt8 { rest.popFirst() ?? 0 }

  private mutating func number() -> UInt64 {
    let choice = octet()
    return choice < 0x80 ? UInt64(choice) : Self.numbers[Int(choice & 15)]
  }

  private mutating func id() -> TransferID { TransferID(number: UInt32(truncatingIfNeeded: number())) }

  private mutating func session() -> PeerSessionID { PeerSessionID(stamp: number(), secret: number()) }

  private mutating func preference() -> EncryptionPreference {
    EncryptionPreference(rawValue: octet() % 3) ?? .required
  }

  private mutating func reason() -> PeerReason {
    let all = PeerReason.allCases
    return all[Int(octet()) % all.count]
  }

  private mutating func payload() -> [UInt8] { [UInt8](repeating: 7, count: Int(octet()) * 16) }

  private mutating func members() -> [IntroducedMember] {
    (0..<octet() % 9).map { _ in
      IntroducedMember(
        peer: PeerID(identity: FuzzedPair.identity(octet()), displayName: Self.name), session: session(),
        contact: octet() & 1 == 0 ? [] : [1])
    }
  }

  /// A header that claims any size, followed by a few octets.
  mutating func claim() -> [UInt8] {
    let (type, count) = (octet(), number())
    return [type] + (0..<4).map { UInt8(truncatingIfNeeded: count >> (8 * UInt64($0))) } + payload()
  }

  mutating func frame() -> PeerFrame {
    let types = PeerFrameType.allCases
    let type = types[Int(octet()) % types.count]
    return type.isSequenced ? ofConnection(type) : ofLink(type)
  }

  private mutating func ofLink(_ type: PeerFrameType) -> PeerFrame {
    switch type {
    case .hello: .hello(Hello(displayName: Self.name, contact: []))
    case .invite:
      .invite(
        Invite(
          number: number(), session: session(), preference: preference(),
          timeoutMilliseconds: UInt32(truncatingIfNeeded: number()), serviceType: Self.type,
          context: octet() & 1 == 0 ? nil : payload()))
    case .answer: .answer(Acceptance(session: session(), preference: preference()))
    case .join:
      .join(
        Join(target: session(), session: session(), preference: preference(), connection: number()))
    case .ready: .ready(Ready(connection: number(), ended: number(), received: number()))
    case .use:
      .use(
        LinkChoice(
          connection: number(), generation: UInt32(truncatingIfNeeded: number()), resumesAt: number(),
          received: number()))
    case .ping: .ping(number())
    case .pong: .pong(number())
    case .acknowledgement: .acknowledgement(received: number())
    case .members: .members(members())
    case .looseData: .looseData(payload())
    case .proof: .proof(payload())
    default: .refuse(reason())
    }
  }

  private mutating func ofConnection(_ type: PeerFrameType) -> PeerFrame {
    switch type {
    case .goodbye: .goodbye(reason())
    case .resourceOffer: .resourceOffer(id(), size: number() >> 1, name: "r")
    case .resourceCredit: .resourceCredit(id(), octets: number())
    case .resourceChunk: .resourceChunk(id(), payload())
    case .resourceComplete: .resourceComplete(id())
    case .resourceStored: .resourceStored(id())
    case .resourceCancel: .resourceCancel(id(), reason())
    case .streamOpen: .streamOpen(id(), name: "s")
    case .streamData: .streamData(id(), payload())
    case .streamEnd: .streamEnd(id())
    case .streamClose: .streamClose(id(), reason())
    case .streamCredit: .streamCredit(id(), octets: number())
    default: .data(payload())
    }
  }
}
