import NearbyOctets

/// Frames that arrive over links.
extension PeerNode {
  /// Receives octets of a link, in arbitrary chunks.
  package mutating func received(_ octets: Span<UInt8>, on id: LinkID, at uptime: Duration) {
    guard let index = linkIndex(id), !links[index].isClosing, links[index].role != .securing else { return }
    links[index].lastReceived = uptime
    links[index].lastPing = nil
    reserveActions(for: octets.count)
    // The callbacks change `self`, so the parser is moved out of it meanwhile.
    var parser = FrameParser()
    swap(&parser, &links[index].parser)
    var place = dataPlace(id)
    var isSimple = true
    do throws(PeerLinkError) {
      try parser.parse(
        octets,
        admit: { (type, count, offset) throws(PeerLinkError) in
          if type == .data, place != nil, count <= limits.maximumMessage { return }
          try checkHeader(type, count, on: id, at: offset)
        },
        view: { (type, payload, offset) throws(PeerLinkError) in
          if type == .data, let place, payload.count <= Outbox.largePayload {
            takeData(place, payload)
          } else {
            isSimple = false
            try receiveFrame(type, payload, on: id, at: offset, uptime)
            place = dataPlace(id)
          }
        },
        whole: { (type, payload, offset) throws(PeerLinkError) in
          if type == .data, let place {
            takeData(place, payload)
          } else {
            isSimple = false
            try receiveFrame(type, payload.span, on: id, at: offset, uptime)
            place = dataPlace(id)
          }
        })
    } catch {
      violated(id, error, at: uptime)
    }
    // A link that is being closed keeps nothing of an unfinished frame.
    if let index = linkIndex(id), !links[index].isClosing { links[index].parser = parser }
    if let place = dataPlace(id) { acknowledge(place, at: uptime) }
    // Data starts no dials and moves no deadline but that of its acknowledgement.
    if !isSimple { dialAndScheduleWake(at: uptime) }
  }

  /// Where the data of a current link goes. Its indices are valid until a frame other than data is handled.
  struct DataPlace {
    let link: Int
    let connection: Int
    let session: SessionKey
    let identity: PeerIdentity
    let isHeard: Bool
  }

  private func dataPlace(_ id: LinkID) -> DataPlace? {
    guard let link = linkIndex(id), case .current(let key) = links[link].role else { return nil }
    guard let index = connectionIndex(key) else { return nil }
    return DataPlace(
      link: link, connection: index, session: connections[index].session,
      identity: connections[index].identity, isHeard: !connections[index].isDeparting)
  }

  /// Counts a frame of the connection.
  ///
  /// - Returns: Whether it is new, and did not already arrive on an earlier link.
  @inline(__always)
  private mutating func count(_ payload: Int, link: Int, connection: Int) -> Bool {
    let position = links[link].position
    links[link].position = position &+ payload &+ FrameHeader.size
    guard position >= connections[connection].received else { return false }
    connections[connection].received = links[link].position
    return true
  }

  @inline(__always)
  private mutating func takeData(_ place: DataPlace, _ payload: Span<UInt8>) {
    guard count(payload.count, link: place.link, connection: place.connection), place.isHeard else { return }
    actions.append(.received(place.session, place.identity, payload.octets))
  }

  private mutating func takeData(_ place: DataPlace, _ payload: [UInt8]) {
    guard count(payload.count, link: place.link, connection: place.connection), place.isHeard else { return }
    actions.append(.received(place.session, place.identity, payload))
  }

  /// Acknowledges at once if much has arrived, and otherwise after a short delay.
  private mutating func acknowledge(_ place: DataPlace, at uptime: Duration) {
    let new = connections[place.connection].received - connections[place.connection].acknowledged
    if new >= limits.acknowledgeEvery, links[place.link].control.count < limits.controlBacklog {
      writeAcknowledgement(link: place.link, connection: place.connection)
    } else if new > 0, connections[place.connection].acknowledgeDue == nil {
      connections[place.connection].acknowledgeDue = uptime + limits.acknowledgeTime
      askWake(at: uptime + limits.acknowledgeTime)
    }
  }

