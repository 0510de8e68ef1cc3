/// How a link becomes the current one of a connection: joins, and the leader's decision.
///
/// The leader, the peer with the lower identity, alone decides on which link the connection continues (`use`).
/// So crossing invitations, or dials from both sides, never end in two connections or none.
extension PeerNode {
  struct Refusal: Error {
    let reason: PeerReason
  }

  /// Returns the place of a peer in a session, creating it if necessary. It replaces an earlier life of the
  /// peer and, in a full session, a peer that is known only from a member.
  ///
  /// - Parameter introducer: The connection whose peer announced this one; `nil` if the app or the peer
  ///   itself asked.
  mutating func establish(
    _ session: SessionKey, _ peer: PeerID, _ remote: PeerSessionID, _ contact: [UInt8],
    introducer: ConnectionKey? = nil, at uptime: Duration
  ) -> Result<ConnectionKey, Refusal> {
    guard let place = sessionIndex(session) else { return .failure(Refusal(reason: .unknownSession)) }
    if let index = connectionIndex(session, peer.identity) {
      if connections[index].remoteSession == remote {
        if !contact.isEmpty { connections[index].contact = contact }
        if introducer == nil { connections[index].isConfirmed = true }
        return .success(connections[index].key)
      }
      // A live connection yields only to a later life of the peer.
      let isLater = remote.stamp > connections[index].remoteSession.stamp
      guard isLater || !connections[index].isLive else { return .failure(Refusal(reason: .replaced)) }
      rememberDeparted(connections[index].remoteSession)
      end(index, .replaced, tells: true)
    }
    guard hasRoom(session, isHearsay: introducer != nil) else {
      return .failure(Refusal(reason: .sessionFull))
    }
    if !hasRoom(session, isHearsay: true) { endHearsay(of: session) }
    let isLeader = local.identity < peer.identity
    let key = ConnectionKey(number: makeNumber())
    connections.append(
      PeerConnection(
        key: key, session: session, localSession: sessions[place].id, remoteSession: remote, peer: peer,
        contact: contact, preference: sessions[place].preference, isLeader: isLeader, limits: limits,
        phase: .establishing(until: uptime + limits.connectTime),
        transfers: TransferTable(limits: limits, isLeader: isLeader), introducer: introducer,
        introductions: TokenBucket(burst: limits.maximumIntroductions, interval: limits.introductionTime),
        redialTime: limits.redialTime))
    return .success(key)
  }

  /// Makes room by ending the latest connection to a peer that is known only from a member.
  private mutating func endHearsay(of session: SessionKey) {
    let last = connections.lastIndex { $0.session == session && $0.isHearsay && !$0.isDeparting }
    if let last { end(last, .sessionFull, tells: true) }
  }

  /// Makes a link a candidate for a connection, because both sides have accepted.
  ///
  /// - Parameter answers: Whether this side still has to send its answer.
  mutating func agree(
    _ index: Int, _ connection: Int, with preference: EncryptionPreference, answers: Bool,
    at uptime: Duration
  ) {
    let own = connections[connection].preference
    links[index].isPlain = EncryptionPreference.agreement(own, preference) == .plain
    connections[connection].isConfirmed = true
    links[index].role = .candidate(connections[connection].key)
    links[index].deadline = uptime + limits.connectTime
    if answers {
      writeProof(of: connections[connection].session, on: index)
      write(.answer(Acceptance(session: connections[connection].localSession, preference: own)), on: index)
    }
    if connections[connection].state == .notConnected, !connections[connection].isDeparting {
      setState(connection, .connecting)
    }
    // The app decides once for each connection; further links use its decision.
    guard connections[connection].certificate == .unasked else {
      return certificateKnown(links[index].id, connections[connection].key, at: uptime)
    }
    let session = sessionIndex(connections[connection].session)
    if session.map({ sessions[$0].asksCertificates }) ?? false {
      connections[connection].certificate = .asked
      report(.askCertificate(connections[connection].session, connections[connection].peer, links[index].id))
    } else {
      connections[connection].certificate = .passed
      certificateKnown(links[index].id, connections[connection].key, at: uptime)
    }
  }

