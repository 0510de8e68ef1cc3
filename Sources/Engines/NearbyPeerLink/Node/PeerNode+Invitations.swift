/// Invitations, ours and those of peers.
extension PeerNode {
  /// Begins to take invitations under a service type.
  package mutating func advertise(_ serviceType: ServiceType) {
    if !advertised.contains(serviceType) { advertised.append(serviceType) }
  }

  /// Takes no more. What waits for an answer still does; connections stay.
  package mutating func stopAdvertising(_ serviceType: ServiceType) {
    advertised.removeAll { $0 == serviceType }
  }

  /// Asks a peer into a session. An earlier invitation of the two that is under way ends.
  ///
  /// - Parameters:
  ///   - contact: Where it was seen, in the shell's form.
  ///   - timeout: Zero or less means 30 s.
  /// - Returns: What `invitationEnded` will name.
  package mutating func invite(
    _ peer: PeerID, contact: [UInt8], to session: SessionKey, serviceType: ServiceType, context: [UInt8]?,
    timeout: Duration, at uptime: Duration
  ) throws(PeerLinkError) -> InvitationID {
    guard sessionIndex(session) != nil else { throw .request(.unknownSession) }
    guard peer.identity != local.identity else { throw .request(.ownIdentity) }
    if let count = context?.count, count > limits.maximumContext {
      throw .request(.tooLarge(count: count, maximum: limits.maximumContext))
    }
    let id = InvitationID(number: makeNumber())
    let place = connectionIndex(session, peer.identity)
    // One without a link may be that of an earlier life of the peer, which does not know of it any more.
    // Nor does another member's word say that the peer can be reached.
    if let place, !connections[place].isSuspended, !connections[place].isHearsay {
      report(.invitationEnded(id, nil))
      return id
    }
    guard place != nil || hasRoom(session) else { throw .request(.sessionFull(maximum: limits.maximumPeers)) }
    for earlier in outgoing where earlier.session == session && earlier.peer == peer {
      endInvitation(earlier.id, .cancelled, isTold: false)
    }
    let time = timeout > .zero ? timeout : limits.defaultInvitationTime
    outgoing.append(
      OutgoingInvitation(
        id: id, session: session, peer: peer, contact: contact, serviceType: serviceType, context: context,
        number: makeRandom(), deadline: uptime + time, nextDial: uptime, redialTime: limits.redialTime))
    settle(at: uptime)
    return id
  }

  /// The app's answer, at any time; one that comes after `invitationWithdrawn` does nothing.
  ///
  /// - Parameter session: `nil` to decline.
  package mutating func answerInvitation(
    _ id: InvitationID, accept session: SessionKey?, at uptime: Duration
  ) {
    guard let place = incoming.firstIndex(where: { $0.id == id }) else { return }
    let invitation = incoming.remove(at: place)
    guard let index = linkIndex(invitation.link) else { return }
    if let session {
      let result = accept(invitation.invite, of: invitation.peer, on: index, into: session, at: uptime)
      if let result {
        // An earlier life's invitation, accepted late, says nothing of the peer that is there.
        if sessionIndex(session) != nil, connectionIndex(session, invitation.peer.identity) == nil {
          report(.state(session, invitation.peer, .notConnected))
        }
        refuseAndClose(invitation.link, result)
      }
    } else {
      refuseAndClose(invitation.link, .declined)
    }
    settle(at: uptime)
  }

  /// Whether a session has a place for one more peer.
  ///
  /// - Parameter isHearsay: Whether only a member's word says that the peer exists. Others may take the place of such
  ///   a peer.
  func hasRoom(_ session: SessionKey, isHearsay: Bool = false) -> Bool {
    connections.count { $0.session == session && !$0.isDeparting && (isHearsay || !$0.isHearsay) }
      < limits.maximumPeers - 1
  }

  // MARK: Of peers

  mutating func invited(_ index: Int, _ invite: Invite, at uptime: Duration) {
    guard let identity = links[index].remote, let name = links[index].displayName else { return }
    let (id, peer) = (links[index].id, PeerID(identity: identity, displayName: name))
    // Our yes was lost with its link: say it again, the app need not.
    if let known = connections.first(where: {
      $0.identity == identity && $0.remoteSession == invite.session && $0.acceptedInvitation == invite.number
        && !$0.isDeparting
    }) {
      if let reason = accept(invite, of: peer, on: index, into: known.session, at: uptime) {
        refuseAndClose(id, reason)
      }
      return
    }
    if let reason = refusal(of: invite, from: identity, at: uptime) { return refuseAndClose(id, reason) }
    let invitation = InvitationID(number: makeNumber())
    let time = Duration.milliseconds(Int64(invite.timeoutMilliseconds))
    incoming.append(
      IncomingInvitation(
        id: invitation, link: id, peer: peer, contact: links[index].contact, invite: invite,
        deadline: uptime + time))
    links[index].role = .invited(invitation)
    links[index].deadline = nil
    report(.invited(invitation, peer, invite.serviceType, context: invite.context))
  }

