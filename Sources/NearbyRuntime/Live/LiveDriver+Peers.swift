import PeerLink

/// A live process has no peer network yet: everything that needs one says so.
extension LiveDriver {
  package func makePeerIdentity(device: Int) -> PeerIdentity {
    var generator = SystemRandomNumberGenerator()
    let octets = (0..<PeerIdentity.size).map { _ in UInt8.random(in: 0...255, using: &generator) }
    guard let identity = try? PeerIdentity(octets: octets) else {
      preconditionFailure("an identity has 32 octets")
    }
    return identity
  }

  package func makePeerUser(
    _ sink: any PeerSink, local: PeerID, role: PeerRole, device: Int
  ) -> PeerUser { peers.insert(sink) }

  package func releasePeerUser(_ user: PeerUser, device: Int) { peers.remove(user) }

  package func perform(_ command: PeerCommand, of user: PeerUser, device: Int) throws(PeerFailure) {
    switch command {
    case .start: later(device: device) { [peers] in peers.sink(of: user)?.received(.didNotStart) }
    case .invite(let peer, to: let session, context: _, timeout: _):
      later(device: device) { [peers] in peers.sink(of: session)?.received(.state(peer, .notConnected)) }
    case .stop, .answer, .disconnect, .cancelConnect, .decideCertificate: break
    case .send(_, let to, _):
      throw to.first.map { .refused(.request(.notConnected($0))) } ?? .refused(.request(.noPeers))
    case .connect, .transfer: throw .unavailable
    }
  }

  package func offer(
    _ offer: TransferOffer, to peer: PeerIdentity, of user: PeerUser, device: Int
  ) throws(PeerFailure) -> TransferID { throw .refused(.request(.notConnected(peer))) }

  package func write(
    _ octets: [UInt8], to stream: TransferID, with peer: PeerIdentity, of user: PeerUser, device: Int
  ) throws(PeerFailure) -> Int { throw .refused(.request(.notConnected(peer))) }

  package func connectionData(
    for peer: PeerIdentity, of user: PeerUser, device: Int
  ) throws(PeerFailure) -> [UInt8] { throw .unavailable }
}
