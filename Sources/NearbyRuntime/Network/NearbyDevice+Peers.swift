import NearbyPeerLink

/// The peer network as facades use it.
extension NearbyDevice {
  package func makePeerIdentity() -> PeerIdentity { driver.makePeerIdentity(device: index) }

  package func keepPeerIdentity(_ identity: PeerIdentity) {
    driver.keepPeerIdentity(identity, device: index)
  }

  package func makePeerUser(_ sink: any PeerSink, local: PeerID, role: PeerRole) -> PeerUser {
    driver.makePeerUser(sink, local: local, role: role, device: index)
  }

  package func releasePeerUser(_ user: PeerUser) { driver.releasePeerUser(user, device: index) }

  package func perform(_ command: PeerCommand, of user: PeerUser) throws(PeerFailure) {
    try driver.perform(command, of: user, device: index)
  }

  package func send(
    _ message: Span<UInt8>, to peers: [PeerIdentity], _ mode: SendMode, of user: PeerUser
  ) throws(PeerFailure) {
    try driver.send(message, to: peers, mode, of: user, device: index)
  }

  /// What apps have not taken of all messages that came over the live network, octets.
  package var unreadOctets: Int { (driver as? LiveDriver)?.peers.unread ?? 0 }

  package func tookMessages(_ count: Int, octets: Int, from peer: PeerIdentity, of user: PeerUser) {
    driver.tookMessages(count, octets: octets, from: peer, of: user, device: index)
  }

  package func offer(
    _ offer: TransferOffer, to peer: PeerIdentity, of user: PeerUser
  ) throws(PeerFailure) -> TransferID {
    try driver.offer(offer, to: peer, of: user, device: index)
  }

  package func write(
    _ octets: [UInt8], to stream: TransferID, with peer: PeerIdentity, of user: PeerUser
  ) throws(PeerFailure) -> Int {
    try driver.write(octets, to: stream, with: peer, of: user, device: index)
  }

  package func connectionData(
    for peer: PeerIdentity, of user: PeerUser
  ) throws(PeerFailure) -> [UInt8] {
    try driver.connectionData(for: peer, of: user, device: index)
  }
}