  /// Continues once a certificate was accepted: the leader decides, the follower sends `ready`.
  private mutating func certificateKnown(_ id: LinkID, _ key: ConnectionKey, at uptime: Duration) {
    guard let index = linkIndex(id), let connection = connectionIndex(key) else { return }
    guard connections[connection].certificate == .passed else { return }
    if connections[connection].isLeader { return decide(id, at: uptime) }
    let identity = connections[connection].identity
    write(
      .ready(
        Ready(
          connection: connections[connection].number,
          ended: ended.last { $0.identity == identity }?.number ?? 0,
          received: UInt64(connections[connection].received))), on: index)
    endEncryptionIfPlain(index)
  }

  /// The app's decision about the certificate of an `askCertificate`.
  package mutating func certificateDecided(
    _ session: SessionKey, _ identity: PeerIdentity, isAccepted: Bool, at uptime: Duration
  ) {
    guard let index = connectionIndex(session, identity), connections[index].certificate == .asked else {
      return
    }
    if isAccepted {
      connections[index].certificate = .passed
      let key = connections[index].key
      for link in links where link.role == .candidate(key) { certificateKnown(link.id, key, at: uptime) }
    } else {
      rememberDeparted(connections[index].remoteSession)
      end(index, .certificate, tells: true)
    }
    dialAndScheduleWake(at: uptime)
  }

  // MARK: Joins

  /// Asks a connection's peer for its place, on a link that was dialled for that.
  mutating func sendJoin(_ key: ConnectionKey, on index: Int, at uptime: Duration) {
    guard let connection = connectionIndex(key), !connections[connection].isLive else {
      return closeLink(links[index].id)
    }
    links[index].role = .joining(key)
    links[index].deadline = uptime + limits.connectTime
    writeProof(of: connections[connection].session, on: index)
    write(
      .join(
        Join(
          target: connections[connection].remoteSession, session: connections[connection].localSession,
          preference: connections[connection].preference, connection: connections[connection].number)),
      on: index)
  }

  /// Handles a peer's request for its place.
  mutating func joined(_ id: LinkID, _ join: Join, at uptime: Duration) {
    guard let index = linkIndex(id), let identity = links[index].remote, let name = links[index].displayName
    else { return }
    if let connection = connections.firstIndex(where: {
      $0.identity == identity && $0.localSession == join.target && $0.remoteSession == join.session
    }) {
      guard EncryptionPreference.agreement(connections[connection].preference, join.preference) != .refused
      else { return refuseAndClose(id, .encryption) }
      return agree(index, connection, with: join.preference, answers: true, at: uptime)
    }
    guard let session = sessions.first(where: { $0.id == join.target }) else {
      return refuseAndClose(id, .unknownSession)
    }
    // The peer wants to resume a connection that this node no longer has.
    guard join.connection == 0 else { return refuseAndClose(id, .unknownConnection) }
    guard !departed.contains(join.session) else { return refuseAndClose(id, .cancelled) }
    // A later life of a member knows our session's id, which only members do. What a peer says about itself
    // counts more than what others say about it.
    if let old = connectionIndex(session.key, identity),
      connections[old].isHearsay || connections[old].remoteSession.stamp < join.session.stamp
    {
      let peer = PeerID(identity: identity, displayName: name)
      switch establish(session.key, peer, join.session, links[index].contact, at: uptime) {
      case .failure(let refusal): return refuseAndClose(id, refusal.reason)
      case .success: return joined(id, join, at: uptime)
      }
    }
    let isCrowded =
      links.count { if case .parked = $0.role { true } else { false } } >= limits.maximumParkedLinks
    if isCrowded { return refuseAndClose(id, .busy) }
    links[index].role = .parked(join)
    links[index].deadline = uptime + limits.connectTime
  }

