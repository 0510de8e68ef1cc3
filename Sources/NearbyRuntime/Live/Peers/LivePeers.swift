import Dispatch
import Foundation
import NearbyConcurrency
import NearbyEventLoop
import NearbyPeerLink
import NearbyPeerNetwork
import Synchronization

/// The peer network of a live device: its local peers, each a station, and who uses them.
package final class LivePeers: Sendable {
  final class User: Sendable {
    enum Role: Sendable {
      /// The local peer's key is not here.
      case useless
      case session(LiveStation, SessionKey)
      case advertiser(LiveStation, ServiceType, DiscoveryInfo)
      case browser(LiveStation, ServiceType)

      var station: LiveStation? {
        switch self {
        case .useless: nil
        case .session(let station, _), .advertiser(let station, _, _), .browser(let station, _): station
        }
      }
    }

    let sink: any PeerSink
    let role: Role

    init(_ sink: any PeerSink, _ role: Role) {
      self.sink = sink
      self.role = role
    }
  }

  private struct State {
    var made = 0
    /// Users being made, whose stations must stay.
    var making = 0
    var users: [PeerUser: User] = [:]
    var stations: [PeerIdentity: LiveStation] = [:]
  }

  let keys: PeerKeyStore
  let directory: PeerDirectory
  private let state = Mutex(State())

  package init(_ settings: PeerSettings = PeerSettings()) {
    ProcessMemory.keepForMessages()
    keys = PeerKeyStore(folder: settings.keyFolder)
    directory = PeerDirectory(settings.discovery)
  }

  /// The process ends: says goodbye to peers, and takes its records off the network.
  package func end() {
    for station in state.withLock({ $0.stations.values.map(\.self) }) { station.leave() }
    directory.end()
  }

  // MARK: Users

  func makeUser(_ sink: any PeerSink, local: PeerID, role: PeerRole) -> PeerUser {
    state.withLock { $0.making += 1 }
    let kept = User(sink, self.role(of: sink, local: local, role))
    let user = state.withLock { state in
      state.making -= 1
      state.made += 1
      let user = PeerUser(number: state.made)
      state.users[user] = kept
      return user
    }
    return user
  }

  private func role(of sink: any PeerSink, local: PeerID, _ role: PeerRole) -> User.Role {
    guard let station = station(of: local) else { return .useless }
    switch role {
    case .session(let preference, credentials: let credentials):
      let certificate = credentials.flatMap { try? PeerKey(pem: $0.pem) }
      return .session(station, station.openSession(preference, certificate, sink))
    case .advertiser(let type, let info): return .advertiser(station, type, info)
    case .browser(let type): return .browser(station, type)
    }
  }

  private func station(of local: PeerID) -> LiveStation? {
    guard let key = keys.key(of: local.identity) else { return nil }
    return state.withLock { state in
      if let station = state.stations[local.identity] { return station }
      let directory = directory
      let station = try? LiveStation(local: local, key: key) { directory.addresses(of: $0) }
      state.stations[local.identity] = station
      return station
    }
  }

  func release(_ user: PeerUser) {
    guard let entry = state.withLock({ $0.users.removeValue(forKey: user) }) else { return }
    switch entry.role {
    case .useless: break
    case .session(let station, let key):
      station.change { state, now in
        state.sessions[key] = nil
        state.node.closeSession(key, at: now)
      }
      station.resumeReading(of: key)
      station.state.withLock { $0.unread = $0.unread.filter { $0.key.session != key } }
    case .advertiser(let station, let type, _): stopAdvertising(user, station, type)
    case .browser: directory.stopBrowsing(user)
    }
    if let station = entry.role.station { retire(station) }
  }

  /// A local peer that nobody uses keeps its thread until the last goodbye must have been heard.
  private func retire(_ station: LiveStation) {
    DispatchQueue.global().asyncAfter(deadline: .now() + 12) { [self] in
      let isUnused = state.withLock { state in
        guard state.making == 0, state.stations[station.local.identity] === station,
          !state.users.values.contains(where: { $0.role.station === station })
        else { return false }
        state.stations[station.local.identity] = nil
        return true
      }
      if isUnused { station.stop() }
    }
  }

  func user(_ user: PeerUser) throws(PeerFailure) -> User {
    guard let found = state.withLock({ $0.users[user] }) else { throw .unavailable }
    return found
  }

  // MARK: Requests

  func perform(_ command: PeerCommand, of user: PeerUser) throws(PeerFailure) {
    let entry = try self.user(user)
    switch (command, entry.role) {
    case (_, .session(let station, let key)): try perform(command, on: station, key)
    case (.start, .useless): entry.sink.received(.didNotStart)
    case (.stop, .useless), (.answer, .useless), (.disconnect, .useless), (.cancelConnect, .useless),
      (.decideCertificate, .useless), (.transfer, .useless):
      break
    case (.start, .advertiser(let station, let type, let info)):
      startAdvertising(user, entry.sink, station, type, info)
    case (.stop, .advertiser(let station, let type, _)): stopAdvertising(user, station, type)
    case (.answer(let id, let session), .advertiser(let station, _, _)):
      // A session of another local peer cannot be joined by who asked for this one.
      let accepted = session.flatMap { self.session($0, of: station) }
      station.feed { $0.answerInvitation(id, accept: accepted, at: $1) }
    case (.start, .browser(let station, let type)):
      directory.browse(user, own: station.local.identity, type: type, sink: entry.sink)
    case (.stop, .browser): directory.stopBrowsing(user)
    case (.invite(let peer, let session, let context, let timeout), .browser(_, let type)):
      try invite(peer, by: user, to: session, type, context, timeout)
    case (_, .useless): throw .unavailable
    case (_, .advertiser), (_, .browser): throw .wrongRole
    }
  }

  private func session(_ user: PeerUser, of station: LiveStation) -> SessionKey? {
    guard case .session(let own, let key)? = (try? self.user(user))?.role, own === station else { return nil }
    return key
  }

  private func invite(
    _ peer: PeerID, by browser: PeerUser, to session: PeerUser, _ type: ServiceType, _ context: [UInt8]?,
    _ timeout: Duration
  ) throws(PeerFailure) {
    guard case .session(let station, let key) = try user(session).role else { throw .unavailable }
    let contact = directory.contact(of: peer.identity, for: browser)
    try station.follow { (node, now) throws(PeerLinkError) in
      _ = try node.invite(
        peer, contact: contact, to: key, serviceType: type, context: context, timeout: timeout, at: now)
    }
  }

  private func perform(
    _ command: PeerCommand, on station: LiveStation, _ key: SessionKey
  ) throws(PeerFailure) {
    switch command {
    case .disconnect:
      station.feed { $0.disconnect(key, at: $1) }
      // What still comes is heard by nobody, and behind it the peer's answers.
      station.resumeReading(of: key)
    case .connect(let peer, let data):
      try station.follow { (node, now) throws(PeerLinkError) in
        try node.connect(peer, connectionData: data, to: key, at: now)
      }
    case .cancelConnect(let identity): station.feed { $0.cancelConnect(key, identity, at: $1) }
    case .decideCertificate(let identity, let isAccepted):
      station.feed { $0.certificateDecided(key, identity, isAccepted: isAccepted, at: $1) }
    case .transfer(let identity, let command):
      try station.follow { (node, _) throws(PeerLinkError) in
        try node.perform(command, with: identity, in: key)
      }
    case .start, .stop, .invite, .answer: throw .wrongRole
    }
  }

  func tookMessages(_ count: Int, octets: Int, from identity: PeerIdentity, of user: PeerUser) {
    guard case .session(let station, let key)? = (try? self.user(user))?.role else { return }
    station.took(Unread.weight(count, octets: octets), of: Unread.Member(session: key, identity: identity))
  }

  /// What the app has not taken of all that came, octets.
  package var unread: Int {
    state.withLock { $0.stations.values.map(\.self) }.reduce(0) { sum, station in
      sum + station.state.withLock { $0.unread.values.reduce(0) { $0 + $1.octets } }
    }
  }

  func withSession<Result>(
    _ user: PeerUser, _ body: (inout PeerNode, SessionKey) throws(PeerLinkError) -> Result
  ) throws(PeerFailure) -> Result {
    switch try self.user(user).role {
    case .useless: throw .unavailable
    case .advertiser, .browser: throw .wrongRole
    case .session(let station, let key):
      return try station.follow { (node, _) throws(PeerLinkError) in try body(&node, key) }
    }
  }

  // MARK: Advertisers

  private func startAdvertising(
    _ user: PeerUser, _ sink: any PeerSink, _ station: LiveStation, _ type: ServiceType, _ info: DiscoveryInfo
  ) {
    station.change { state, _ in
      guard !state.advertisers.contains(where: { $0.user == user }) else { return }
      state.advertisers.append(LiveStation.Advertiser(user: user, type: type, sink: sink))
      state.node.advertise(type)
    }
    directory.advertise(
      user, AdvertisedPeer(peer: station.local, info: info), type: type, port: station.port, sink: sink)
  }

  private func stopAdvertising(_ user: PeerUser, _ station: LiveStation, _ type: ServiceType) {
    station.change { state, _ in
      state.advertisers.removeAll { $0.user == user }
      if !state.advertisers.contains(where: { $0.type == type }) { state.node.stopAdvertising(type) }
    }
    directory.stopAdvertising(user)
  }
}

extension LiveStation {
  /// Feeds a request that the machine may refuse.
  @discardableResult
  func follow<Result>(
    _ body: (inout PeerNode, Duration) throws(PeerLinkError) -> Result
  ) throws(PeerFailure) -> Result {
    do throws(PeerLinkError) {
      return try feed(body)
    } catch {
      throw .refused(error)
    }
  }
}
