import NearbyDevice
import NearbyOctets
import NearbyPeerLink
import NearbySchedule

/// Local peers of devices, and their apps' requests.
extension WorldState {
  mutating func makePeerIdentity(device: Int) -> PeerIdentity {
    var octets: [UInt8] = []
    for _ in 0..<4 { octets.append(littleEndian: devices[device].drawNumber()) }
    guard let identity = try? PeerIdentity(octets: octets) else {
      preconditionFailure("a peer's identity must have 32 octets")
    }
    network.owners[identity] = device
    return identity
  }

  /// The station of a local peer; `nil` if another device has its key.
  private mutating func station(of peer: PeerID, device: Int) -> Int? {
    guard network.owners[peer.identity] == device else { return nil }
    if let station = network.stationOf[peer.identity] { return station }
    let key = network.makeNumber()
    // A later life of an identity needs a larger stamp, as the time of day would give it.
    var node = PeerNode(
      local: peer, stamp: UInt64(key) << 32, random: SplitMix64(seed: devices[device].drawNumber()))
    node.contact = Self.contact(station: key)
    network.stations[key] = PeerStation(device: device, node: node)
    network.stationOf[peer.identity] = key
    return key
  }

  /// - Returns: The user, and whether this device has the local peer's key.
  mutating func makePeerUser(
    _ sink: any PeerSink, local: PeerID, device: Int
  ) -> (user: PeerUser, isHere: Bool) {
    let user = PeerUser(number: network.makeNumber())
    let station = station(of: local, device: device)
    network.users[user] = NetworkUser(
      device: device, local: local, station: station, sink: sink, role: .unavailable)
    return (user, station != nil)
  }

  mutating func openSession(of user: PeerUser, _ preference: EncryptionPreference, certificates: [[UInt8]]) {
    guard let station = network.users[user]?.station,
      let key = withNode(station, { node, _ in node.openSession(preference, asksCertificates: true) })
    else { return }
    network.stations[station]?.sessions[key] = user
    network.users[user]?.role = .session(key)
    network.users[user]?.certificates = certificates
  }

  mutating func releasePeerUser(_ user: PeerUser) {
    guard let entry = network.users[user] else { return }
    switch entry.role {
    case .session(let key):
      guard let station = entry.station else { break }
      network.stations[station]?.sessions[key] = nil
      withNode(station) { $0.closeSession(key, at: $1) }
    case .advertiser: stopAdvertising(user)
    case .browser: stopBrowsing(user)
    case .unavailable: break
    }
    network.users[user] = nil
  }

  /// The app's process ends: the system closes its streams and withdraws its records.
  mutating func endPeers(of device: Int) {
    for key in network.records.keys.sorted() {
      guard let record = network.records[key], record.device == device, !record.isWithdrawn else { continue }
      withdraw(key)
    }
    for station in network.stations.keys.sorted() where network.stations[station]?.device == device {
      for end in network.places.keys.filter({ $0.station == station }).sorted(by: { $0.link < $1.link }) {
        abort(end)
      }
      if let identity = network.stations[station]?.node.local.identity { network.stationOf[identity] = nil }
      network.stations[station] = nil
    }
    for user in network.users.keys.sorted() where network.users[user]?.device == device {
      network.users[user]?.role = .unavailable
      network.users[user]?.station = nil
    }
    questions[device]?.open = []
  }

  // MARK: Requests

  mutating func startPeer(_ user: PeerUser) {
    switch network.users[user]?.role {
    case .unavailable: notify(user, .didNotStart)
    case .advertiser(let type, _, record: _):
      if mayUse(type, user) { startAdvertising(user) } else { notify(user, .didNotStart) }
    case .browser(let type, _, isOn: _):
      if mayUse(type, user) { startBrowsing(user) } else { notify(user, .didNotStart) }
    case .session, nil: break
    }
  }

  mutating func stopPeer(_ user: PeerUser) {
    switch network.users[user]?.role {
    case .advertiser: stopAdvertising(user)
    case .browser: stopBrowsing(user)
    case .session, .unavailable, nil: break
    }
  }

  mutating func answer(_ id: InvitationID, by user: PeerUser, with session: PeerUser?) {
    guard let station = network.users[user]?.station else { return }
    var accepted: SessionKey?
    // The invitation was for this local peer, so a session of another one cannot accept it.
    if let session, network.users[session]?.station == station,
      case .session(let key) = network.users[session]?.role
    {
      accepted = key
    }
    withNode(station) { $0.answerInvitation(id, accept: accepted, at: $1) }
  }

  mutating func invite(
    _ peer: PeerID, by browser: PeerUser, to session: PeerUser, context: [UInt8]?, timeout: Duration
  ) throws(PeerFailure) {
    guard case .browser(let type, let machine, _) = network.users[browser]?.role else { throw .unavailable }
    let contact = machine.contacts(of: peer.identity).first ?? []
    try withSession(session) { (node, key, now) throws(PeerLinkError) in
      _ = try node.invite(
        peer, contact: contact, to: key, serviceType: type, context: context, timeout: timeout, at: now)
    }
  }

  /// Feeds a request to the node of a session.
  mutating func withSession<Result>(
    _ user: PeerUser, _ body: (inout PeerNode, SessionKey, Duration) throws(PeerLinkError) -> Result
  ) throws(PeerFailure) -> Result {
    guard let entry = network.users[user], let station = entry.station, case .session(let key) = entry.role
    else { throw .unavailable }
    do throws(PeerLinkError) {
      let result = try withNode(station) { (node, now) throws(PeerLinkError) in try body(&node, key, now) }
      guard let result else { throw PeerLinkError.request(.unknownSession) }
      return result
    } catch {
      throw .refused(error)
    }
  }
}
