/// The life of links: dialled or accepted, secured, greeted, lost.
extension PeerNode {
  /// A peer opened a byte stream to us.
  ///
  /// Where too many have not said who they are, the oldest is closed for the new one.
  package mutating func linkAccepted(at uptime: Duration) -> LinkID {
    let halfOpen = links.filter { $0.isHalfOpen }
    if halfOpen.count >= limits.maximumHalfOpenLinks, let oldest = halfOpen.first {
      closeLink(oldest.id)
    }
    let id = addLink(nil, expected: nil, at: uptime)
    settle(at: uptime)
    return id
  }

  /// The shell takes nothing off a link for now, for the app has enough to do: silence there says nothing until
  /// `readingResumed`.
  package mutating func readingPaused(_ id: LinkID) {
    if let index = linkIndex(id) { links[index].isReadingPaused = true }
  }

  package mutating func readingResumed(_ id: LinkID, at uptime: Duration) {
    guard let index = linkIndex(id) else { return }
    links[index].isReadingPaused = false
    links[index].lastReceived = uptime
    links[index].lastPing = nil
  }

  /// The link that a member's messages come over now.
  package func link(of identity: PeerIdentity, in session: SessionKey) -> LinkID? {
    guard let index = connectionIndex(session, identity), case .live(let id) = connections[index].phase else {
      return nil
    }
    return id
  }

  /// The handshake proved who is at the other end of a link.
  package mutating func linkSecured(_ id: LinkID, remote: PeerIdentity, at uptime: Duration) {
    guard let index = linkIndex(id), links[index].role == .securing else { return }
    links[index].remote = remote
    links[index].lastReceived = uptime
    let isWrong = links[index].expected.map { $0 != remote } ?? false
    let ofPeer = links.count { $0.remote == remote && $0.connection == nil && !$0.isClosing }
    if isWrong || remote == local.identity || ofPeer > limits.maximumIdleLinksPerPeer {
      refuse(index, isWrong ? .wrongIdentity : .busy)
      linkLost(id, at: uptime)
    } else {
      links[index].role = .greeting
      links[index].deadline = uptime + limits.greetingTime
      write(.hello(Hello(displayName: local.displayName, contact: contact)), on: index)
    }
    settle(at: uptime)
  }

  /// The link is gone: closed by either side, lost, or it never came about.
  package mutating func linkClosed(_ id: LinkID, at uptime: Duration) {
    linkLost(id, at: uptime)
    if let index = linkIndex(id) { links.remove(at: index) }
    settle(at: uptime)
  }

  /// The certificates of a session's app, with the proof that their key is here, for one link; in the shell's form,
  /// at most 65 536 octets. To be given for each session that has some: when a link is secured, before that is
  /// told, and when a session is opened, for each link.
  package mutating func setProof(_ octets: [UInt8], of session: SessionKey, on id: LinkID) {
    guard let index = linkIndex(id) else { return }
    links[index].ownProofs[session] = octets
  }

  /// What the peer gave by `setProof`; for the shell to check before the app decides on it.
  package func proof(on id: LinkID) -> [UInt8] { linkIndex(id).map { links[$0].proof } ?? [] }

  /// Whether both sides agreed that the link goes on without encryption, behind the peer's close_notify.
  package func isPlain(_ id: LinkID) -> Bool { linkIndex(id).map { links[$0].isPlain } ?? false }

  /// A dialled link came to nothing since at none of the peer's addresses anybody listens: its process is gone.
  package mutating func linkRefused(_ id: LinkID, at uptime: Duration) {
    if let index = linkIndex(id), let key = links[index].connection, let connection = connectionIndex(key),
      connections[connection].isSuspended
    {
      connections[connection].refusals += 1
      if connections[connection].refusals >= Self.refusalsOfTheGone { end(connection, .lost, tells: false) }
    }
    linkClosed(id, at: uptime)
  }

  /// So many attempts are refused before the app hears of it: a process that is replaced listens anew meanwhile.
  private static let refusalsOfTheGone = 3

  /// The next octets to write, `nil` where nothing waits; `.output` says when there is something again.
  package mutating func takeOutput(_ id: LinkID) -> Output? {
    guard let index = linkIndex(id) else { return nil }
    if let octets = links[index].lastEncrypted {
      links[index].lastEncrypted = nil
      return Output(octets: octets, endsEncryption: true)
    }
    var connection: Int?
    if case .current(let key) = links[index].role { connection = connectionIndex(key) }
    var octets: [UInt8] = []
    // Between the header of a large message and its payload nothing else may go.
    if connection.map({ connections[$0].outbox.isBetweenFrames }) ?? true {
      swap(&octets, &links[index].control)
    }
    if let connection, octets.isEmpty || connections[connection].outbox.waiting < 4096 {
      if let block = connections[connection].outbox.takeBlock() {
        if octets.isEmpty { octets = block } else { octets += block }
      }
    }
    guard octets.isEmpty else { return Output(octets: octets, endsEncryption: false) }
    links[index].isTold = false
    return nil
  }

