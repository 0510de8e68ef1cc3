import NearbyOctets

/// Messages, resources and streams.
extension PeerNode {
  /// Sends a message to connected peers.
  ///
  /// - Throws: `PeerLinkError.request`. Then nothing was sent to any of the peers.
  package mutating func send(
    _ payload: Span<UInt8>, to identities: [PeerIdentity], in session: SessionKey, _ mode: SendMode
  ) throws(PeerLinkError) {
    guard !identities.isEmpty else { throw .request(.noPeers) }
    guard payload.count <= limits.maximumMessage else {
      throw .request(.tooLarge(count: payload.count, maximum: limits.maximumMessage))
    }
    // Check all peers first, so that nothing is sent if one of them cannot be reached.
    if identities.count > 1 {
      for identity in identities { _ = try sendable(payload.count, to: identity, in: session, mode) }
    }
    for identity in identities {
      let index = try sendable(payload.count, to: identity, in: session, mode)
      switch mode {
      case .reliable:
        connections[index].outbox.append(.data, payload)
        queued(index)
      case .unreliable: sendLoose(payload, index)
      }
    }
  }

  /// The index of a connection to which this many octets can be sent now.
  @inline(__always)
  private func sendable(
    _ count: Int, to identity: PeerIdentity, in session: SessionKey, _ mode: SendMode
  ) throws(PeerLinkError) -> Int {
    guard let index = connectionIndex(session, identity), connections[index].state == .connected else {
      throw .request(.notConnected(identity))
    }
    if mode == .reliable, connections[index].outbox.held &+ count > limits.maximumBacklog {
      throw .request(.backlogged(identity))
    }
    return index
  }

  /// Sends an unreliable message, or drops it if that is not possible now.
  private mutating func sendLoose(_ payload: Span<UInt8>, _ index: Int) {
    guard case .live(let id) = connections[index].phase, let link = linkIndex(id) else { return }
    if payload.count + DatagramForm.headerSize <= links[link].maximumDatagram {
      let octets = DatagramForm.write(payload, connection: connections[index].number)
      return actions.append(.sendDatagram(id, octets))
    }
    guard links[link].control.count < limits.bulkWindow else { return }
    FrameHeader.write(.looseData, count: payload.count, to: &links[link].control)
    links[link].control.append(copying: payload)
    signal(link)
  }

  /// Notes that the link has a DTLS association, or no longer has one.
  ///
  /// - Parameter maximum: Largest datagram in octets; 0 for none.
  package mutating func datagramsOpened(_ id: LinkID, maximum: Int) {
    guard let index = linkIndex(id) else { return }
    links[index].maximumDatagram = max(maximum, 0)
  }

  /// Receives a datagram of a link's association. One of another connection is dropped.
  package mutating func receivedDatagram(_ octets: Span<UInt8>, on id: LinkID) throws(PeerLinkError) {
    let datagram = try DatagramForm.parse(octets)
    guard let link = linkIndex(id), case .current(let key) = links[link].role,
      let index = connectionIndex(key), !connections[index].isDeparting,
      UInt32(truncatingIfNeeded: connections[index].number) == datagram.connection
    else { return }
    actions.append(.received(connections[index].session, connections[index].identity, datagram.payload))
  }

  /// Announces output, and asks the app to pause if too much is queued.
  @inline(__always)
  private mutating func queued(_ index: Int) {
    if case .live(let id) = connections[index].phase, let link = linkIndex(id) { signal(link) }
    guard connections[index].outbox.held > limits.highWater, !connections[index].isPaused else { return }
    connections[index].isPaused = true
    report(.pause(connections[index].session, connections[index].identity))
  }

  /// Handles an acknowledgement or a new link: there may be room for more.
  mutating func roomMade(_ index: Int) {
    if connections[index].isPaused, connections[index].outbox.held <= limits.lowWater {
      connections[index].isPaused = false
      report(.resume(connections[index].session, connections[index].identity))
    }
    if connections[index].isDeparting {
      if connections[index].outbox.held == 0 { end(index, .left, tells: false) }
      return
    }
    afterTransfer(index)
  }

  // MARK: Resources

  /// Offers a resource to a connected peer; `readResource` then requests it in pieces.
  package mutating func sendResource(
    name: String, size: UInt64?, to identity: PeerIdentity, in session: SessionKey
  ) throws(PeerLinkError) -> TransferID {
    try updateTransfers(with: identity, in: session) { (transfers, outbox) throws(PeerLinkError) in
      try transfers.offer(name: name, size: size, &outbox)
    }
  }

  /// Provides a piece that `readResource` requested. An empty one means the end, if the size was not given.
  package mutating func resourceRead(
    _ id: TransferID, _ octets: Span<UInt8>, to identity: PeerIdentity, in session: SessionKey
  ) throws(PeerLinkError) {
    try updateTransfers(with: identity, in: session) { (transfers, outbox) throws(PeerLinkError) in
      try transfers.read(id, octets, &outbox)
    }
  }