  /// Handles joins that arrived before their peer was introduced.
  mutating func unpark(_ key: ConnectionKey, at uptime: Duration) {
    guard let connection = connectionIndex(key) else { return }
    let (identity, target) = (connections[connection].identity, connections[connection].localSession)
    for link in links where link.remote == identity {
      guard case .parked(let join) = link.role, join.target == target else { continue }
      guard let index = linkIndex(link.id) else { continue }
      links[index].role = .idle
      joined(link.id, join, at: uptime)
    }
  }

  /// Handles the acceptance of our invitation or join.
  ///
  /// - Returns: `false` if none was awaited.
  mutating func answered(_ id: LinkID, _ answer: Acceptance, at uptime: Duration) -> Bool {
    guard let index = linkIndex(id) else { return false }
    switch links[index].role {
    case .inviting(let invitation): invitationAnswered(invitation, answer, on: id, at: uptime)
    case .joining(let key):
      guard let connection = connectionIndex(key), connections[connection].remoteSession == answer.session,
        EncryptionPreference.agreement(connections[connection].preference, answer.preference) != .refused
      else {
        refuseAndClose(id, .unknownSession)
        attemptLost(key, at: uptime)
        return true
      }
      agree(index, connection, with: answer.preference, answers: false, at: uptime)
    case .securing, .greeting, .idle, .invited, .parked, .candidate, .current, .closing: return false
    }
    return true
  }

  /// Handles a refusal: the peer declines, or does not need the link.
  mutating func refused(_ id: LinkID, _ reason: PeerReason, at uptime: Duration) {
    guard let index = linkIndex(id) else { return }
    let role = links[index].role
    switch role {
    case .inviting(let invitation):
      closeLink(id)
      endInvitation(invitation, reason, isTold: true)
    case .joining(let key), .candidate(let key), .current(let key):
      guard let connection = connectionIndex(key) else { return closeLink(id) }
      let isCurrent = links[index].isCurrent
      switch reason {
      case .duplicate, .lost:
        linkLost(id, at: uptime)
      case .busy, .sessionFull, .timedOut, .declined, .notAdvertising, .encryption, .certificate,
        .unknownSession, .unknownConnection, .replaced, .cancelled, .violation, .wrongIdentity, .left:
        closeLink(id)
        // A failed attempt says nothing while the connection is live on another link.
        guard isCurrent || !connections[connection].isLive else { return }
        if reason.isFinal { rememberDeparted(connections[connection].remoteSession) }
        end(connection, reason, tells: false)
      }
    case .securing, .greeting, .idle, .invited, .parked, .closing: linkLost(id, at: uptime)
    }
  }

  // MARK: The decision

  /// Decides, as the leader, whether a candidate becomes the current link.
  mutating func decide(_ id: LinkID, at uptime: Duration) {
    guard let index = linkIndex(id), case .candidate(let key) = links[index].role,
      let ready = links[index].ready, let connection = connectionIndex(key),
      connections[connection].isLeader, connections[connection].certificate == .passed
    else { return }
    let number = connections[connection].number
    if number != 0, ready.connection != number {
      // The follower may not know the connection yet only because `use` is still on its way.
      let isLost =
        ready.ended == number || !(connections[connection].isLive || connections[connection].isFresh)
      if isLost {
        restart(connection)
      } else if connections[connection].isLive {
        return refuseAndClose(id, .duplicate)
      }
    } else if number != 0, links[index].isByInvitation, connections[connection].isLive {
      return refuseAndClose(id, .duplicate)
    }
    let isNew = connections[connection].number == 0
    if isNew { connections[connection].number = makeRandom() }
    let resumesAt = ready.connection == connections[connection].number ? ready.received : 0
    connections[connection].generation &+= 1
    guard let start = Int(exactly: resumesAt), connections[connection].outbox.rewind(to: start) else {
      return end(connection, .violation, tells: true)
    }
    write(
      .use(
        LinkChoice(
          connection: connections[connection].number, generation: connections[connection].generation,
          resumesAt: resumesAt, received: UInt64(connections[connection].received))), on: index)
    endEncryptionIfPlain(index)
    links[index].position = connections[connection].received
    goesOn(connection, over: id, at: uptime)
  }

