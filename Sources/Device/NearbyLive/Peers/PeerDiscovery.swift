import NearbyDevice
import NearbyPeerLink
import NearbyPeerNetwork

/// How the peers of a device find each other: by DNS-SD, or through a NATS server.
///
/// Calls return at once; results go to the sinks from any thread.
protocol PeerDiscovery: Sendable {
  func browse(_ user: PeerUser, own: PeerIdentity, type: ServiceType, sink: any PeerSink)
  func stopBrowsing(_ user: PeerUser)
  /// Where one browser sees a peer; empty if it does not see it.
  func contact(of identity: PeerIdentity, for user: PeerUser) -> [UInt8]
  /// The addresses at which any browser sees a peer.
  func addresses(of identity: PeerIdentity) -> [SocketAddress]
  func advertise(
    _ user: PeerUser, _ peer: AdvertisedPeer, type: ServiceType, port: UInt16, sink: any PeerSink)
  func stopAdvertising(_ user: PeerUser)
  /// Withdraws everything. Call when the process ends.
  func end()
}
