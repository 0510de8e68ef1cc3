import CNearbyLinux
import NearbyPeerLink

/// Lets up to eight uninvited strangers send frames to a node, and checks that its memory stays bounded.
///
/// The input is frames of the peer protocol, each after an octet that identifies its sender. If the input
/// ends before the length in a frame's header, zeros follow, as many as a stranger can send in a moment.
func fuzzPeerStrangers(_ octets: [UInt8]) {
  var strangers = FuzzedStrangers()
  let before = mallinfo2()
  var rest = octets[...]
  while let choice = rest.popFirst() { strangers.say(&rest, choice) }
  let after = mallinfo2()
  let grown = Int(after.uordblks + after.hblkhd) - Int(before.uordblks + before.hblkhd)
  precondition(grown < FuzzedStrangers.mostMemory, "strangers use too much memory: \(grown) octets")
  strangers.leave()
}

private struct FuzzedStrangers {
  /// How many octets eight strangers may make a node keep: for each an invitation with the longest context, a
  /// certificate's proof, and the node's replies.
  static let mostMemory = 4 << 20
  /// The zeros that are used for a frame's missing octets.
  private static let filling = [UInt8](repeating: 0, count: 1 << 20)
  /// A node that advertises, and its strangers' links.
  private static let start = FuzzedStrangers(count: 8)

  private var node: PeerNode
  private var links: [LinkID] = []
  private var uptime = Duration.seconds(1)

  init() { self = Self.start }

  private init(count: UInt8) {
    node = PeerNode(
      local: PeerID(identity: Self.identity(1), displayName: Self.required { try DisplayName("fuzz") }),
      stamp: 1, random: FuzzRandom(state: 1))
    node.advertise(Self.required { try ServiceType("fuzz") })
    _ = node.openSession(.required)
    for number in 0..<count {
      let link = node.linkAccepted(at: uptime)
      node.linkSecured(link, remote: Self.identity(number + 2), at: uptime)
      links.append(link)
    }
    perform()
  }

  /// Sends the next frame of the input as one stranger. The upper bits of `choice` say how much time passes.
  mutating func say(_ rest: inout ArraySlice<UInt8>, _ choice: UInt8) {
    let link = links[Int(choice & 7)]
    let frame = Array(rest.prefix(FrameHeader.size))
    rest = rest.dropFirst(FrameHeader.size)
    node.received(frame.span, on: link, at: uptime)
    if frame.count == FrameHeader.size {
      let promised = frame[1...4].reversed().reduce(0) { $0 << 8 | Int($1) }
      let payload = Array(rest.prefix(promised))
      rest = rest.dropFirst(promised)
      node.received(payload.span, on: link, at: uptime)
      let missing = min(promised - payload.count, Self.filling.count)
      if missing > 0 { node.received(Self.filling.span.extracting(0..<missing), on: link, at: uptime) }
    }
    uptime += .milliseconds(Int64(choice >> 3))
    node.timePassed(at: uptime)
    perform()
  }

  mutating func leave() {
    for link in links { node.linkClosed(link, at: uptime) }
    perform()
    precondition(node.census == .nothing, "an idle node still has \(node.census)")
  }

  /// Executes the actions like a shell whose peers read everything, and whose user answers no invitation.
  private mutating func perform() {
    for action in node.takeActions() {
      switch action {
      case .output(let link): while node.takeOutput(link) != nil {}
      case .close(let link), .dial(let link, _, _): node.linkClosed(link, at: uptime)
      case .openDatagrams, .sendDatagram, .wake, .report, .received: break
      }
    }
  }

  private static func identity(_ index: UInt8) -> PeerIdentity {
    required { try PeerIdentity(octets: [UInt8](repeating: index, count: 32)) }
  }

  private static func required<Value>(_ body: () throws -> Value) -> Value {
    guard let value = try? body() else { preconditionFailure("the fuzzer's own values must be valid") }
    return value
  }
}
