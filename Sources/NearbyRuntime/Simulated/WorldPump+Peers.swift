import NearbyPeerLink
import Synchronization

extension WorldPump {
  // MARK: PeerNetworkDriver

  package func makePeerIdentity(device: Int) -> PeerIdentity {
    state.withLock { $0.makePeerIdentity(device: device) }
  }

  /// A phone's keys live as long as its world.
  package func keepPeerIdentity(_ identity: PeerIdentity, device: Int) {}

  package func makePeerUser(
    _ sink: any PeerSink, local: PeerID, role: PeerRole, device: Int
  ) -> PeerUser {
    state.withLock { $0.makePeerUser(sink, local: local, role: role, device: device) }
  }

  package func releasePeerUser(_ user: PeerUser, device: Int) {
    state.withLock { $0.releasePeerUser(user) }
  }

  package func perform(_ command: PeerCommand, of user: PeerUser, device: Int) throws(PeerFailure) {
    try state.withLock { (state) throws(PeerFailure) in try state.perform(command, of: user) }
  }

  package func send(
    _ message: Span<UInt8>, to peers: [PeerIdentity], _ mode: SendMode, of user: PeerUser, device: Int
  ) throws(PeerFailure) {
    try state.withLock { (state) throws(PeerFailure) in
      try state.withSession(user) { (node, session) throws(PeerLinkError) in
        try node.send(message, to: peers, in: session, mode)
      }
    }
  }

  /// In a world nothing moves on while an app has its turn, so that nothing can pile up behind it.
  package func tookMessages(
    _ count: Int, octets: Int, from peer: PeerIdentity, of user: PeerUser, device: Int
  ) {}

  package func offer(
    _ offer: TransferOffer, to peer: PeerIdentity, of user: PeerUser, device: Int
  ) throws(PeerFailure) -> TransferID {
    try state.withLock { (state) throws(PeerFailure) in
      try state.withSession(user) { (node, session) throws(PeerLinkError) in
        try node.begin(offer, with: peer, in: session)
      }
    }
  }

  package func write(
    _ octets: [UInt8], to stream: TransferID, with peer: PeerIdentity, of user: PeerUser, device: Int
  ) throws(PeerFailure) -> Int {
    try state.withLock { (state) throws(PeerFailure) in
      try state.withSession(user) { (node, session) throws(PeerLinkError) in
        try node.writeStream(stream, octets.span, to: peer, in: session)
      }
    }
  }

  package func connectionData(
    for peer: PeerIdentity, of user: PeerUser, device: Int
  ) throws(PeerFailure) -> [UInt8] {
    try state.withLock { (state) throws(PeerFailure) in
      try state.withSession(user) { (node, session) throws(PeerLinkError) in
        try node.connectionData(session, for: peer)
      }
    }
  }

  // MARK: The person at a device

  package func ask(_ question: PersonQuestion, device: Int) {
    state.withLock { $0.ask(question, device: device) }
  }

  /// What the user of a device says to questions from now on; `nil` leaves them open.
  package func setInvitationAnswer(_ answer: Bool?, device: Int) {
    state.withLock { $0.questions[device, default: PersonAtDevice()].answer = answer }
  }

  /// Answers the oldest question that is open.
  package func answerInvitation(_ answer: Bool, device: Int) {
    state.withLock { $0.answerQuestion(answer, device: device) }
  }

  package func setLocalNetwork(isAllowed: Bool, device: Int) {
    state.withLock { $0.setLocalNetwork(isAllowed: isAllowed, device: device) }
  }

  /// `nil` where all service types count as declared.
  package func setBonjourServices(_ services: [String]?, device: Int) {
    state.withLock { $0.network.declared[device] = services.map(Set.init) }
  }

  // MARK: The network

  /// Mean one-way time between two hosts.
  package func setNetworkLatency(_ latency: Duration) {
    state.withLock { $0.network.latency = max(latency, .zero) }
  }

  /// Share of packets that are lost, 0 to 1.
  package func setNetworkLoss(_ share: Double) {
    state.withLock { $0.network.loss = min(max(share, 0), 1) }
  }

  package func partition(_ a: Int, _ b: Int) {
    guard a != b else { return }
    state.withLock { $0.changeNetwork { $0.partitions.insert([min(a, b), max(a, b)]) } }
  }

  /// Ends all partitions; who left stays away.
  package func heal() { state.withLock { $0.changeNetwork { $0.partitions = [] } } }

  package func breakLinks(_ a: Int, _ b: Int) { state.withLock { $0.breakLinks(between: a, and: b) } }

  package func setOnNetwork(_ isOn: Bool, device: Int) {
    state.withLock {
      $0.changeNetwork { if isOn { $0.away.remove(device) } else { $0.away.insert(device) } }
    }
  }
}
