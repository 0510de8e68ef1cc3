/// Invitations, our own and those of peers.
extension PeerNode {
  /// Starts to accept invitations under a service type.
  package mutating func advertise(_ serviceType: ServiceType) {
    if !advertised.contains(serviceType) { advertised.append(serviceType) }
  }

  /// Stops accepting invitations under a service type. Those that are waiting remain, and so do connections.
  package mutating func stopAdvertising(_ serviceType: ServiceType) {
    advertised.removeAll { $0 == serviceType }
  }

  /// Invites a peer to a session. An earlier invitation of the same peer to the same session ends.
  ///
  /// - Parameters:
  ///   - contact: Where the peer was seen, in the shell's form.
  ///   - timeout: Zero or less means 30 s.
  /// - Returns: The id that `invitationEnded` will contain.
  /// - Throws: `PeerLinkError.request` if the session is unknown or full, the peer is the local one, or the
  ///   context is too large.
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
    // A suspended connection may belong to an earlier life of the peer that no longer knows of it, and a
    // member's word does not prove that the peer can be reached. So invite in both cases.
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
    dialAndScheduleWake(at: uptime)
    return id
  }

  /// The app's answer, at any time. It has no effect after `invitationWithdrawn`.
  ///
  /// - Parameter session: The session to join, or `nil` to decline.
  package mutating func answerInvitation(
    _ id: InvitationID, accept session: SessionKey?, at uptime: Duration
  ) {
    guard let place = incoming.firstIndex(where: { $0.id == id }) else { return }
    let invitation = incoming.remove(at: place)
    guard let index = linkIndex(invitation.link) else { return }
    if let session {
      let result = accept(invitation.invite, of: invitation.peer, on: index, into: session, at: uptime)
      if let result {
        // An earlier life's invitation that is accepted late says nothing about a peer that is connected.
        if sessionIndex(session) != nil, connectionIndex(session, invitation.peer.identity) == nil {
          report(.state(session, invitation.peer, .notConnected))
        }
        refuseAndClose(invitation.link, result)
      }
    } else {
      refuseAndClose(invitation.link, .declined)
    }
    dialAndScheduleWake(at: uptime)
  }

  /// Whether a session has room for one more peer.
  ///
  /// - Parameter isHearsay: Whether the peer is known only from a member. Other peers may take the place of
  ///   such peers.
  func hasRoom(_ session: SessionKey, isHearsay: Bool = false) -> Bool {
    connections.count { $0.session == session && !$0.isDeparting && (isHearsay || !$0.isHearsay) }
      < limits.maximumPeers - 1
  }

  // MARK: Invitations of peers

  /// Handles a peer's invitation.
  mutating func invited(_ index: Int, _ invite: Invite, at uptime: Duration) {
    guard let identity = links[index].remote, let name = links[index].displayName else { return }
    let (id, peer) = (links[index].id, PeerID(identity: identity, displayName: name))
    // Our acceptance was lost with its link, so repeat it without asking the app again.
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

  /// The reason to refuse an invitation without asking the app; `nil` to show it.
  private mutating func refusal(
    of invite: Invite, from identity: PeerIdentity, at uptime: Duration
  ) -> PeerReason? {
    guard advertised.contains(invite.serviceType) else { return .notAdvertising }
    let ofPeer = incoming.filter { $0.peer.identity == identity }
    // The same invitation on a new link means that the old link is dead.
    if let again = ofPeer.first(where: { $0.invite.number == invite.number }) {
      linkLost(again.link, at: uptime)
    } else if ofPeer.count >= limits.maximumInvitationsPerPeer {
      return .busy
    }
    let period = limits.invitationPeriod
    recentInvites.removeAll { $0.time + period <= uptime }
    let recent = recentInvites.count { $0.identity == identity }
    // The last bound limits memory if many peers invite at once.
    guard incoming.count < limits.maximumInvitations, recent < limits.maximumInvitationRate,
      recentInvites.count < 1024
    else { return .busy }
    recentInvites.append(RecentInvite(identity: identity, time: uptime))
    return nil
  }

  /// Accepts an invitation on its link.
  ///
  /// - Returns: The reason if that is impossible.
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

  /// Sends the reason on a link and closes it.
  mutating func refuseAndClose(_ id: LinkID, _ reason: PeerReason) {
    guard let index = linkIndex(id) else { return }
    refuse(index, reason)
    closeLink(id)
  }

  /// Drops a peer's invitation whose link is lost or whose time is over.
  mutating func withdraw(_ id: InvitationID) {
    guard let place = incoming.firstIndex(where: { $0.id == id }) else { return }
    incoming.remove(at: place)
    report(.invitationWithdrawn(id))
  }

  // MARK: Our invitations

  /// Sends our invitation, with the time it has left, on a link that has been greeted.
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
    /// The peer accepted our invitation.
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

  /// Schedules another attempt while there is time.
  mutating func invitationLinkLost(_ id: InvitationID, at uptime: Duration) {
    guard let place = outgoing.firstIndex(where: { $0.id == id }) else { return }
    outgoing[place].link = nil
    outgoing[place].nextDial = uptime + outgoing[place].redialTime
    outgoing[place].redialTime = min(outgoing[place].redialTime * 2, limits.longestRedialTime)
  }

  /// Ends our invitation: closes its link and reports the reason.
  ///
  /// - Parameter isTold: Whether to report that the peer is not connected, if the invitation failed.
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
