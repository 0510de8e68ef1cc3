import NearbyOctets
import NearbyPeerLink

/// Local peers of devices, and what their apps ask.
extension WorldState {
  mutating func makePeerIdentity(device: Int) -> PeerIdentity {
    var octets: [UInt8] = []
    for _ in 0..<4 { octets.append(littleEndian: devices[device].drawNumber()) }
    guard let identity = try? PeerIdentity(octets: octets) else {
      preconditionFailure("an identity has 32 octets")
    }
    network.owners[identity] = device
    return identity
  }

  /// The station of a local peer; `nil` where its key is another device's.
  private mutating func station(of peer: PeerID, device: Int) -> Int? {
    guard network.owners[peer.identity] == device else { return nil }
    if let station = network.stationOf[peer.identity] { return station }
    let key = network.makeNumber()
    // Later lives of one identity have larger stamps, as the time of day would give them.
    var node = PeerNode(
      local: peer, stamp: UInt64(key) << 32, random: SplitMix64(seed: devices[device].drawNumber()))
    node.contact = Self.contact(station: key)
    network.stations[key] = PeerStation(device: device, node: node)
    network.stationOf[peer.identity] = key
    return key
  }

  mutating func makePeerUser(
    _ sink: any PeerSink, local: PeerID, role: PeerRole, device: Int
  ) -> PeerUser {
    let user = PeerUser(number: network.makeNumber())
    let station = station(of: local, device: device)
    var kept = NetworkUser.Role.useless
    var certificates: [[UInt8]] = []
    if let station {
      switch role {
      case .session(let preference, credentials: let credentials):
        let key = withNode(station) { node, _ in node.openSession(preference, asksCertificates: true) }
        guard let key else { break }
        network.stations[station]?.sessions[key] = user
        kept = .session(key)
        certificates = credentials?.chain ?? []
      case .advertiser(let type, let info): kept = .advertiser(type, info, record: nil)
      case .browser(let type):
        kept = .browser(type, DiscoveryMachine(own: local.identity), isOn: false)
      }
    }
    network.users[user] = NetworkUser(
      device: device, local: local, station: station, sink: sink, role: kept, certificates: certificates)
    return user
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
    case .useless: break
    }
    network.users[user] = nil
  }

  /// The app's process ends: the system closes its streams and takes its records back.
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
      network.users[user]?.role = .useless
      network.users[user]?.station = nil
    }
    questions[device]?.open = []
  }

  // MARK: Requests

  mutating func perform(_ command: PeerCommand, of user: PeerUser) throws(PeerFailure) {
    guard let role = network.users[user]?.role else { throw .unavailable }
    switch (command, role) {
    case (.start, .useless): tell(user, .didNotStart)
    case (.start, .advertiser(let type, _, record: _)) where !mayUse(type, user),
      (.start, .browser(let type, _, isOn: _)) where !mayUse(type, user):
      tell(user, .didNotStart)
    case (.stop, .useless), (.answer, .useless), (.disconnect, .useless), (.cancelConnect, .useless),
      (.decideCertificate, .useless), (.transfer, .useless):
      break
    case (.start, .advertiser): startAdvertising(user)
    case (.stop, .advertiser): stopAdvertising(user)
    case (.start, .browser): startBrowsing(user)
    case (.stop, .browser): stopBrowsing(user)
    case (.answer(let id, let session), .advertiser): answer(id, by: user, with: session)
    case (.invite(let peer, let session, let context, let timeout), .browser(let type, let machine, _)):
      try invite(
        peer, contact: machine.contacts(of: peer.identity).first ?? [], to: session, type, context, timeout)
    case (_, .session(let key)): try perform(command, of: user, session: key)
    case (_, .useless): throw .unavailable
    case (_, .advertiser), (_, .browser): throw .wrongRole
    }
  }

  private mutating func answer(_ id: InvitationID, by user: PeerUser, with session: PeerUser?) {
    guard let station = network.users[user]?.station else { return }
    var accepted: SessionKey?
    // A session of another local peer cannot be joined by who asked for this one.
    if let session, network.users[session]?.station == station,
      case .session(let key) = network.users[session]?.role
    {
      accepted = key
    }
    withNode(station) { $0.answerInvitation(id, accept: accepted, at: $1) }
  }

  private mutating func invite(
    _ peer: PeerID, contact: [UInt8], to session: PeerUser, _ type: ServiceType, _ context: [UInt8]?,
    _ timeout: Duration
  ) throws(PeerFailure) {
    guard let station = network.users[session]?.station,
      case .session(let key) = network.users[session]?.role
    else { throw .unavailable }
    try withStation(station) { (node, now) throws(PeerLinkError) in
      _ = try node.invite(
        peer, contact: contact, to: key, serviceType: type, context: context, timeout: timeout, at: now)
    }
  }

  private mutating func perform(
    _ command: PeerCommand, of user: PeerUser, session: SessionKey
  ) throws(PeerFailure) {
    guard let station = network.users[user]?.station else { throw .unavailable }
    switch command {
    case .disconnect: withNode(station) { $0.disconnect(session, at: $1) }
    case .connect(let peer, let data):
      try withStation(station) { (node, now) throws(PeerLinkError) in
        try node.connect(peer, connectionData: data, to: session, at: now)
      }
    case .cancelConnect(let identity):
      withNode(station) { $0.cancelConnect(session, identity, at: $1) }
    case .decideCertificate(let identity, let isAccepted):
      withNode(station) { $0.certificateDecided(session, identity, isAccepted: isAccepted, at: $1) }
    case .transfer(let identity, let command):
      try withStation(station) { (node, _) throws(PeerLinkError) in
        try node.perform(command, with: identity, in: session)
      }
    case .start, .stop, .invite, .answer: throw .wrongRole
    }
  }

  @discardableResult
  mutating func withStation<Result>(
    _ station: Int, _ body: (inout PeerNode, Duration) throws(PeerLinkError) -> Result
  ) throws(PeerFailure) -> Result {
    do throws(PeerLinkError) {
      guard let result = try withNode(station, body) else { throw PeerLinkError.request(.unknownSession) }
      return result
    } catch {
      throw .refused(error)
    }
  }

  /// The node of a session.
  mutating func withSession<Result>(
    _ user: PeerUser, _ body: (inout PeerNode, SessionKey) throws(PeerLinkError) -> Result
  ) throws(PeerFailure) -> Result {
    guard let entry = network.users[user], let station = entry.station else { throw .unavailable }
    guard case .session(let key) = entry.role else { throw .wrongRole }
    return try withStation(station) { (node, _) throws(PeerLinkError) in try body(&node, key) }
  }
}

