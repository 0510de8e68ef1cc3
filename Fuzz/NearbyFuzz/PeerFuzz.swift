import NearbyPeerLink

/// Parses a stream in one piece and octet by octet. Every frame must survive a round trip.
///
/// A crash here, or a failed precondition, is a finding: keep the octets as a golden.
func fuzzPeerFrames(_ octets: [UInt8]) {
  var limits = PeerLimits()
  limits.maximumMessage = 4096
  let whole = frames(of: [octets], limits)
  let dripping = frames(of: octets.map { [$0] }, limits)
  precondition(
    whole.frames == dripping.frames, "feeding octets one by one gives other frames than feeding them at once")
  precondition(
    whole.error == dripping.error, "feeding octets one by one gives another error than feeding them at once")
  for frame in whole.frames {
    var again: [UInt8] = []
    frame.write(to: &again)
    precondition(
      frames(of: [again], limits).frames == [frame], "a frame changes when it is written and read back")
  }
}

private func frames(of chunks: [[UInt8]], _ limits: PeerLimits) -> (
  frames: [PeerFrame], error: PeerLinkError?
) {
  var parser = FrameParser()
  var found: [PeerFrame] = []
  do throws(PeerLinkError) {
    for chunk in chunks {
      try parser.parse(
        chunk.span,
        admit: { (type, count, offset) throws(PeerLinkError) in
          try type.check(count, limits, at: offset)
        },
        view: { (type, payload, offset) throws(PeerLinkError) in
          found.append(try PeerFrame(type, parsing: payload, at: offset))
        },
        whole: { (type, payload, offset) throws(PeerLinkError) in
          found.append(try PeerFrame(type, parsing: payload.span, at: offset))
        })
    }
  } catch {
    return (found, error)
  }
  return (found, nil)
}

/// Parses octets as archives, connection data, datagrams and TXT records. Any input must be handled, and
/// formats with a single form must be read strictly.
func fuzzPeerArchives(_ octets: [UInt8]) {
  if let peer = try? PeerID(archive: octets) {
    precondition(peer.archive == octets, "an archive is written differently than it was read")
  }
  if let data = try? ConnectionData(octets) {
    precondition(data.octets == octets, "connection data is written differently than it was read")
  }
  _ = try? DatagramForm.parse(octets.span)
  let entries = octets.split(separator: 0, omittingEmptySubsequences: false).map(Array.init)
  guard let advertised = try? AdvertisedPeer(textEntries: entries) else { return }
  let again = try? AdvertisedPeer(textEntries: advertised.textEntries)
  precondition(again == advertised, "an advertised peer changes when it is written and read back")
}

/// Feeds octets to a node, either from a stranger or, after the first octets of a connection, from a peer.
///
/// The first octet selects which; the rest is what the other side sends, and what the app does meanwhile.
func fuzzPeerNode(_ octets: [UInt8]) {
  guard let first = octets.first else { return }
  var pair = FuzzedPair.connected
  let link = first & 1 == 0 ? pair.stranger() : pair.link
  var uptime = pair.uptime
  var rest = octets.dropFirst()
  let chunk = 1 + Int(first >> 2)
  while !rest.isEmpty {
    let piece = Array(rest.prefix(chunk))
    rest = rest.dropFirst(chunk)
    pair.node.received(piece.span, on: link, at: uptime)
    pair.perform(at: uptime)
    uptime += .milliseconds(50)
    pair.node.timePassed(at: uptime)
    if first & 2 != 0 { pair.request(Int(rest.first ?? 0), at: uptime) }
    pair.perform(at: uptime)
    precondition(pair.node.census.links <= 16, "the number of links exceeds its limit")
  }
  pair.node.linkClosed(link, at: uptime)
  pair.node.disconnect(pair.session, at: uptime)
  for _ in 0..<100 where pair.node.census != .nothing {
    uptime += .seconds(1)
    pair.node.timePassed(at: uptime)
    pair.perform(at: uptime)
  }
  precondition(pair.node.census == .nothing, "an idle node still has \(pair.node.census)")
}

/// A node, and another that it is connected to until the fuzzer speaks for that one.
struct FuzzedPair {
  /// Created once. Every input starts with a copy.
  static let connected = FuzzedPair()