  /// Carries out the leader's decision, as the follower.
  mutating func used(
    _ id: LinkID, _ connection: Int, _ use: LinkChoice, at offset: Int, _ uptime: Duration
  ) throws(PeerLinkError) {
    if use.connection == connections[connection].number {
      // Otherwise another link has taken this one's place.
      guard use.generation > connections[connection].generation else { return closeLink(id) }
    } else {
      if connections[connection].number != 0 { restart(connection) }
      connections[connection].number = use.connection
    }
    // In the payload, `resumesAt` is at octet 12 and `received` at octet 20.
    let (resumesAt, received) = (Int(clamping: use.resumesAt), Int(clamping: use.received))
    let have = connections[connection].received
    guard use.connection != 0, resumesAt <= have else {
      throw .octets(
        .offset, at: offset + 12, .outOfRange(found: use.resumesAt, expected: 0...UInt64(have)))
    }
    guard connections[connection].outbox.rewind(to: received) else {
      let most = UInt64(connections[connection].outbox.handedOut)
      throw .octets(.offset, at: offset + 20, .outOfRange(found: use.received, expected: 0...most))
    }
    connections[connection].generation = use.generation
    guard let index = linkIndex(id) else { return }
    links[index].position = resumesAt
    goesOn(connection, over: id, at: uptime)
  }

  /// Starts the connection over, because the peer has lost it; the app sees an end and a new beginning.
  private mutating func restart(_ connection: Int) {
    if !connections[connection].isDeparting {
      connections[connection].transfers.fail(.lost)
      flushTransfers(connection)
      if connections[connection].state == .connected { setState(connection, .notConnected) }
      if connections[connection].state == .notConnected { setState(connection, .connecting) }
    }
    rememberEnded(connections[connection])
    connections[connection].forget()
  }

  /// Makes a link the connection's current one, and closes its other links.
  private mutating func goesOn(_ connection: Int, over id: LinkID, at uptime: Duration) {
    let key = connections[connection].key
    for link in links where link.id != id && link.connection == key {
      // The follower leaves other attempts to the leader, which refuses them as duplicates.
      let isLeftToLeader: Bool =
        switch link.role {
        case .joining, .candidate: !connections[connection].isLeader
        case .securing, .greeting, .current, .idle, .inviting, .invited, .parked, .closing: false
        }
      if isLeftToLeader { continue }
      if connections[connection].isLeader { refuseAndClose(link.id, .duplicate) } else { closeLink(link.id) }
    }
    guard let index = linkIndex(id) else { return }
    links[index].role = .current(key)
    links[index].deadline = nil
    links[index].ready = nil
    connections[connection].phase = .live(id)
    connections[connection].nextDial = nil
    connections[connection].redialTime = limits.redialTime
    let isNew = connections[connection].state != .connected
    let (session, identity) = (connections[connection].session, connections[connection].identity)
    // A peer that has connected no longer counts towards its introducer's limit.
    if let introducer = connections[connection].introducer.flatMap(connectionIndex), isNew {
      connections[introducer].introductions.giveBack()
    }
    if !connections[connection].isDeparting {
      if isNew { setState(connection, .connected) }
      actions.append(.openDatagrams(id))
      for invitation in outgoing where invitation.session == session && invitation.peer.identity == identity {
        endInvitation(invitation.id, nil, isTold: false)
      }
      sendMembers(of: session, onlyTo: isNew ? nil : key)
      roomMade(connection)
    }
    signal(index)
  }
}