  // MARK: Inside

  mutating func addLink(
    _ purpose: NodeLink.Purpose?, expected: PeerIdentity?, at uptime: Duration
  ) -> LinkID {
    let id = LinkID(number: makeNumber())
    var link = NodeLink(id: id, purpose: purpose, expected: expected, parser: FrameParser())
    link.deadline = uptime + limits.greetingTime
    link.lastReceived = uptime
    links.append(link)
    return id
  }

  /// Says what the app proves to own, before a word for a session of it.
  mutating func writeProof(of session: SessionKey, on index: Int) {
    guard let octets = links[index].ownProofs[session] else { return }
    write(.proof(octets), on: index)
  }

  mutating func write(_ frame: PeerFrame, on index: Int) {
    frame.write(to: &links[index].control)
    signal(index)
  }

  /// What was written so far is the last that goes encrypted, where both sides want it plain.
  mutating func endEncryptionIfPlain(_ index: Int) {
    guard links[index].isPlain else { return }
    links[index].lastEncrypted = links[index].control
    links[index].control = []
  }

  @inline(__always)
  mutating func signal(_ index: Int) {
    guard !links[index].isTold else { return }
    links[index].isTold = true
    actions.append(.output(links[index].id))
  }

  mutating func refuse(_ index: Int, _ reason: PeerReason) {
    guard !links[index].isClosing else { return }
    write(.refuse(reason), on: index)
  }

  /// Asks the shell to close a link; it is nobody's any more.
  mutating func closeLink(_ id: LinkID) {
    guard let index = linkIndex(id), !links[index].isClosing else { return }
    links[index].role = .closing
    links[index].deadline = nil
    links[index].ready = nil
    links[index].parser = FrameParser()
    links[index].proof = []
    actions.append(.close(id))
  }

  /// Takes a link from whoever uses it, and lets them go on without.
  mutating func linkLost(_ id: LinkID, at uptime: Duration) {
    guard let index = linkIndex(id) else { return }
    let link = links[index]
    guard !link.isClosing else { return }
    closeLink(id)
    switch link.role {
    case .inviting(let invitation): invitationLinkLost(invitation, at: uptime)
    case .invited(let invitation): withdraw(invitation)
    case .securing, .greeting:
      switch link.purpose {
      case .invite(let invitation): invitationLinkLost(invitation, at: uptime)
      case .join(let key): attemptLost(key, at: uptime)
      case nil: break
      }
    case .joining(let key), .candidate(let key): attemptLost(key, at: uptime)
    case .current(let key): currentLost(key, at: uptime)
    case .idle, .parked, .closing: break
    }
  }

  /// Another try after a while, unless one is under way.
  mutating func attemptLost(_ key: ConnectionKey, at uptime: Duration) {
    guard let index = connectionIndex(key), !connections[index].isLive else { return }
    guard connections[index].nextDial == nil, !links.contains(where: { $0.connection == key }) else { return }
    connections[index].nextDial = uptime + connections[index].redialTime
    connections[index].redialTime = min(connections[index].redialTime * 2, limits.longestRedialTime)
  }

  mutating func currentLost(_ key: ConnectionKey, at uptime: Duration) {
    guard let index = connectionIndex(key) else { return }
    connections[index].phase = .suspended(until: uptime + limits.resumeTime)
    connections[index].refusals = 0
    connections[index].acknowledgeDue = nil
    connections[index].redialTime = limits.redialTime
    let wait = connections[index].isLeader ? Duration.zero : limits.followerDelay
    connections[index].nextDial = uptime + wait
    // The leader may not know yet that it was lost, and then waits for us to say so on one of these.
    for link in links where link.role == .candidate(key) {
      guard connections[index].isLeader, link.ready != nil else { continue }
      decide(link.id, at: uptime)
      return
    }
  }

  /// Begins a link to a connection's peer.
  mutating func dial(_ index: Int, at uptime: Duration) {
    connections[index].nextDial = nil
    guard !connections[index].contact.isEmpty else { return }
    if connections[index].isHearsay, !introductionDials.take(at: uptime) {
      connections[index].nextDial = uptime + limits.introductionDialTime
      return
    }
    let (key, identity, contact) = (
      connections[index].key, connections[index].identity, connections[index].contact
    )
    let id = addLink(.join(key), expected: identity, at: uptime)
    actions.append(.dial(id, identity, contact: contact))
  }
}