  mutating func writeAcknowledgement(link: Int, connection: Int) {
    let received = connections[connection].received
    connections[connection].acknowledged = received
    connections[connection].acknowledgeDue = nil
    write(.acknowledgement(received: UInt64(received)), on: link)
  }

  /// Reports a violation of the protocol, and ends the link and its connection.
  private mutating func violated(_ id: LinkID, _ error: PeerLinkError, at uptime: Duration) {
    guard let index = linkIndex(id) else { return }
    report(.violation(id, links[index].remote, error))
    if case .crowded = error { refuse(index, .busy) } else { refuse(index, .violation) }
    if case .current(let key) = links[index].role, let connection = connectionIndex(key) {
      rememberDeparted(connections[connection].remoteSession)
      return end(connection, .violation, tells: false)
    }
    linkLost(id, at: uptime)
  }

  /// Handles any frame.
  private mutating func receiveFrame(
    _ type: PeerFrameType, _ payload: Span<UInt8>, on id: LinkID, at offset: Int, _ uptime: Duration
  ) throws(PeerLinkError) {
    guard let index = linkIndex(id), !links[index].isClosing else { return }
    if type.isSequenced { return try receiveCounted(type, payload, on: index, at: offset, uptime) }
    // `hello` is the first frame on a link, unless the peer refuses at once, and never comes again.
    let isGreeting = links[index].role == .greeting
    guard isGreeting == (type == .hello) || type == .refuse else {
      throw .unexpectedFrame(type, at: offset - FrameHeader.size)
    }
    let frame = try PeerFrame(type, parsing: payload, at: offset)
    switch frame {
    case .hello(let hello): greeted(index, hello, at: uptime)
    case .refuse(let reason): refused(id, reason, at: uptime)
    case .ping(let value):
      // A peer that does not read its pongs gets no more of them.
      if links[index].control.count < limits.controlBacklog { write(.pong(value), on: index) }
    case .pong: break
    case .invite(let invite):
      guard links[index].role == .idle else { throw .unexpectedFrame(type, at: offset - FrameHeader.size) }
      invited(index, invite, at: uptime)
    case .join(let join):
      guard links[index].role == .idle else { throw .unexpectedFrame(type, at: offset - FrameHeader.size) }
      joined(id, join, at: uptime)
    case .answer(let answer):
      guard answered(id, answer, at: uptime) else {
        throw .unexpectedFrame(type, at: offset - FrameHeader.size)
      }
    case .ready(let ready):
      guard case .candidate(let key) = links[index].role, let connection = connectionIndex(key),
        connections[connection].isLeader
      else { throw .unexpectedFrame(type, at: offset - FrameHeader.size) }
      links[index].ready = ready
      decide(id, at: uptime)
    case .use(let use):
      guard case .candidate(let key) = links[index].role, let connection = connectionIndex(key),
        !connections[connection].isLeader
      else { throw .unexpectedFrame(type, at: offset - FrameHeader.size) }
      try used(id, connection, use, at: offset, uptime)
    case .acknowledgement, .members, .looseData:
      try receiveOnCurrent(frame, on: index, at: offset, uptime)
    case .proof(let octets):
      guard links[index].awaitsProof else { throw .unexpectedFrame(type, at: offset - FrameHeader.size) }
      links[index].proof = octets
    case .data, .goodbye, .resourceOffer, .resourceCredit, .resourceChunk, .resourceComplete,
      .resourceStored, .resourceCancel, .streamOpen, .streamData, .streamEnd, .streamClose, .streamCredit:
      break
    }
  }

