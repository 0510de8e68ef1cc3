import Dispatch
import Foundation
import NearbyConcurrency
import NearbyDevice
import NearbyEventLoop
import NearbyPeerLink
import NearbyPeerNetwork
import NearbyPeerRelay
import Synchronization

/// The peer network of a live device: a station for each local peer, and the stations' users.
package final class LivePeers: Sendable {
  private struct State {
    var made = 0
    /// The number of users in the making, whose stations must not be removed.
    var making = 0
    /// The station of each user, and the session of each member.
    var users: [PeerUser: (station: LiveStation, session: SessionKey?)] = [:]
    var stations: [NearbyPeerLink.PeerIdentity: LiveStation] = [:]
  }

  let keys: PeerKeyStore
  let directory: any PeerDiscovery
  /// Where peers meet; `nil` on the local network.
  private let road: RelayRoad?
  private let state = Mutex(State())

  package init(_ settings: PeerSettings = PeerSettings()) {
    ProcessMemory.retainForMessages()
    keys = PeerKeyStore(folder: settings.keyFolder)
    road = settings.relay.map(RelayRoad.init)
    if let road {
      directory = RelayDirectory(road)
    } else {
      directory = PeerDirectory(settings.discovery)
    }
    road?.onReconnect { [weak self] bus in
      for station in self?.state.withLock({ $0.stations.values.map(\.self) }) ?? [] {
        station.relay?.start(on: bus)
      }
    }
  }

  /// Ends with the process: says goodbye to peers and withdraws records from the network.
  package func end() {
    for station in state.withLock({ $0.stations.values.map(\.self) }) { station.leave() }
    directory.end()
  }

  // MARK: Users

  /// Makes a user of a local peer's station; `nil` if this device does not have the peer's key.
  ///
  /// - Parameter open: Opens the session of a member.
  private func makeUser(
    of local: PeerID, open: (LiveStation) -> SessionKey? = { _ in nil }
  ) -> (user: PeerUser, station: LiveStation?, session: SessionKey?) {
    state.withLock { $0.making += 1 }
    let station = station(of: local)
    let session = station.flatMap(open)
    let user = state.withLock { state in
      state.making -= 1
      state.made += 1
      let user = PeerUser(number: state.made)
      if let station { state.users[user] = (station, session) }
      return user
    }
    return (user, station, session)
  }

  private func station(of local: PeerID) -> LiveStation? {
    guard let key = keys.key(of: local.identity) else { return nil }
    return state.withLock { state in
      if let station = state.stations[local.identity] { return station }
      let directory = directory
      let station = try? LiveStation(local: local, key: key, road: road) { directory.addresses(of: $0) }
      state.stations[local.identity] = station
      return station
    }
  }

  /// Removes a user. A local peer without users keeps its thread until its last goodbye could be received.
  func release(_ user: PeerUser) {
    guard let station = state.withLock({ $0.users.removeValue(forKey: user) })?.station else { return }
    DispatchQueue.global().asyncAfter(deadline: .now() + Self.goodbyeTime) { [self] in
      let isUnused = state.withLock { state in
        guard state.making == 0, state.stations[station.local.identity] === station,
          !state.users.values.contains(where: { $0.station === station })
        else { return false }
        state.stations[station.local.identity] = nil
        return true
      }
      if isUnused { station.stop() }
    }
  }

  /// Longer than a node waits for the answer to its goodbye, seconds.
  private static let goodbyeTime = 12.0

  /// The session of a user, if it belongs to this station's local peer.
  func session(_ user: PeerUser, of station: LiveStation) -> SessionKey? {
    state.withLock { $0.users[user].flatMap { $0.station === station ? $0.session : nil } }
  }

  func member(_ user: PeerUser) throws(PeerFailure) -> (station: LiveStation, session: SessionKey) {
    guard let known = state.withLock({ $0.users[user] }), let session = known.session else {
      throw .unavailable
    }
    return (known.station, session)
  }
}

extension LivePeers: PeerSide {
  package func makeIdentity() -> NearbyPeerLink.PeerIdentity {
    do throws(NetworkError) {
      return try keys.makeIdentity()
    } catch {
      // Without a key the ID belongs to no device, so objects made with it are unavailable.
      Notice.write("no key for a peer: \(error)")
      return Self.nobody
    }
  }

  private static var nobody: NearbyPeerLink.PeerIdentity {
    guard let identity = try? NearbyPeerLink.PeerIdentity(octets: [UInt8](repeating: 0, count: 32)) else {
      preconditionFailure("a peer's identity must have 32 octets")
    }
    return identity
  }

  package func store(_ identity: NearbyPeerLink.PeerIdentity) { keys.store(identity) }

  package func makeMember(
    _ sink: any PeerSink, local: PeerID, _ preference: EncryptionPreference, credentials: SessionCredentials?
  ) -> any PeerMember {
    let certificate = credentials.flatMap { try? PeerKey(pem: $0.pem) }
    // On a server that others use, no session is in plain text.
    let preference = road != nil && preference == .none ? .optional : preference
    let made = makeUser(of: local) { $0.openSession(preference, certificate, sink) }
    guard let station = made.station, let key = made.session else { return UnavailablePeer(made.user, sink) }
    return LiveMember(user: made.user, peers: self, station: station, key: key)
  }

  package func makeAdvertiser(
    _ sink: any PeerSink, local: PeerID, _ type: ServiceType, _ info: DiscoveryInfo
  ) -> any PeerAdvertiser {
    let made = makeUser(of: local)
    guard let station = made.station else { return UnavailablePeer(made.user, sink) }
    return LiveAdvertiser(
      user: made.user, peers: self, station: station, type: type, info: info, sink: sink)
  }

  package func makeBrowser(_ sink: any PeerSink, local: PeerID, _ type: ServiceType) -> any PeerBrowser {
    let made = makeUser(of: local)
    guard let station = made.station else { return UnavailablePeer(made.user, sink) }
    return LiveBrowser(user: made.user, peers: self, station: station, type: type, sink: sink)
  }

  package var unreadOctets: Int {
    state.withLock { $0.stations.values.map(\.self) }.reduce(0) { sum, station in
      sum + station.state.withLock { $0.unread.values.reduce(0) { $0 + $1.octets } }
    }
  }
}

extension LiveStation {
  /// Feeds a request that the node may reject.
  @discardableResult
  func request<Result>(
    _ body: (inout PeerNode, Duration) throws(PeerLinkError) -> Result
  ) throws(PeerFailure) -> Result {
    do throws(PeerLinkError) {
      return try feed(body)
    } catch {
      throw .refused(error)
    }
  }
}
