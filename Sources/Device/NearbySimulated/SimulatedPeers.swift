import NearbyDevice
import NearbyPeerLink
import Synchronization

/// The peer network of one device of a simulated world.
struct SimulatedPeers: PeerSide {
  let world: WorldPump
  let device: Int

  func makeIdentity() -> PeerIdentity { world.state.withLock { $0.makePeerIdentity(device: device) } }

  /// A phone's keys live as long as its world.
  func store(_ identity: PeerIdentity) {}

  func makeMember(
    _ sink: any PeerSink, local: PeerID, _ preference: EncryptionPreference, credentials: SessionCredentials?
  ) -> any PeerMember {
    make(sink, local) { $0.openSession(of: $1, preference, certificates: credentials?.chain ?? []) }
  }

  func makeAdvertiser(
    _ sink: any PeerSink, local: PeerID, _ type: ServiceType, _ info: DiscoveryInfo
  ) -> any PeerAdvertiser {
    make(sink, local) { $0.network.users[$1]?.role = .advertiser(type, info, record: nil) }
  }

  func makeBrowser(_ sink: any PeerSink, local: PeerID, _ type: ServiceType) -> any PeerBrowser {
    make(sink, local) {
      $0.network.users[$1]?.role = .browser(type, DiscoveryMachine(own: local.identity), isOn: false)
    }
  }

  private func make(
    _ sink: any PeerSink, _ local: PeerID, _ open: (inout WorldState, PeerUser) -> Void
  ) -> SimulatedPeer {
    let user = world.state.withLock { state in
      let (user, isHere) = state.makePeerUser(sink, local: local, device: device)
      if isHere { open(&state, user) }
      return user
    }
    return SimulatedPeer(world: world, user: user)
  }

  /// Always 0: no simulated time passes while an app runs, so messages cannot accumulate.
  var unreadOctets: Int { 0 }
}

/// A session, an advertiser or a browser of a local peer on the simulated network, depending on its role.
struct SimulatedPeer: PeerMember, PeerAdvertiser, PeerBrowser {
  let world: WorldPump
  let user: PeerUser

  func release() { world.state.withLock { $0.releasePeerUser(user) } }

  func start() { world.state.withLock { $0.startPeer(user) } }

  func stop() { world.state.withLock { $0.stopPeer(user) } }

  func answer(_ invitation: InvitationID, accept session: PeerUser?) {
    world.state.withLock { $0.answer(invitation, by: user, with: session) }
  }

  func invite(
    _ peer: PeerID, to session: PeerUser, context: [UInt8]?, timeout: Duration
  ) throws(PeerFailure) {
    try world.state.withLock { (state) throws(PeerFailure) in
      try state.invite(peer, by: user, to: session, context: context, timeout: timeout)
    }
  }

  func disconnect() { try? request { (node, key, now) in node.disconnect(key, at: now) } }

  func connect(_ peer: PeerID, data: [UInt8]) throws(PeerFailure) {
    try request { (node, key, now) throws(PeerLinkError) in
      try node.connect(peer, connectionData: data, to: key, at: now)
    }
  }

  func cancelConnect(_ peer: PeerIdentity) {
    try? request { (node, key, now) in node.cancelConnect(key, peer, at: now) }
  }

  func decideCertificate(_ peer: PeerIdentity, isAccepted: Bool) {
    try? request { (node, key, now) in
      node.certificateDecided(key, peer, isAccepted: isAccepted, at: now)
    }
  }

  func connectionData(for peer: PeerIdentity) throws(PeerFailure) -> [UInt8] {
    try request { (node, key, _) throws(PeerLinkError) in try node.connectionData(key, for: peer) }
  }

  func send(_ message: Span<UInt8>, to peers: [PeerIdentity], _ mode: SendMode) throws(PeerFailure) {
    try request { (node, key, _) throws(PeerLinkError) in try node.send(message, to: peers, in: key, mode) }
  }

  /// Does nothing: no simulated time passes while an app runs, so messages cannot accumulate.
  func consumed(_ count: Int, octets: Int, from peer: PeerIdentity) {}

  func offer(_ offer: TransferOffer, to peer: PeerIdentity) throws(PeerFailure) -> TransferID {
    try request { (node, key, _) throws(PeerLinkError) in try node.begin(offer, with: peer, in: key) }
  }

  func perform(_ command: TransferCommand, with peer: PeerIdentity) throws(PeerFailure) {
    try request { (node, key, _) throws(PeerLinkError) in try node.perform(command, with: peer, in: key) }
  }

  func write(_ octets: [UInt8], to stream: TransferID, with peer: PeerIdentity) throws(PeerFailure) -> Int {
    try request { (node, key, _) throws(PeerLinkError) in
      try node.writeStream(stream, octets.span, to: peer, in: key)
    }
  }

  /// Feeds a request to the node of a session.
  private func request<Result: Sendable>(
    _ body: (inout PeerNode, SessionKey, Duration) throws(PeerLinkError) -> Result
  ) throws(PeerFailure) -> Result {
    try world.state.withLock { (state) throws(PeerFailure) in try state.withSession(user, body) }
  }
}

/// Changes to a device's network from outside its app.
extension SimulatedShell {
  /// How the device's user answers questions from now on; `nil` leaves them open.
  package func setInvitationAnswer(_ answer: Bool?) {
    world.state.withLock { $0.questions[device, default: PersonAtDevice()].answer = answer }
  }

  /// Answers the oldest open question.
  package func answerInvitation(_ answer: Bool) {
    world.state.withLock { $0.answerQuestion(answer, device: device) }
  }

  package func setLocalNetwork(isAllowed: Bool) {
    world.state.withLock { $0.setLocalNetwork(isAllowed: isAllowed, device: device) }
  }

  /// `nil` declares all service types. Capitals are equal to small letters.
  package func setBonjourServices(_ services: [String]?) {
    let declared = services.map { Set($0.map(ServiceType.folded)) }
    world.state.withLock { $0.network.declared[device] = declared }
  }

  package func setOnNetwork(_ isOn: Bool) {
    world.state.withLock {
      $0.changeNetwork { if isOn { $0.away.remove(device) } else { $0.away.insert(device) } }
    }
  }
}
