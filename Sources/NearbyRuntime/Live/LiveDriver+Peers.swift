import NearbyPeerLink
import NearbyPeerNetwork

/// The peer network of a live device.
extension LiveDriver {
  package func makePeerIdentity(device: Int) -> PeerIdentity {
    do throws(NetworkError) {
      return try peers.keys.makeIdentity()
    } catch {
      // Without a key the ID is nobody's: what is made with it says `unavailable`.
      Notice.write("no key for a peer: \(error)")
      return Self.nobody
    }
  }

  private static var nobody: PeerIdentity {
    guard let identity = try? PeerIdentity(octets: [UInt8](repeating: 0, count: 32)) else {
      preconditionFailure("an identity has 32 octets")
    }
    return identity
  }

  package func keepPeerIdentity(_ identity: PeerIdentity, device: Int) {
    peers.keys.keep(identity)
  }

  package func makePeerUser(
    _ sink: any PeerSink, local: PeerID, role: PeerRole, device: Int
  ) -> PeerUser { peers.makeUser(sink, local: local, role: role) }

  package func releasePeerUser(_ user: PeerUser, device: Int) { peers.release(user) }

  package func perform(_ command: PeerCommand, of user: PeerUser, device: Int) throws(PeerFailure) {
    try peers.perform(command, of: user)
  }

  package func send(
    _ message: Span<UInt8>, to identities: [PeerIdentity], _ mode: SendMode, of user: PeerUser,
    device: Int
  ) throws(PeerFailure) {
    try peers.withSession(user) { (node, key) throws(PeerLinkError) in
      try node.send(message, to: identities, in: key, mode)
    }
  }

  package func tookMessages(
    _ count: Int, octets: Int, from peer: PeerIdentity, of user: PeerUser, device: Int
  ) { peers.tookMessages(count, octets: octets, from: peer, of: user) }

  package func offer(
    _ offer: TransferOffer, to peer: PeerIdentity, of user: PeerUser, device: Int
  ) throws(PeerFailure) -> TransferID {
    try peers.withSession(user) { (node, key) throws(PeerLinkError) in
      try node.begin(offer, with: peer, in: key)
    }
  }

  package func write(
    _ octets: [UInt8], to stream: TransferID, with peer: PeerIdentity, of user: PeerUser,
    device: Int
  ) throws(PeerFailure) -> Int {
    try peers.withSession(user) { (node, key) throws(PeerLinkError) in
      try node.writeStream(stream, octets.span, to: peer, in: key)
    }
  }

  package func connectionData(
    for peer: PeerIdentity, of user: PeerUser, device: Int
  ) throws(PeerFailure) -> [UInt8] {
    try peers.withSession(user) { (node, key) throws(PeerLinkError) in
      try node.connectionData(key, for: peer)
    }
  }
}