  var node: PeerNode
  var other: PeerNode
  let session: SessionKey
  private(set) var link: LinkID
  let uptime = Duration.seconds(1)

  init() {
    let type = Self.required { try ServiceType("fuzz") }
    (node, other) = (Self.makeNode(1), Self.makeNode(2))
    node.advertise(type)
    session = node.openSession(.required)
    let theirs = other.openSession(.required)
    let peer = node.local
    _ = try? other.invite(
      peer, contact: [1], to: theirs, serviceType: type, context: nil, timeout: .zero, at: .zero)
    link = node.linkAccepted(at: .zero)
    for case .dial(let dialled, _, _) in other.takeActions() {
      node.linkSecured(link, remote: other.local.identity, at: .zero)
      other.linkSecured(dialled, remote: node.local.identity, at: .zero)
      for _ in 0..<6 {
        while let output = node.takeOutput(link) {
          other.received(output.octets.span, on: dialled, at: .zero)
        }
        while let output = other.takeOutput(dialled) {
          node.received(output.octets.span, on: link, at: .zero)
        }
        for case .report(.invited(let id, _, _, _)) in node.takeActions() {
          node.answerInvitation(id, accept: session, at: .zero)
        }
      }
    }
    precondition(node.connectedPeers(session).count == 1, "the two peers did not connect")
  }

  mutating func stranger() -> LinkID {
    let link = node.linkAccepted(at: uptime)
    node.linkSecured(link, remote: Self.identity(3), at: uptime)
    return link
  }

  /// Executes the actions like a shell that writes and closes immediately, and whose attempts to connect all
  /// fail.
  mutating func perform(at uptime: Duration) {
    for _ in 0..<8 {
      let actions = node.takeActions()
      for action in actions {
        switch action {
        case .output(let link): while node.takeOutput(link) != nil {}
        case .close(let link), .dial(let link, _, _): node.linkClosed(link, at: uptime)
        case .report(.invited(let id, _, _, _)):
          node.answerInvitation(id, accept: uptime < .seconds(2) ? session : nil, at: uptime)
        case .openDatagrams, .sendDatagram, .wake, .report, .received: break
        }
      }
      if actions.isEmpty { return }
    }
  }

  /// Any request that an app may make.
  mutating func request(_ choice: Int, at uptime: Duration) {
    let (id, peer) = (TransferID(number: UInt32(choice & 7)), other.local.identity)
    let octets = [UInt8](repeating: 0, count: choice)
    switch choice >> 4 {
    case 0: try? node.send(octets.span, to: [peer], in: session, .reliable)
    case 1: try? node.send(octets.span, to: [peer], in: session, .unreliable)
    case 2: _ = try? node.sendResource(name: "r", size: nil, to: peer, in: session)
    case 3: try? node.resourceRead(id, octets.span, to: peer, in: session)
    case 4: try? node.acceptResource(id, from: peer, in: session)
    case 5: try? node.resourceConsumed(id, choice, from: peer, in: session)
    case 6: try? node.resourceStored(id, from: peer, in: session)
    case 7: node.cancelResource(id, with: peer, in: session)
    case 8: _ = try? node.openStream(name: "s", to: peer, in: session)
    case 9: _ = try? node.writeStream(id, octets.span, to: peer, in: session)
    case 10: try? node.streamConsumed(id, choice, from: peer, in: session)
    case 11: try? node.endStream(id, to: peer, in: session)
    case 12: node.closeStream(id, with: peer, in: session)
    case 13: node.cancelConnect(session, peer, at: uptime)
    default: break
    }
  }

  private static func makeNode(_ index: UInt8) -> PeerNode {
    let name = required { try DisplayName("fuzz") }
    return PeerNode(
      local: PeerID(identity: identity(index), displayName: name), stamp: UInt64(index),
      random: FuzzRandom(state: UInt64(index)))
  }

  static func identity(_ index: UInt8) -> PeerIdentity {
    required { try PeerIdentity(octets: [UInt8](repeating: index, count: 32)) }
  }

  static func required<Value>(_ body: () throws -> Value) -> Value {
    guard let value = try? body() else { preconditionFailure("the fuzzer's own values must be valid") }
    return value
  }
}
