import NearbyPeerLink

extension PeerNode {
  /// Performs an app's request concerning a resource or stream.
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
