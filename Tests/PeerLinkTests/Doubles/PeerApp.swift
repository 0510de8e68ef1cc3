import NearbyPeerLink

/// An app on a node of `PeerWorld`. It counts what it sends, and records a complaint for each violated rule.
struct PeerApp {
  enum Answers { case yes, no, never, anything }

  /// The events of one period from connected to not connected.
  struct Period {
    var epoch: UInt32
    var sent: UInt32 = 0
    var epochOfPeer: UInt32?
    var received: UInt32 = 0
  }

  var node: PeerNode
  let index: Int
  let life: Int
  var wake: Duration?
  var sessions: [SessionKey] = []
  var answers = Answers.yes
  /// Milliseconds before it accepts an invitation.
  var thinks = 1
  var isSending = true
  /// Links whose encryption was ended.
  var plainLinks = 0
  var invited: [PeerID] = []
  var states: [PeerIdentity: [PeerState]] = [:]
  var periods: [PeerIdentity: Period] = [:]
  var ends: [PeerReason?] = []
  var transfers: [TransferEvent] = []
  var others: [PeerNode.Action] = []
  var messages: [[UInt8]] = []
  var complaints: [String] = []
  /// How many messages it has received.
  var received = 0
  private var epochs: UInt32 = 0

  init(node: PeerNode, index: Int, life: Int) {
    self.node = node
    self.index = index
    self.life = life
    sessions = [self.node.openSession(.required)]
  }

  mutating func heard(_ action: PeerNode.Action) {
    switch action {
    case .report(.state(_, let peer, let state)): changed(peer.identity, state)
    case .received(_, let identity, let octets): received(identity, octets)
    case .report(.invitationEnded(_, let reason)): ends.append(reason)
    case .report(.transfer(_, let identity, let event)):
      if states[identity]?.last != .connected { complain("\(event) of one that is not connected") }
      transfers.append(event)
    case .report(.violation(_, let identity, let error)):
      // The first nodes of a world are honest; only strangers that tests add may cause violations.
      if identity.map({ $0.octets[1] < 10 }) ?? false { complain("violation \(error)") }
    case .report, .dial, .output, .close, .openDatagrams, .sendDatagram, .wake: others.append(action)
    }
  }

  mutating func complain(_ text: String) { complaints.append("node \(index): \(text)") }

  private mutating func changed(_ identity: PeerIdentity, _ state: PeerState) {
    let last = states[identity]?.last ?? .notConnected
    states[identity, default: []].append(state)
    switch (last, state) {
    case (.notConnected, .connecting), (.connecting, .notConnected), (.connected, .notConnected),
      (.notConnected, .notConnected):
      break
    case (.connecting, .connected):
      epochs += 1
      periods[identity] = Period(epoch: UInt32(life) << 16 | epochs)
    case (.notConnected, .connected), (.connecting, .connecting), (.connected, .connecting),
      (.connected, .connected):
      complain("\(last) to \(state)")
    }
    if state == .notConnected { periods[identity] = nil }
  }

  /// Sends the next number to a peer if it is connected.
  mutating func send(to identity: PeerIdentity) {
    guard var period = periods[identity], isSending else { return }
    var octets: [UInt8] = []
    for value in [period.epoch, period.sent] {
      octets += (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * UInt32($0))) }
    }
    octets += [UInt8](repeating: 7, count: Int(period.sent % 50))
    do throws(PeerLinkError) {
      try node.send(octets.span, to: [identity], in: sessions[0], .reliable)
      period.sent += 1
      periods[identity] = period
    } catch {
      complain("\(error) while connected")
    }
  }

  private mutating func received(_ identity: PeerIdentity, _ octets: [UInt8]) {
    guard var period = periods[identity] else { return complain("data of one that is not connected") }
    guard isSending else { return messages.append(octets) }
    func word(_ start: Int) -> UInt32 {
      (0..<4).reduce(0) { $0 | UInt32(octets[start + $1]) << (8 * UInt32($1)) }
    }
    let (epoch, number) = (word(0), word(4))
    if period.epochOfPeer == nil { period.epochOfPeer = epoch }
    if period.epochOfPeer != epoch { complain("epoch \(epoch) in that of \(period.epochOfPeer ?? 0)") }
    if period.received != number { complain("message \(number) instead of \(period.received)") }
    period.received = number + 1
    received += 1
    periods[identity] = period
  }
}
