/// The life of links: dialled or accepted, secured, greeted, lost.
extension PeerNode {
  /// Adds a link that a peer has opened.
  ///
  /// If too many accepted links have not requested anything yet, the oldest of them is closed.
  package mutating func linkAccepted(at uptime: Duration) -> LinkID {
    let halfOpen = links.filter { $0.isHalfOpen }
    if halfOpen.count >= limits.maximumHalfOpenLinks, let oldest = halfOpen.first {
      closeLink(oldest.id)
    }
    let id = addLink(nil, expected: nil, at: uptime)
    dialAndScheduleWake(at: uptime)
    return id
  }

  /// Notes that the shell has stopped reading a link, because the app is busy. Silence on it means nothing
  /// until `readingResumed`.
  package mutating func readingPaused(_ id: LinkID) {
    if let index = linkIndex(id) { links[index].isReadingPaused = true }
  }

  /// Notes that the shell reads the link again; silence counts from now on.
  package mutating func readingResumed(_ id: LinkID, at uptime: Duration) {
    guard let index = linkIndex(id) else { return }
    links[index].isReadingPaused = false
    links[index].lastReceived = uptime
    links[index].lastPing = nil
  }

  /// The link that currently carries a member's messages.
  package func link(of identity: PeerIdentity, in session: SessionKey) -> LinkID? {
    guard let index = connectionIndex(session, identity), case .live(let id) = connections[index].phase else {
      return nil
    }
    return id
  }

  /// Notes that the handshake has proved the peer's identity, and greets the peer.
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
    dialAndScheduleWake(at: uptime)
  }

  /// Notes that a link is gone: closed by either side, lost, or never established.
  package mutating func linkClosed(_ id: LinkID, at uptime: Duration) {
    linkLost(id, at: uptime)
    if let index = linkIndex(id) { links.remove(at: index) }
    dialAndScheduleWake(at: uptime)
  }

  /// Sets the certificates of a session's app for one link, with the proof that it has their key, in the
  /// shell's form, at most 65 536 octets.
  ///
  /// Call it for each session that has certificates: when a link is secured, before `linkSecured`, and when a
  /// session is opened, for each link.
  package mutating func setProof(_ octets: [UInt8], of session: SessionKey, on id: LinkID) {
    guard let index = linkIndex(id) else { return }
    links[index].ownProofs[session] = octets
  }

  /// What the peer sent from its `setProof`; the shell checks it before the app decides.
  package func proof(on id: LinkID) -> [UInt8] { linkIndex(id).map { links[$0].proof } ?? [] }

  /// Whether both sides agreed that the link continues without encryption after the peer's close_notify.
  package func isPlain(_ id: LinkID) -> Bool { linkIndex(id).map { links[$0].isPlain } ?? false }

  /// Notes that a dialled link failed because none of the peer's addresses has a listener: its process is
  /// gone.
  package mutating func linkRefused(_ id: LinkID, at uptime: Duration) {
    if let index = linkIndex(id), let key = links[index].connection, let connection = connectionIndex(key),
      connections[connection].isSuspended
    {
      connections[connection].refusals += 1
      if connections[connection].refusals >= Self.refusalsOfTheGone { end(connection, .lost, tells: false) }
    }
    linkClosed(id, at: uptime)
  }

  /// Refused attempts before the app is notified; a process that is being replaced listens again by then.
  private static let refusalsOfTheGone = 3

  /// The next octets to write, or `nil` if nothing is queued; `.output` announces new ones.
  package mutating func takeOutput(_ id: LinkID) -> Output? {
    guard let index = linkIndex(id) else { return nil }
    if let octets = links[index].lastEncrypted {
      links[index].lastEncrypted = nil
      return Output(octets: octets, endsEncryption: true)
    }
    var connection: Int?
    if case .current(let key) = links[index].role { connection = connectionIndex(key) }
    var octets: [UInt8] = []
    // Nothing may come between the header of a large message and its payload.
    if connection.map({ connections[$0].outbox.isBetweenFrames }) ?? true {
      swap(&octets, &links[index].control)
    }
    // A little data shares a write with the frames about the link.
    if let connection, octets.isEmpty || connections[connection].outbox.waiting < 4096 {
      if let block = connections[connection].outbox.takeBlock() {
        if octets.isEmpty { octets = block } else { octets += block }
      }
    }
    guard octets.isEmpty else { return Output(octets: octets, endsEncryption: false) }
    links[index].isTold = false
    return nil
  }

  // MARK: Internal

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

  /// Sends what the app proves to own, before the first frame about its session.
  mutating func writeProof(of session: SessionKey, on index: Int) {
    guard let octets = links[index].ownProofs[session] else { return }
    write(.proof(octets), on: index)
  }

  mutating func write(_ frame: PeerFrame, on index: Int) {
    frame.write(to: &links[index].control)
    signal(index)
  }

  /// If both sides want no encryption, marks what is queued as the last encrypted octets.
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

  /// Queues a refusal; the caller closes the link.
  mutating func refuse(_ index: Int, _ reason: PeerReason) {
    guard !links[index].isClosing else { return }
    write(.refuse(reason), on: index)
  }

  /// Asks the shell to close a link, which no longer belongs to anything.
  mutating func closeLink(_ id: LinkID) {
    guard let index = linkIndex(id), !links[index].isClosing else { return }
    links[index].role = .closing
    links[index].deadline = nil
    links[index].ready = nil
    links[index].parser = FrameParser()
    links[index].proof = []
    actions.append(.close(id))
  }

  /// Closes a link, and lets its invitation or connection continue without it.
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

  /// Schedules another attempt, unless one is in progress.
  mutating func attemptLost(_ key: ConnectionKey, at uptime: Duration) {
    guard let index = connectionIndex(key), !connections[index].isLive else { return }
    guard connections[index].nextDial == nil, !links.contains(where: { $0.connection == key }) else { return }
    connections[index].nextDial = uptime + connections[index].redialTime
    connections[index].redialTime = min(connections[index].redialTime * 2, limits.longestRedialTime)
  }

  /// Suspends a connection whose current link was lost. The leader dials at once, the follower a moment
  /// later.
  mutating func currentLost(_ key: ConnectionKey, at uptime: Duration) {
    guard let index = connectionIndex(key) else { return }
    connections[index].phase = .suspended(until: uptime + limits.resumeTime)
    connections[index].refusals = 0
    connections[index].acknowledgeDue = nil
    connections[index].redialTime = limits.redialTime
    let wait = connections[index].isLeader ? Duration.zero : limits.followerDelay
    connections[index].nextDial = uptime + wait
    // The follower may have noticed the loss first and already have sent `ready` on one of these.
    for link in links where link.role == .candidate(key) {
      guard connections[index].isLeader, link.ready != nil else { continue }
      decide(link.id, at: uptime)
      return
    }
  }

  /// Dials a connection's peer.
  mutating func dial(_ index: Int, at uptime: Duration) {
    connections[index].nextDial = nil
    guard !connections[index].contact.isEmpty else { return }
    if connections[index].isHearsay, !introductionDials.consume(at: uptime) {
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
