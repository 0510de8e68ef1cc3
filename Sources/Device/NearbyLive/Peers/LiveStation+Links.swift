import NearbyConcurrency
import NearbyEventLoop
import NearbyPeerLink
import NearbyPeerNetwork
import Synchronization

/// Links: the channels that carry the machine's octets. Runs on the endpoint's thread.
extension LiveStation {
  // MARK: Beginning

  func handle(_ event: PeerEndpoint.Event) {
    switch event {
    case .arrived(let channel):
      guard let identity = Self.identity(of: channel) else { return channel.abort() }
      let contact = Self.contact(port: port)
      let binding = Self.binding(of: channel)
      let (link, mayBePlain) = change { state, now in
        state.node.contact = contact
        let link = state.node.linkAccepted(at: now)
        state.secure(link, identity, binding, at: now)
        return (link, state.mayBePlain)
      }
      links[link] = Link(channel: channel)
      if mayBePlain { channel.expectPlain() }
      listen(to: channel, as: link)
    // Rejected strangers need no report, and the endpoint keeps listening.
    case .refused, .pausedAccepting: break
    }
  }

  func dial(_ link: LinkID, _ identity: PeerIdentity, _ contact: [UInt8]) {
    if let relay { return ask(relay, for: link, to: identity) }
    let networks = LocalNetwork.all()
    var addresses = PeerContact.plausible(findAddresses(identity), in: networks, isLoopbackKnown: true)
    let told = PeerContact.addresses(in: contact)
    for address in PeerContact.plausible(told, in: networks, isLoopbackKnown: false)
    where !addresses.contains(address) {
      addresses.append(address)
    }
    let sorted = PeerContact.reachable(addresses).sorted(by: SocketAddress.preferred)
    links[link] = Link(expected: identity, addresses: sorted)
    tryAddresses(of: link)
  }

  private func tryAddresses(of link: LinkID) {
    guard let addresses = links[link]?.addresses else { return }
    links[link]?.attempt = endpoint.connect(to: addresses) { [weak self] result in
      self?.dialled(link, result)
    }
  }

  func dialled(_ link: LinkID, _ result: Result<PeerChannel, NetworkError>) {
    guard let entry = links[link] else {
      if case .success(let channel) = result { channel.abort() }
      return
    }
    if case .failure(.nobodyListens) = result {
      links[link] = nil
      return feed { $0.linkRefused(link, at: $1) }
    }
    guard case .success(let channel) = result, let identity = Self.identity(of: channel) else {
      return ended(link)
    }
    // This address may belong to another host by now; the peer may still have another one.
    if identity != entry.expected, entry.addresses.contains(where: { $0 != channel.remote }) {
      links[link]?.addresses.removeAll { $0 == channel.remote }
      channel.abort()
      return tryAddresses(of: link)
    }
    links[link]?.channel = channel
    links[link]?.attempt = nil
    let contact = Self.contact(port: port)
    let binding = Self.binding(of: channel)
    let mayBePlain = change { state, now in
      state.node.contact = contact
      state.secure(link, identity, binding, at: now)
      return state.mayBePlain
    }
    if mayBePlain { channel.expectPlain() }
    listen(to: channel, as: link)
  }

  private static func identity(of channel: PeerChannel) -> PeerIdentity? {
    channel.credentials.flatMap { try? PeerIdentity(octets: $0.fingerprint) }
  }

  private static func binding(of channel: PeerChannel) -> Binding {
    let exported = try? channel.exportKey(label: ChannelProof.exportLabel, count: ChannelProof.exportCount)
    return Binding(
      exported: exported ?? [], role: channel.role, chain: channel.credentials?.chain ?? [])
  }

  private func listen(to channel: PeerChannel, as link: LinkID) {
    channel.start(
      PeerChannel.Handlers(
        onReceive: { [weak self] octets in self?.feed { $0.received(octets, on: link, at: $1) } },
        onDatagram: { [weak self] octets in
          // Invalid datagrams are dropped, as any datagram may be lost.
          self?.change { state, _ in
            // Datagrams are also dropped while the app lags behind.
            if !state.isFull(link) { try? state.node.receivedDatagram(octets, on: link) }
          }
        },
        onDatagramsOpen: { [weak self] _ in self?.openDatagrams(link) },
        allowsPlain: { [weak self] in self?.state.withLock { $0.node.isPlain(link) } ?? false },
        onDrained: { [weak self] in self?.drained(link) },
        onClose: { [weak self] _ in self?.ended(link) }))
  }

  // MARK: Octets

  /// Moves a link's pending output to its channel while the channel has room.
  func pump(_ link: LinkID) {
    guard let entry = links[link], let channel = entry.channel, !entry.isFull else { return }
    while let output = state.withLock({ $0.node.takeOutput(link) }) {
      do throws(NetworkError) {
        let waiting = try channel.send(output.octets)
        if output.endsEncryption { channel.endEncryption() }
        guard waiting > endpoint.highWater, !entry.isClosing else { continue }
        links[link]?.isFull = true
        return
      } catch {
        // The channel reports its end separately.
        return
      }
    }
  }

  private func drained(_ link: LinkID) {
    links[link]?.isFull = false
    pump(link)
  }

  func openDatagrams(_ link: LinkID) {
    guard let limit = links[link]?.channel?.datagramLimit, limit > 0 else { return }
    feed { node, _ in node.datagramsOpened(link, maximum: limit) }
  }

  func sendDatagram(_ octets: [UInt8], on link: LinkID) {
    guard let channel = links[link]?.channel else { return }
    do throws(NetworkError) {
      try channel.sendDatagramNow(octets)
    } catch {
      // This datagram is lost, as any may be; the next ones use the link itself.
      let limit = channel.datagramLimit
      feed { node, _ in node.datagramsOpened(link, maximum: limit) }
    }
  }

  // MARK: The end

  func close(_ link: LinkID) {
    guard let entry = links[link] else { return ended(link) }
    guard let channel = entry.channel else {
      entry.attempt?.cancel()
      return ended(link)
    }
    links[link]?.isClosing = true
    links[link]?.isFull = false
    pump(link)
    channel.close()
  }

  /// The link ended, or was never established.
  private func ended(_ link: LinkID) {
    links[link] = nil
    change { state, now in
      state.bindings[link] = nil
      state.node.linkClosed(link, at: now)
    }
  }
}

extension LiveStation.State {
  /// The handshake of a link proved the peer's identity.
  mutating func secure(
    _ link: LinkID, _ identity: PeerIdentity, _ binding: LiveStation.Binding, at now: Duration
  ) {
    bindings[link] = binding
    for session in sessions.keys { prove(session, on: link) }
    node.linkSecured(link, remote: identity, at: now)
  }
}
