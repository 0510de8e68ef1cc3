/// The app's sessions and their members.
extension PeerNode {
  /// Opens a session.
  ///
  /// - Parameter asksCertificates: Whether the app decides on certificates, by `askCertificate`.
  package mutating func openSession(
    _ preference: EncryptionPreference, asksCertificates: Bool = false
  ) -> SessionKey {
    let key = SessionKey(number: makeNumber())
    sessions.append(
      Session(key: key, preference: preference, asksCertificates: asksCertificates, id: makeSessionID()))
    return key
  }

  /// Closes a session that the app has released: like `disconnect`, and nothing about it is reported any
  /// more.
  package mutating func closeSession(_ key: SessionKey, at uptime: Duration) {
    disconnect(key, at: uptime)
    sessions.removeAll { $0.key == key }
  }

  /// Leaves all peers properly: what was sent before is still delivered, then `goodbye`. The session can be
  /// used again at once.
  package mutating func disconnect(_ key: SessionKey, at uptime: Duration) {
    guard let place = sessionIndex(key) else { return }
    for invitation in outgoing where invitation.session == key {
      endInvitation(invitation.id, .cancelled, isTold: true)
    }
    for connection in connections where connection.session == key && !connection.isDeparting {
      guard let index = connectionIndex(connection.key) else { continue }
      depart(index, at: uptime)
    }
    sessions[place].id = makeSessionID()
    sessions[place].nextGossip = nil
    dialAndScheduleWake(at: uptime)
  }

  /// The session of a peer to which a session is connected or connecting.
  package func peerSession(_ key: SessionKey, _ identity: PeerIdentity) -> PeerSessionID? {
    connectionIndex(key, identity).map { connections[$0].remoteSession }
  }

  /// The session that peers know by an id.
  package func session(of id: PeerSessionID) -> SessionKey? { sessions.first { $0.id == id }?.key }

  /// The connected peers, in the order in which they were agreed on.
  package func connectedPeers(_ key: SessionKey) -> [PeerID] {
    connections.filter { $0.session == key && $0.state == .connected && !$0.isDeparting }.map(\.peer)
  }

  /// The state of a peer in a session; `.notConnected` for an unknown peer.
  package func state(_ key: SessionKey, _ identity: PeerIdentity) -> PeerState {
    connectionIndex(key, identity).map { connections[$0].state } ?? .notConnected
  }

  // MARK: Without discovery

  /// What one peer may pass to `connect` to enter a session: Apple's `nearbyConnectionData`.
  package func connectionData(
    _ key: SessionKey, for identity: PeerIdentity
  ) throws(PeerLinkError) -> [UInt8] {
    guard let place = sessionIndex(key) else { throw .request(.unknownSession) }
    return ConnectionData(issuer: local, recipient: identity, session: sessions[place].id, contact: contact)
      .octets
  }

  /// Connects to a peer with its connection data; the peer must do the same.
  package mutating func connect(
    _ peer: PeerID, connectionData: [UInt8], to session: SessionKey, at uptime: Duration
  ) throws(PeerLinkError) {
    let data = try ConnectionData(connectionData)
    guard data.recipient == local.identity, data.issuer.identity == peer.identity else {
      throw .request(.wrongPeer)
    }
    guard peer.identity != local.identity else { throw .request(.ownIdentity) }
    guard sessionIndex(session) != nil else { throw .request(.unknownSession) }
    departed.removeAll { $0 == data.session }
    switch establish(session, data.issuer, data.session, data.contact, at: uptime) {
    case .failure(let refusal):
      // Data from an earlier life than the connected one requires nothing.
      guard refusal.reason == .replaced else { throw .request(.sessionFull(maximum: limits.maximumPeers)) }
    case .success(let key): wants(key, isTold: true, at: uptime)
    }
    dialAndScheduleWake(at: uptime)
  }

