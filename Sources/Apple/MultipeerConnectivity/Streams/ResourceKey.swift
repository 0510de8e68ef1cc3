import NearbyPeerLink

/// Identifies a transfer with one peer.
struct ResourceKey: Hashable, Sendable {
  let peer: PeerIdentity
  let id: TransferID
}
