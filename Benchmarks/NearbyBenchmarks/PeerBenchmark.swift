import NearbyPeerLink

/// The cost of framing and of the node per message, without network and encryption.
func peerBenchmark() -> [Figure] {
  PeerPart.allCases.map { part in
    let count = part.count
    let work = part.prepare()
    let time = leastTime { work(count) } / count
    return Figure(name: part.title, value: time.nanoseconds, unit: "ns", target: part.target)
  }
}

/// A part of a message's way between two nodes, for timing and for counting.
enum PeerPart: String, CaseIterable {
  case peerSend = "peer-send"
  case peerReceive = "peer-receive"
  case peerMessage = "peer-message"
  case peerLarge = "peer-large"

  var title: String {
    switch self {
    case .peerSend: "a node accepts a message of 64 B and passes it to a write"
    case .peerReceive: "a node parses a message of 64 B from a write"
    case .peerMessage: "a message of 64 B from node to node, acknowledged"
    case .peerLarge: "a message of 64 KiB from node to node, acknowledged"
    }
  }

  var target: Figure.Target {
    switch self {
    case .peerSend, .peerReceive: .under(100)
    case .peerMessage, .peerLarge: .none
    }
  }

  /// How many messages one run sends.
  var count: Int { self == .peerLarge ? 500 : 50_000 }

  func prepare() -> (Int) -> UInt64 {
    var pair = BenchedPair()
    let message = [UInt8](repeating: 7, count: self == .peerLarge ? 65_536 : 64)
    switch self {
    case .peerSend: return { pair.send(message, times: $0) }
    case .peerReceive:
      let written = pair.written(message, times: 900)
      return { pair.receive(written, times: $0) }
    case .peerMessage, .peerLarge: return { pair.exchange(message, times: $0) }
    }
  }
}

/// Two nodes in one session. The benchmark carries the octets between them.
private struct BenchedPair {
  private var sender: PeerNode
  private var receiver: PeerNode
  private let session: SessionKey
  private let peers: [PeerIdentity]
  private var outgoing: LinkID
  private let incoming: LinkID

  init() {
    let type = Self.required { try ServiceType("bench") }
    (sender, receiver) = (Self.makeNode(1), Self.makeNode(2))
    receiver.advertise(type)
    session = sender.openSession(.required)
    let theirs = receiver.openSession(.required)
    let peer = receiver.local
    let (from, to) = (sender.local.identity, receiver.local.identity)
    peers = [to]
    _ = try? sender.invite(
      peer, contact: [1], to: session, serviceType: type, context: nil, timeout: .zero, at: .zero)
    incoming = receiver.linkAccepted(at: .zero)
    outgoing = incoming
    for case .dial(let link, _, _) in sender.takeActions() { outgoing = link }
    receiver.linkSecured(incoming, remote: from, at: .zero)
    sender.linkSecured(outgoing, remote: to, at: .zero)
    for _ in 0..<6 {
      carry()
      for case .report(.invited(let id, _, _, _)) in receiver.takeActions() {
        receiver.answerInvitation(id, accept: theirs, at: .zero)
      }
    }
    precondition(sender.connectedPeers(session) == [peer], "the two peers did not connect")
  }

  private mutating func carry() {
    while let output = sender.takeOutput(outgoing) {
      receiver.received(output.octets.span, on: incoming, at: .zero)
    }
    while let output = receiver.takeOutput(incoming) {
      sender.received(output.octets.span, on: outgoing, at: .zero)
    }
  }

  private mutating func queue(_ message: [UInt8]) {
    try? sender.send(message.span, to: peers, in: session, .reliable)
  }

  /// Sends to a peer that receives everything immediately, but acknowledges only every 900 messages.
  mutating func send(_ message: [UInt8], times: Int) -> UInt64 {
    var octets = 0
    for index in 1...max(times, 1) {
      queue(message)
      guard index % 900 == 0 || index == times else { continue }
      while let output = sender.takeOutput(outgoing) { octets += output.octets.count }
      acknowledged += UInt64(octets)
      acknowledge()
      octets = 0
    }
    return UInt64(sender.takeActions().count)
  }

  private var acknowledged: UInt64 = 0

  private mutating func acknowledge() {
    var octets: [UInt8] = []
    PeerFrame.acknowledgement(received: acknowledged).write(to: &octets)
    sender.received(octets.span, on: outgoing, at: .zero)
  }

  mutating func written(_ message: [UInt8], times: Int) -> [UInt8] {
    for _ in 0..<times { queue(message) }
    var octets: [UInt8] = []
    while let output = sender.takeOutput(outgoing) { octets += output.octets }
    return octets
  }

  /// - Parameters:
  ///   - written: Frames of 64 octets.
  ///   - times: How many messages to receive.
  mutating func receive(_ written: [UInt8], times: Int) -> UInt64 {
    var sum = 0
    for _ in 0..<max(times / 900, 1) {
      receiver.received(written.span, on: incoming, at: .zero)
      while receiver.takeOutput(incoming) != nil {}
      sum += receiver.takeActions().count
    }
    return UInt64(sum)
  }

  mutating func exchange(_ message: [UInt8], times: Int) -> UInt64 {
    var sum = 0
    let batch = message.count > 1000 ? 16 : 900
    for index in 1...max(times, 1) {
      queue(message)
      guard index % batch == 0 || index == times else { continue }
      carry()
      sum += sender.takeActions().count + receiver.takeActions().count
    }
    return UInt64(sum)
  }

  private static func makeNode(_ index: UInt8) -> PeerNode {
    let identity = required { try PeerIdentity(octets: [UInt8](repeating: index, count: 32)) }
    let name = required { try DisplayName("bench") }
    return PeerNode(
      local: PeerID(identity: identity, displayName: name), stamp: 1, random: SystemRandomNumberGenerator())
  }

  private static func required<Value>(_ body: () throws -> Value) -> Value {
    guard let value = try? body() else { preconditionFailure("the benchmark's own values must be valid") }
    return value
  }
}
