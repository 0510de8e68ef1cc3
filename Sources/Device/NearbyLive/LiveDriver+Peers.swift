import NearbyDevice
import NearbyPeerLink

/// The peer network of a live device.
extension LiveDriver {
  package var peers: any PeerSide { network }
}
