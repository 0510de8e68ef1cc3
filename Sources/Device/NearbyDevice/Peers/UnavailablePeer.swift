import NearbyPeerLink

/// A user of the peer network whose local peer's key belongs to another device, so that every request fails.
package struct UnavailablePeer: PeerMember, PeerAdvertiser, PeerBrowser {
  package let user: PeerUser
  private let sink: any PeerSink

  package init(_ user: PeerUser, _ sink: any PeerSink) {
    self.user = user
    self.sink = sink
  }

  package func release() {}
  package func start() { sink.received(.didNotStart) }
  package func stop() {}
  package func answer(_ invitation: InvitationID, accept session: PeerUser?) {}
  package func disconnect() {}
  package func cancelConnect(_ peer: PeerIdentity) {}
  package func decideCertificate(_ peer: PeerIdentity, isAccepted: Bool) {}
  package func consumed(_ count: Int, octets: Int, from peer: PeerIdentity) {}
  package func perform(_ command: TransferCommand, with peer: PeerIdentity) {}

  package func invite(
    _ peer: PeerID, to session: PeerUser, context: [UInt8]?, timeout: Duration
  ) throws(PeerFailure) { throw .unavailable }

  package func connect(_ peer: PeerID, data: [UInt8]) throws(PeerFailure) { throw .unavailable }

  package func connectionData(for peer: PeerIdentity) throws(PeerFailure) -> [UInt8] { throw .unavailable }

  package func send(_ message: Span<UInt8>, to peers: [PeerIdentity], _ mode: SendMode) throws(PeerFailure) {
    throw .unavailable
  }

  package func offer(_ offer: TransferOffer, to peer: PeerIdentity) throws(PeerFailure) -> TransferID {
    throw .unavailable
  }

  package func write(
    _ octets: [UInt8], to stream: TransferID, with peer: PeerIdentity
  ) throws(PeerFailure) -> Int { throw .unavailable }
}