extension PeerNode {
  /// Does what an app asks of a resource or stream.
  package mutating func perform(
    _ command: TransferCommand, with peer: PeerIdentity, in session: SessionKey
  ) throws(PeerLinkError) {
    switch command {
    case .resourceRead(let id, let octets):
      try resourceRead(id, octets.span, to: peer, in: session)
    case .acceptResource(let id): try acceptResource(id, from: peer, in: session)
    case .resourceConsumed(let id, let count):
      try resourceConsumed(id, count, from: peer, in: session)
    case .resourceStored(let id): try resourceStored(id, from: peer, in: session)
    case .cancelResource(let id): cancelResource(id, with: peer, in: session)
    case .streamConsumed(let id, let count): try streamConsumed(id, count, from: peer, in: session)
    case .endStream(let id): try endStream(id, to: peer, in: session)
    case .closeStream(let id): closeStream(id, with: peer, in: session)
    }
  }

  package mutating func begin(
    _ offer: TransferOffer, with peer: PeerIdentity, in session: SessionKey
  ) throws(PeerLinkError) -> TransferID {
    switch offer {
    case .resource(let name, let size): try sendResource(name: name, size: size, to: peer, in: session)
    case .stream(let name): try openStream(name: name, to: peer, in: session)
    }
  }
}
