import NearbyDevice
import NearbyPeerLink

/// An advertiser of a local peer on the live network.
struct LiveAdvertiser: PeerAdvertiser {
  let user: PeerUser
  let peers: LivePeers
  let station: LiveStation
  let type: ServiceType
  let info: DiscoveryInfo
  let sink: any PeerSink

  func start() {
    station.change { state, _ in
      guard !state.advertisers.contains(where: { $0.user == user }) else { return }
      state.advertisers.append(LiveStation.Advertiser(user: user, type: type, sink: sink))
      state.node.advertise(type)
    }
    peers.directory.advertise(
      user, AdvertisedPeer(peer: station.local, info: info), type: type, port: station.port, sink: sink)
  }

  func stop() {
    station.change { state, _ in
      state.advertisers.removeAll { $0.user == user }
      if !state.advertisers.contains(where: { $0.type == type }) { state.node.stopAdvertising(type) }
    }
    peers.directory.stopAdvertising(user)
  }

  /// Rejects sessions of other local peers: the invitation was for this one.
  func answer(_ invitation: InvitationID, accept session: PeerUser?) {
    let accepted = session.flatMap { peers.session($0, of: station) }
    station.feed { $0.answerInvitation(invitation, accept: accepted, at: $1) }
  }

  func release() {
    stop()
    peers.release(user)
  }
}

/// A browser of a local peer on the live network.
struct LiveBrowser: PeerBrowser {
  let user: PeerUser
  let peers: LivePeers
  let station: LiveStation
  let type: ServiceType
  let sink: any PeerSink

  func start() { peers.directory.browse(user, own: station.local.identity, type: type, sink: sink) }

  func stop() { peers.directory.stopBrowsing(user) }

  func invite(
    _ peer: PeerID, to session: PeerUser, context: [UInt8]?, timeout: Duration
  ) throws(PeerFailure) {
    let (station, key) = try peers.member(session)
    let contact = peers.directory.contact(of: peer.identity, for: user)
    try station.request { (node, now) throws(PeerLinkError) in
      _ = try node.invite(
        peer, contact: contact, to: key, serviceType: type, context: context, timeout: timeout, at: now)
    }
  }

  func release() {
    stop()
    peers.release(user)
  }
}
