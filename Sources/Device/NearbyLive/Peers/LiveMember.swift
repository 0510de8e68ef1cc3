import NearbyConcurrency
import NearbyDevice
import NearbyPeerLink
import NearbyPeerNetwork

/// A session of a local peer on the live network.
struct LiveMember: PeerMember {
  let user: PeerUser
  let peers: LivePeers
  let station: LiveStation
  let key: SessionKey

  func release() {
    station.change { state, now in
      state.sessions[key] = nil
      state.node.closeSession(key, at: now)
    }
    station.resumeReading(of: key)
    station.state.withLock { $0.unread = $0.unread.filter { $0.key.session != key } }
    peers.release(user)
  }

  func disconnect() {
    station.feed { $0.disconnect(key, at: $1) }
    // Keep reading: acknowledgements are queued behind messages that no longer have a recipient.
    station.resumeReading(of: key)
  }

  func connect(_ peer: PeerID, data: [UInt8]) throws(PeerFailure) {
    try station.request { (node, now) throws(PeerLinkError) in
      try node.connect(peer, connectionData: data, to: key, at: now)
    }
  }

  func cancelConnect(_ peer: NearbyPeerLink.PeerIdentity) {
    station.feed { $0.cancelConnect(key, peer, at: $1) }
  }

  func decideCertificate(_ peer: NearbyPeerLink.PeerIdentity, isAccepted: Bool) {
    station.feed { $0.certificateDecided(key, peer, isAccepted: isAccepted, at: $1) }
  }

  func connectionData(for peer: NearbyPeerLink.PeerIdentity) throws(PeerFailure) -> [UInt8] {
    try station.request { (node, _) throws(PeerLinkError) in try node.connectionData(key, for: peer) }
  }

  func send(_ message: Span<UInt8>, to peers: [NearbyPeerLink.PeerIdentity], _ mode: SendMode)
    throws(PeerFailure)
  {
    try station.request { (node, _) throws(PeerLinkError) in try node.send(message, to: peers, in: key, mode)
    }
  }

  func consumed(_ count: Int, octets: Int, from peer: NearbyPeerLink.PeerIdentity) {
    station.took(Unread.weight(count, octets: octets), of: Unread.Member(session: key, identity: peer))
  }

  func offer(_ offer: TransferOffer, to peer: NearbyPeerLink.PeerIdentity) throws(PeerFailure) -> TransferID {
    try station.request { (node, _) throws(PeerLinkError) in try node.begin(offer, with: peer, in: key) }
  }

  func perform(_ command: TransferCommand, with peer: NearbyPeerLink.PeerIdentity) throws(PeerFailure) {
    try station.request { (node, _) throws(PeerLinkError) in try node.perform(command, with: peer, in: key) }
  }

  func write(_ octets: [UInt8], to stream: TransferID, with peer: NearbyPeerLink.PeerIdentity)
    throws(PeerFailure) -> Int
  {
    try station.request { (node, _) throws(PeerLinkError) in
      try node.writeStream(stream, octets.span, to: peer, in: key)
    }
  }
}