  /// Accepts an offered resource.
  package mutating func acceptResource(
    _ id: TransferID, from identity: PeerIdentity, in session: SessionKey
  ) throws(PeerLinkError) {
    try updateTransfers(with: identity, in: session) { (transfers, outbox) throws(PeerLinkError) in
      try transfers.accept(id, &outbox)
    }
  }

  /// Notes that octets of a resource were stored, so that more may come.
  package mutating func resourceConsumed(
    _ id: TransferID, _ count: Int, from identity: PeerIdentity, in session: SessionKey
  ) throws(PeerLinkError) {
    try updateTransfers(with: identity, in: session) { (transfers, outbox) throws(PeerLinkError) in
      try transfers.consumed(resource: id, count, &outbox)
    }
  }

  /// Notes that the app has a complete resource; the sender is notified.
  package mutating func resourceStored(
    _ id: TransferID, from identity: PeerIdentity, in session: SessionKey
  ) throws(PeerLinkError) {
    try updateTransfers(with: identity, in: session) { (transfers, outbox) throws(PeerLinkError) in
      try transfers.stored(id, &outbox)
    }
  }

  /// Cancels a resource, ours or the peer's. The other side is notified, this side is not.
  package mutating func cancelResource(
    _ id: TransferID, with identity: PeerIdentity, in session: SessionKey
  ) {
    guard let index = connectionIndex(session, identity) else { return }
    _ = connections[index].withTransfers { transfers, outbox in transfers.cancel(id, .cancelled, &outbox)
    }
    afterTransfer(index)
  }

  // MARK: Streams

  /// Opens a stream to a connected peer.
  package mutating func openStream(
    name: String, to identity: PeerIdentity, in session: SessionKey
  ) throws(PeerLinkError) -> TransferID {
    try updateTransfers(with: identity, in: session) { (transfers, outbox) throws(PeerLinkError) in
      try transfers.openStream(name: name, &outbox)
    }
  }

  /// Writes to a stream.
  ///
  /// - Returns: How many octets were accepted; if fewer than given, `streamWritable` follows.
  package mutating func writeStream(
    _ id: TransferID, _ octets: Span<UInt8>, to identity: PeerIdentity, in session: SessionKey
  ) throws(PeerLinkError) -> Int {
    let index = try sendable(0, to: identity, in: session, .reliable)
    let count = try connections[index].withTransfers { (transfers, outbox) throws(PeerLinkError) in
      try transfers.write(id, octets, &outbox)
    }
    queued(index)
    return count
  }

  /// Notes that the app read octets of a stream, so that more may come.
  package mutating func streamConsumed(
    _ id: TransferID, _ count: Int, from identity: PeerIdentity, in session: SessionKey
  ) throws(PeerLinkError) {
    try updateTransfers(with: identity, in: session) { (transfers, outbox) throws(PeerLinkError) in
      try transfers.consumed(stream: id, count, &outbox)
    }
  }

  /// Ends this side's direction of a stream; the peer's direction continues.
  package mutating func endStream(
    _ id: TransferID, to identity: PeerIdentity, in session: SessionKey
  ) throws(PeerLinkError) {
    try updateTransfers(with: identity, in: session) { (transfers, outbox) throws(PeerLinkError) in
      try transfers.endStream(id, &outbox)
    }
  }

  /// Closes a stream in both directions at once. The peer is notified, this side is not.
  package mutating func closeStream(_ id: TransferID, with identity: PeerIdentity, in session: SessionKey) {
    guard let index = connectionIndex(session, identity) else { return }
    connections[index].withTransfers { transfers, outbox in transfers.closeStream(id, &outbox)
    }
    afterTransfer(index)
  }

  // MARK: Internal

  /// Performs a request on the transfers with a connected peer, and continues them.
  private mutating func updateTransfers<Result>(
    with identity: PeerIdentity, in session: SessionKey,
    _ request: (inout TransferTable, inout Outbox) throws(PeerLinkError) -> Result
  ) throws(PeerLinkError) -> Result {
    let index = try sendable(0, to: identity, in: session, .reliable)
    let result = try connections[index].withTransfers(request)
    afterTransfer(index)
    return result
  }

  /// Continues transfers after a frame or an acknowledgement, and reports their events.
  mutating func afterTransfer(_ index: Int) {
    connections[index].transfers.askForPieces(connections[index].outbox)
    connections[index].transfers.offerRoom(connections[index].outbox)
    flushTransfers(index)
    if connections[index].outbox.waiting > 0 { queued(index) }
  }

  /// Reports the events that the transfers have collected.
  mutating func flushTransfers(_ index: Int) {
    guard !connections[index].transfers.events.isEmpty else { return }
    let (session, identity) = (connections[index].session, connections[index].identity)
    for event in connections[index].transfers.events { report(.transfer(session, identity, event)) }
    connections[index].transfers.events = []
  }
}
