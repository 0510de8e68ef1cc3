/// What happens because time passes.
extension PeerNode {
  /// Handles everything that is due; to be called at the time of the last `.wake`, or later.
  package mutating func timePassed(at uptime: Duration) {
    askedWake = nil
    endLateInvitations(at: uptime)
    for link in links { checkLink(link.id, at: uptime) }
    for connection in connections { checkConnection(connection.key, at: uptime) }
    gossip(at: uptime)
    dialAndScheduleWake(at: uptime)
  }

  /// Starts dials that are due, and requests the next wake; the last step of every call.
  mutating func dialAndScheduleWake(at uptime: Duration) {
    for place in outgoing.indices where outgoing[place].nextDial.map({ $0 <= uptime }) ?? false {
      dialInvitation(place, at: uptime)
    }
    for index in connections.indices where connections[index].nextDial.map({ $0 <= uptime }) ?? false {
      if !connections[index].isLive { dial(index, at: uptime) } else { connections[index].nextDial = nil }
    }
    if let next = nextDeadline() { askWake(at: next) }
  }

  /// Requests a wake, unless an earlier one has been requested.
  mutating func askWake(at time: Duration) {
    if let askedWake, askedWake <= time { return }
    askedWake = time
    actions.append(.wake(at: time))
  }

  /// Ends the invitations whose time is over, in both directions.
  private mutating func endLateInvitations(at uptime: Duration) {
    for invitation in outgoing where invitation.deadline <= uptime {
      endInvitation(invitation.id, .timedOut, isTold: true)
    }
    for invitation in incoming where invitation.deadline <= uptime {
      withdraw(invitation.id)
      refuseAndClose(invitation.link, .timedOut)
    }
  }

  /// Closes a link that is late or silent, or pings it.
  private mutating func checkLink(_ id: LinkID, at uptime: Duration) {
    guard let index = linkIndex(id), !links[index].isClosing else { return }
    if let deadline = links[index].deadline, deadline <= uptime {
      refuse(index, .timedOut)
      return linkLost(id, at: uptime)
    }
    guard isPinged(links[index]) else { return }
    let silence = uptime - links[index].lastReceived
    if silence >= limits.silenceTime, !links[index].isReadingPaused { return linkLost(id, at: uptime) }
    let sincePing = uptime - (links[index].lastPing ?? links[index].lastReceived)
    guard sincePing >= limits.pingAfter else { return }
    links[index].lastPing = uptime
    write(.ping(UInt64(clamping: Int64(uptime / .milliseconds(1)))), on: index)
  }

  /// Whether silence on the link means something.
  private func isPinged(_ link: NodeLink) -> Bool {
    switch link.role {
    case .current, .inviting, .invited, .joining, .candidate: true
    case .securing, .greeting, .idle, .parked, .closing: false
    }
  }

  /// Ends a connection whose deadline has passed, or sends an acknowledgement that is due.
  private mutating func checkConnection(_ key: ConnectionKey, at uptime: Duration) {
    guard let index = connectionIndex(key) else { return }
    if let deadline = connections[index].departsUntil, deadline <= uptime {
      return end(index, .left, tells: true)
    }
    switch connections[index].phase {
    case .establishing(until: let deadline) where deadline <= uptime: end(index, .timedOut, tells: true)
    case .suspended(until: let deadline) where deadline <= uptime: end(index, .lost, tells: true)
    case .live(let link):
      guard let due = connections[index].acknowledgeDue, due <= uptime, let place = linkIndex(link) else {
        return
      }
      if links[place].control.count < limits.controlBacklog {
        writeAcknowledgement(link: place, connection: index)
      } else {
        connections[index].acknowledgeDue = uptime + limits.pingAfter
      }
    case .establishing, .suspended: break
    }
  }

  /// Announces members again from time to time, so that members who lost each other reconnect.
  private mutating func gossip(at uptime: Duration) {
    for place in sessions.indices {
      let key = sessions[place].key
      let live = connections.count { $0.session == key && $0.isLive && !$0.isDeparting }
      guard live > 1 else {
        sessions[place].nextGossip = nil
        continue
      }
      if let due = sessions[place].nextGossip, due > uptime { continue }
      if sessions[place].nextGossip != nil { sendMembers(of: key, onlyTo: nil) }
      sessions[place].nextGossip = uptime + limits.gossipTime
    }
  }

  /// The earliest time at which anything is due.
  private func nextDeadline() -> Duration? {
    var next: Duration?
    func consider(_ time: Duration?) {
      guard let time else { return }
      next = min(next ?? time, time)
    }
    for invitation in outgoing {
      consider(invitation.deadline)
      consider(invitation.nextDial)
    }
    for invitation in incoming { consider(invitation.deadline) }
    for link in links where !link.isClosing {
      consider(link.deadline)
      guard isPinged(link) else { continue }
      consider((link.lastPing ?? link.lastReceived) + limits.pingAfter)
      if !link.isReadingPaused { consider(link.lastReceived + limits.silenceTime) }
    }
    for connection in connections {
      consider(connection.departsUntil)
      consider(connection.nextDial)
      consider(connection.acknowledgeDue)
      switch connection.phase {
      case .establishing(until: let deadline), .suspended(until: let deadline): consider(deadline)
      case .live: break
      }
    }
    for session in sessions { consider(session.nextGossip) }
    return next
  }
}
