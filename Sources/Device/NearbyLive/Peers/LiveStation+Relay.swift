import NearbyPeerLink
import NearbyPeerNetwork
import NearbyPeerRelay

/// Links through a NATS server. Runs on the endpoint's thread.
extension LiveStation {
  /// How others reach this peer.
  static func contact(port: UInt16) -> [UInt8] {
    port == 0 ? PeerContact.relay : PeerContact.own(port: port)
  }

  static func makeRelay(_ local: PeerIdentity, _ endpoint: PeerEndpoint) -> RelayStation {
    RelayStation(local, loop: endpoint.loop) { [weak endpoint] descriptor, peer in
      let remote = SocketAddress.relayed(peer.octets)
      guard let endpoint else { return PeerEndpoint.drop(descriptor) }
      endpoint.admit(descriptor, from: remote)
    }
  }

  /// Asks a peer for a stream, over which the channel then runs as over a connection.
  func ask(_ relay: RelayStation, for link: LinkID, to identity: PeerIdentity) {
    links[link] = Link(expected: identity)
    relay.connect(to: identity) { [weak self] result in
      guard let self else {
        if case .success(let descriptor) = result { PeerEndpoint.drop(descriptor) }
        return
      }
      switch result {
      case .success(let descriptor):
        let attempt = endpoint.connect(over: descriptor, to: .relayed(identity.octets)) { [weak self] in
          self?.dialled(link, $0)
        }
        if links[link] == nil { attempt.cancel() } else { links[link]?.attempt = attempt }
      case .failure(.nobodyListens): dialled(link, .failure(.nobodyListens))
      case .failure: dialled(link, .failure(.timedOut(.connecting)))
      }
    }
  }
}
