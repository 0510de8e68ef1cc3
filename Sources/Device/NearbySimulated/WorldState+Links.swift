import NearbyOctets
import NearbyPeerLink

/// Byte streams between stations, and datagrams beside them.
extension WorldState {
  /// A connection attempt reaches the other host; the handshake then proves both identities.
  mutating func accept(_ from: StationLink, _ identity: PeerIdentity, contact: [UInt8]) {
    guard let dialler = network.stations[from.station] else { return }
    let target = Self.station(contact: contact)
    guard let there = target.flatMap({ network.stations[$0] }), let target,
      network.hears(dialler.device, there.device)
    else { return plan(.closed(from), after: WorldNetwork.dialTime) }
    guard let accepted = withNode(target, { node, now in node.linkAccepted(at: now) }) else { return }
    let end = StationLink(station: target, link: accepted)
    let pipe = network.makeNumber()
    network.pipes[pipe] = NetworkPipe(ends: [from, end])
    network.hosts[pipe] = (dialler.device, there.device)
    network.places[from] = (pipe, 0)
    network.places[end] = (pipe, 1)
    // The round trips of TCP and TLS 1.3; the accepting side finishes first.
    var wait = WorldNetwork.handshake
    for _ in 0..<3 { wait += network.drawReliableLatency() }
    plan(.secured(end, dialler.node.local.identity), after: wait)
    plan(.secured(from, there.node.local.identity), after: wait + .microseconds(50))
  }

  /// A contact on the simulated network: the station's number, little-endian.
  static func contact(station: Int) -> [UInt8] {
    Int64(station).littleEndianOctets
  }

  private static func station(contact: [UInt8]) -> Int? {
    guard contact.count == 8 else { return nil }
    return Int(exactly: UInt64(littleEndianOctets: contact))
  }

  mutating func drain(_ end: StationLink) {
    var octets: [UInt8] = []
    while let output = network.stations[end.station]?.node.takeOutput(end.link) { octets += output.octets }
    guard !octets.isEmpty else { return }
    put(.octets(octets), from: end)
  }

  /// Enqueues an item in a link's pipe.
  private mutating func put(_ item: NetworkPipe.Item, from end: StationLink) {
    guard let (key, side) = network.places[end], network.pipes[key]?.ends[1 - side] != nil else { return }
    let wait = network.drawReliableLatency()
    guard let last = network.pipes[key]?.lastArrival[1 - side] else { return }
    let arrival = max(now + wait, last)
    network.pipes[key]?.queues[1 - side].append(item)
    network.pipes[key]?.lastArrival[1 - side] = arrival
    plan(.arrival(pipe: key, side: 1 - side), after: arrival - now)
  }

  mutating func arrive(_ key: Int, _ side: Int) {
    guard let pipe = network.pipes[key], let end = pipe.ends[side], !pipe.queues[side].isEmpty else { return }
    guard isOpen(key) else {
      network.pipes[key]?.stalled[side] += 1
      return
    }
    guard let item = network.pipes[key]?.queues[side].removeFirst() else { return }
    switch item {
    case .octets(let octets): withNode(end.station) { $0.received(octets.span, on: end.link, at: $1) }
    case .end:
      detach(end)
      withNode(end.station) { $0.linkClosed(end.link, at: $1) }
    }
  }

  /// Whether both hosts of a pipe reach each other; `true` once a host is gone.
  private func isOpen(_ key: Int) -> Bool {
    guard let hosts = network.hosts[key] else { return true }
    return network.hears(hosts.0, hosts.1)
  }

  /// The node closes a link: its pending output is sent, then the end.
  mutating func close(_ end: StationLink) {
    drain(end)
    put(.end, from: end)
    detach(end)
    plan(.closed(end), after: Self.commandLatency)
  }

  /// Removes one side from a pipe; items in transit to it are dropped.
  mutating func detach(_ end: StationLink) {
    guard let (key, side) = network.places.removeValue(forKey: end) else { return }
    network.pipes[key]?.ends[side] = nil
    network.pipes[key]?.queues[side] = []
    guard network.pipes[key]?.ends.allSatisfy({ $0 == nil }) ?? true else { return }
    network.pipes[key] = nil
    network.hosts[key] = nil
  }

  /// Ends a link without its pending output, as when a process is killed.
  mutating func abort(_ end: StationLink) {
    put(.end, from: end)
    detach(end)
  }

  mutating func sendDatagram(_ octets: [UInt8], from end: StationLink) {
    guard let (key, side) = network.places[end], let other = network.pipes[key]?.ends[1 - side], isOpen(key)
    else { return }
    let wait = network.drawLatency()
    guard !network.isLost() else { return }
    plan(.datagram(other, octets), after: wait)
  }

  mutating func takeDatagram(_ octets: [UInt8], at end: StationLink) {
    guard let (key, _) = network.places[end], isOpen(key) else { return }
    // An invalid datagram is dropped.
    withNode(end.station) { node, _ in
      do throws(PeerLinkError) { try node.receivedDatagram(octets.span, on: end.link) } catch {}
    }
  }

  // MARK: Reachability

  /// Changes which devices reach each other: held items continue, records appear or, later, expire.
  mutating func changeNetwork(_ change: (inout WorldNetwork) -> Void) {
    change(&network)
    network.epoch += 1
    for key in network.pipes.keys.sorted() where isOpen(key) {
      for side in 0...1 {
        guard let count = network.pipes[key]?.stalled[side], count > 0 else { continue }
        network.pipes[key]?.stalled[side] = 0
        let arrival = now + WorldNetwork.retransmission
        let last = network.pipes[key]?.lastArrival[side] ?? arrival
        network.pipes[key]?.lastArrival[side] = max(arrival, last)
        for _ in 0..<count { plan(.arrival(pipe: key, side: side), after: arrival - now) }
      }
    }
    scheduleRecordChecks()
  }

  /// Breaks every link between two devices; both sides are notified.
  mutating func breakLinks(between a: Int, and b: Int) {
    for key in network.pipes.keys.sorted() {
      guard let hosts = network.hosts[key], hosts == (a, b) || hosts == (b, a) else { continue }
      for end in network.pipes[key]?.ends.compactMap({ $0 }) ?? [] {
        detach(end)
        plan(.closed(end), after: network.drawLatency())
      }
    }
  }
}