  /// Handles an uncounted frame that only a current link may carry.
  private mutating func receiveOnCurrent(
    _ frame: PeerFrame, on index: Int, at offset: Int, _ uptime: Duration
  ) throws(PeerLinkError) {
    guard case .current(let key) = links[index].role, let connection = connectionIndex(key) else {
      throw .unexpectedFrame(frame.type, at: offset - FrameHeader.size)
    }
    switch frame {
    case .acknowledgement(let count):
      let isKnown = Int(exactly: count).map { connections[connection].outbox.acknowledge($0) } ?? false
      guard isKnown else {
        let most = UInt64(connections[connection].outbox.handedOut)
        throw .octets(.acknowledgement, at: offset, .outOfRange(found: count, expected: 0...most))
      }
      roomMade(connection)
    case .members(let members): introduced(members, connection, at: uptime)
    case .looseData(let payload):
      guard !connections[connection].isDeparting else { return }
      let (session, identity) = (connections[connection].session, connections[connection].identity)
      actions.append(.received(session, identity, payload))
    case .hello, .invite, .answer, .refuse, .join, .ready, .use, .ping, .pong, .proof, .data, .goodbye,
      .resourceOffer, .resourceCredit, .resourceChunk, .resourceComplete, .resourceStored, .resourceCancel,
      .streamOpen, .streamData, .streamEnd, .streamClose, .streamCredit:
      break
    }
  }

  /// Handles a counted frame other than small data.
  private mutating func receiveCounted(
    _ type: PeerFrameType, _ payload: Span<UInt8>, on index: Int, at offset: Int, _ uptime: Duration
  ) throws(PeerLinkError) {
    guard case .current(let key) = links[index].role, let connection = connectionIndex(key) else {
      throw .unexpectedFrame(type, at: offset - FrameHeader.size)
    }
    guard count(payload.count, link: index, connection: connection) else { return }
    let frame = try PeerFrame(type, parsing: payload, at: offset)
    let session = connections[connection].session
    let identity = connections[connection].identity
    switch frame {
    case .goodbye(let reason):
      rememberDeparted(connections[connection].remoteSession)
      // The peer keeps the connection until its `goodbye` is acknowledged.
      writeAcknowledgement(link: index, connection: connection)
      end(connection, reason, tells: false)
    case .data(let octets):
      if !connections[connection].isDeparting { actions.append(.received(session, identity, octets)) }
    case .resourceOffer, .resourceCredit, .resourceChunk, .resourceComplete, .resourceStored,
      .resourceCancel, .streamOpen, .streamData, .streamEnd, .streamClose, .streamCredit:
      guard !connections[connection].isDeparting else { return }
      try connections[connection].withTransfers { (transfers, outbox) throws(PeerLinkError) in
        try transfers.received(frame, at: offset, &outbox)
      }
      afterTransfer(connection)
      try checkReplies(connection, frame.type, at: offset)
    case .hello, .invite, .answer, .refuse, .join, .ready, .use, .ping, .pong, .acknowledgement, .members,
      .looseData, .proof:
      break
    }
  }

  /// Throws if a peer keeps provoking replies without reading them.
  private func checkReplies(_ index: Int, _ type: PeerFrameType, at offset: Int) throws(PeerLinkError) {
    let (held, maximum) = (connections[index].outbox.held, limits.maximumBacklog + limits.replyBacklog)
    guard held <= maximum else { throw .octets(.frame, at: offset, .tooLong(count: held, maximum: maximum)) }
  }

  /// Handles the peer's hello: an accepted link waits for a request, a dialled one sends it.
  private mutating func greeted(_ index: Int, _ hello: Hello, at uptime: Duration) {
    links[index].displayName = hello.displayName
    links[index].contact = hello.contact
    switch links[index].purpose {
    case nil:
      links[index].role = .idle
      links[index].deadline = uptime + limits.greetingTime
    case .invite(let invitation): sendInvite(invitation, on: index, at: uptime)
    case .join(let key): sendJoin(key, on: index, at: uptime)
    }
  }
}