  /// Cancels invitations and connection attempts to a peer that is not connected yet.
  package mutating func cancelConnect(_ session: SessionKey, _ identity: PeerIdentity, at uptime: Duration) {
    for invitation in outgoing where invitation.session == session && invitation.peer.identity == identity {
      endInvitation(invitation.id, .cancelled, isTold: true)
    }
    if let index = connectionIndex(session, identity), connections[index].state != .connected {
      rememberDeparted(connections[index].remoteSession)
      end(index, .cancelled, tells: true)
    }
    dialAndScheduleWake(at: uptime)
  }

  /// Starts connecting to a peer that was introduced or whose connection data we have.
  private mutating func wants(_ key: ConnectionKey, isTold: Bool, at uptime: Duration) {
    guard let index = connectionIndex(key), !connections[index].isLive else { return }
    if isTold, connections[index].state == .notConnected { setState(index, .connecting) }
    let wait = connections[index].isLeader ? Duration.zero : limits.followerDelay
    if connections[index].nextDial == nil { connections[index].nextDial = uptime + wait }
    unpark(key, at: uptime)
  }

  // MARK: Members

  /// Sends members the list of the others: to all of them, or to `only`.
  mutating func sendMembers(of session: SessionKey, onlyTo only: ConnectionKey?) {
    let live = connections.filter { $0.session == session && $0.isLive && !$0.isDeparting }
    guard live.count > 1 else { return }
    for connection in live where only.map({ $0 == connection.key }) ?? true {
      guard case .live(let link) = connection.phase, let index = linkIndex(link) else { continue }
      let others = live.filter { $0.key != connection.key }
      let members = others.map {
        IntroducedMember(peer: $0.peer, session: $0.remoteSession, contact: $0.contact)
      }
      write(.members(members), on: index)
    }
  }

  /// Handles a member's announcement of others. It creates at most `PeerLimits.maximumIntroductions` places,
  /// and none at the expense of another peer.
  mutating func introduced(_ members: [IntroducedMember], _ teller: Int, at uptime: Duration) {
    guard !connections[teller].isDeparting else { return }
    let (session, introducer) = (connections[teller].session, connections[teller].key)
    for member in members {
      guard member.peer.identity != local.identity, !departed.contains(member.session) else { continue }
      // Only a member itself can say that it has started a new life.
      guard connectionIndex(session, member.peer.identity) == nil, hasRoom(session, isHearsay: true),
        let teller = connectionIndex(introducer), connections[teller].introductions.consume(at: uptime)
      else { continue }
      let result = establish(
        session, member.peer, member.session, member.contact, introducer: introducer, at: uptime)
      if case .success(let key) = result { wants(key, isTold: false, at: uptime) }
    }
  }

  // MARK: Ends

  /// Changes a peer's state and reports it.
  mutating func setState(_ index: Int, _ state: PeerState) {
    connections[index].state = state
    report(.state(connections[index].session, connections[index].peer, state))
  }

  /// Sends `goodbye` after everything that was sent before.
  private mutating func depart(_ index: Int, at uptime: Duration) {
    guard connections[index].number != 0 else { return end(index, .cancelled, tells: true) }
    connections[index].transfers.fail(.cancelled)
    flushTransfers(index)
    if connections[index].state != .notConnected { setState(index, .notConnected) }
    connections[index].outbox.append(.goodbye(.left))
    connections[index].departsUntil = uptime + limits.resumeTime
    if case .live(let id) = connections[index].phase, let link = linkIndex(id) { signal(link) }
  }

  /// Removes a peer's place.
  ///
  /// - Parameter tells: Whether the peer is sent the reason on its links.
  mutating func end(_ index: Int, _ reason: PeerReason, tells: Bool) {
    let key = connections[index].key
    if !connections[index].isDeparting {
      connections[index].transfers.fail(reason)
      flushTransfers(index)
      if connections[index].state != .notConnected { setState(index, .notConnected) }
    }
    rememberEnded(connections[index])
    connections.remove(at: index)
    for link in links where link.connection == key {
      if tells { refuseAndClose(link.id, reason) } else { closeLink(link.id) }
    }
  }
}
