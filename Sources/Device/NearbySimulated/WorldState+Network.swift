import NearbyDevice
import NearbyPeerLink

/// Events on the network, and the actions of nodes.
extension WorldState {
  mutating func plan(_ task: NetworkTask, after wait: Duration) {
    tasks.insert(.network(task), at: now + max(wait, .zero))
  }

  mutating func handleNetwork(_ task: NetworkTask) {
    switch task {
    case .wake(let station, let time):
      guard network.stations[station]?.wake == time else { return }
      network.stations[station]?.wake = nil
      withNode(station) { $0.timePassed(at: $1) }
    case .dialled(let from, let identity, let contact): accept(from, identity, contact: contact)
    case .secured(let end, let remote):
      withNode(end.station) { $0.linkSecured(end.link, remote: remote, at: $1) }
    case .closed(let end): withNode(end.station) { $0.linkClosed(end.link, at: $1) }
    case .arrival(let pipe, let side): arrive(pipe, side)
    case .datagram(let end, let octets): takeDatagram(octets, at: end)
    case .checkRecord(let browser, let record): checkRecord(browser, record)
    case .expire(let browser, let record, let epoch): expire(browser, record, epoch)
    case .discoveryWake(let browser): wakeDiscovery(browser)
    }
  }

  /// Feeds a node, then executes its actions.
  @discardableResult
  mutating func withNode<Result, Failure>(
    _ station: Int, _ body: (inout PeerNode, Duration) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    // Removed from the table so that the node is changed in place, not copied.
    guard var entry = network.stations.removeValue(forKey: station) else { return nil }
    defer {
      network.stations[station] = entry
      performActions(station)
    }
    return try body(&entry.node, now)
  }

  /// Executes a node's actions until there are no more.
  private mutating func performActions(_ station: Int) {
    while let actions = network.stations[station]?.node.takeActions(), !actions.isEmpty {
      for action in actions { perform(action, of: station) }
    }
  }

  private mutating func perform(_ action: PeerNode.Action, of station: Int) {
    switch action {
    case .dial(let link, let identity, let contact):
      let end = StationLink(station: station, link: link)
      plan(.dialled(end, identity, contact: contact), after: network.drawReliableLatency())
    case .output(let link): drain(StationLink(station: station, link: link))
    case .close(let link): close(StationLink(station: station, link: link))
    case .openDatagrams(let link):
      network.stations[station]?.node.datagramsOpened(link, maximum: WorldNetwork.datagramSize)
    case .sendDatagram(let link, let octets):
      sendDatagram(octets, from: StationLink(station: station, link: link))
    case .wake(let time):
      network.stations[station]?.wake = time
      tasks.insert(.network(.wake(station: station, at: time)), at: max(time, now))
    case .report(let event): report(event, of: station)
    case .received(let session, let identity, let octets):
      guard let user = network.stations[station]?.sessions[session] else { return }
      notify(user, .received(identity, [octets]))
    }
  }

  /// Delivers an event to a user's sink a moment later: otherwise an app that retries as soon as it fails would retry
  /// endlessly without time advancing.
  func sinkTask(_ user: NetworkUser, _ event: PeerEvent) -> WorldTask {
    let sink = user.sink
    return .perform(ScheduledBlock(device: user.device) { sink.received(event) })
  }

  mutating func notify(_ user: PeerUser, _ event: PeerEvent) {
    guard let entry = network.users[user] else { return }
    tasks.insert(sinkTask(entry, event), at: now + Self.commandLatency)
  }

  private mutating func report(_ event: PeerNode.Event, of station: Int) {
    switch event {
    case .invited(let id, let peer, let type, let context):
      if let user = advertiser(of: station, type) { notify(user, .invited(id, peer, context: context)) }
    case .invitationWithdrawn(let id):
      for user in advertisers(of: station) { notify(user, .withdrawn(id)) }
    case .state(let session, let peer, let state): notify(session, of: station, .state(peer, state))
    case .askCertificate(let session, let peer, _):
      notify(session, of: station, .askCertificate(peer, chain: certificates(of: peer, in: session, station)))
    case .transfer(let session, let identity, let event):
      notify(session, of: station, .transfer(identity, event))
    // The session's states already report the result of an invitation, `send` reports back-pressure as an error,
    // and a peer that violates the protocol is disconnected.
    case .invitationEnded, .pause, .resume, .violation: break
    }
  }

  private mutating func notify(_ session: SessionKey, of station: Int, _ event: PeerEvent) {
    if let user = network.stations[station]?.sessions[session] { notify(user, event) }
  }

  /// The certificates that the app of a peer's session presents.
  private func certificates(of peer: PeerID, in session: SessionKey, _ station: Int) -> [[UInt8]] {
    guard let id = network.stations[station]?.node.peerSession(session, peer.identity),
      let other = network.stationOf[peer.identity].flatMap({ network.stations[$0] }),
      let user = other.node.session(of: id).flatMap({ other.sessions[$0] })
    else { return [] }
    return network.users[user]?.certificates ?? []
  }

  func advertisers(of station: Int) -> [PeerUser] {
    network.users.keys.sorted().filter { user in
      guard network.users[user]?.station == station else { return false }
      if case .advertiser = network.users[user]?.role { return true }
      return false
    }
  }

  private func advertiser(of station: Int, _ type: ServiceType) -> PeerUser? {
    advertisers(of: station).first { user in
      guard case .advertiser(type, _, record: .some) = network.users[user]?.role else { return false }
      return true
    }
  }
}