  private mutating func refusal(
    of invite: Invite, from identity: PeerIdentity, at uptime: Duration
  ) -> PeerReason? {
    guard advertised.contains(invite.serviceType) else { return .notAdvertising }
    let ofPeer = incoming.filter { $0.peer.identity == identity }
    // The same one again, over a new link: the old link is dead.
    if let again = ofPeer.first(where: { $0.invite.number == invite.number }) {
      linkLost(again.link, at: uptime)
    } else if ofPeer.count >= limits.maximumInvitationsPerPeer {
      return .busy
    }
    let period = limits.invitationPeriod
    recentInvites.removeAll { $0.time + period <= uptime }
    let recent = recentInvites.count { $0.identity == identity }
    guard incoming.count < limits.maximumInvitations, recent < limits.maximumInvitationRate,
      recentInvites.count < 1024
    else { return .busy }
    recentInvites.append(RecentInvite(identity: identity, time: uptime))
    return nil
  }

  /// Says yes on a link.
  ///
  /// - Returns: Why not, where not.
  private mutating func accept(
    _ invite: Invite, of peer: PeerID, on index: Int, into session: SessionKey, at uptime: Duration
  ) -> PeerReason? {
    guard let place = sessionIndex(session) else { return .unknownSession }
    let preference = sessions[place].preference
    let (id, contact) = (links[index].id, links[index].contact)
    guard EncryptionPreference.agreement(preference, invite.preference) != .refused else {
      return .encryption
    }
    departed.removeAll { $0 == invite.session }
    switch establish(session, peer, invite.session, contact, at: uptime) {
    case .failure(let refusal): return refusal.reason
    case .success(let key):
      guard let index = linkIndex(id), let connection = connectionIndex(key) else { return .unknownSession }
      connections[connection].acceptedInvitation = invite.number
      links[index].isByInvitation = true
      agree(index, connection, with: invite.preference, answers: true, at: uptime)
      return nil
    }
  }

  mutating func refuseAndClose(_ id: LinkID, _ reason: PeerReason) {
    guard let index = linkIndex(id) else { return }
    refuse(index, reason)
    closeLink(id)
  }

  mutating func withdraw(_ id: InvitationID) {
    guard let place = incoming.firstIndex(where: { $0.id == id }) else { return }
    incoming.remove(at: place)
    report(.invitationWithdrawn(id))
  }

  // MARK: Ours

  mutating func sendInvite(_ id: InvitationID, on index: Int, at uptime: Duration) {
    guard let invitation = outgoing.first(where: { $0.id == id }),
      let session = sessionIndex(invitation.session)
    else { return closeLink(links[index].id) }
    let left = (invitation.deadline - uptime) / .milliseconds(1)
    links[index].role = .inviting(id)
    links[index].deadline = nil
    writeProof(of: invitation.session, on: index)
    write(
      .invite(
        Invite(
          number: invitation.number, session: sessions[session].id, preference: sessions[session].preference,
          timeoutMilliseconds: UInt32(clamping: Int(left.rounded(.up))), serviceType: invitation.serviceType,
          context: invitation.context)), on: index)
  }

  /// The yes to our invitation.
  mutating func invitationAnswered(
    _ id: InvitationID, _ answer: Acceptance, on link: LinkID, at uptime: Duration
  ) {
    guard let place = outgoing.firstIndex(where: { $0.id == id }), let index = linkIndex(link),
      let session = sessionIndex(outgoing[place].session), let identity = links[index].remote,
      let name = links[index].displayName
    else { return closeLink(link) }
    let (key, contact) = (outgoing[place].session, links[index].contact)
    guard EncryptionPreference.agreement(sessions[session].preference, answer.preference) != .refused else {
      endInvitation(id, .encryption, isTold: true)
      return refuseAndClose(link, .encryption)
    }
    departed.removeAll { $0 == answer.session }
    let peer = PeerID(identity: identity, displayName: name)
    switch establish(
      key, peer, answer.session, contact.isEmpty ? outgoing[place].contact : contact, at: uptime)
    {
    case .failure(let refusal):
      endInvitation(id, refusal.reason, isTold: true)
      refuseAndClose(link, refusal.reason)
    case .success(let connection):
      outgoing.removeAll { $0.id == id }
      report(.invitationEnded(id, nil))
      guard let index = linkIndex(link), let connection = connectionIndex(connection) else { return }
      links[index].isByInvitation = true
      agree(index, connection, with: answer.preference, answers: false, at: uptime)
    }
  }

  /// Dials again while there is time.
  mutating func invitationLinkLost(_ id: InvitationID, at uptime: Duration) {
    guard let place = outgoing.firstIndex(where: { $0.id == id }) else { return }
    outgoing[place].link = nil
    outgoing[place].nextDial = uptime + outgoing[place].redialTime
    outgoing[place].redialTime = min(outgoing[place].redialTime * 2, limits.longestRedialTime)
  }

  /// - Parameter isTold: Whether the session hears that the peer is not connected.
  mutating func endInvitation(_ id: InvitationID, _ reason: PeerReason?, isTold: Bool) {
    guard let place = outgoing.firstIndex(where: { $0.id == id }) else { return }
    let invitation = outgoing.remove(at: place)
    if let link = invitation.link { refuseAndClose(link, reason ?? .duplicate) }
    report(.invitationEnded(id, reason))
    guard reason != nil, isTold, connectionIndex(invitation.session, invitation.peer.identity) == nil else {
      return
    }
    report(.state(invitation.session, invitation.peer, .notConnected))
  }

  mutating func dialInvitation(_ place: Int, at uptime: Duration) {
    let invitation = outgoing[place]
    let id = addLink(.invite(invitation.id), expected: invitation.peer.identity, at: uptime)
    outgoing[place].link = id
    outgoing[place].nextDial = nil
    actions.append(.dial(id, invitation.peer.identity, contact: invitation.contact))
  }
}
