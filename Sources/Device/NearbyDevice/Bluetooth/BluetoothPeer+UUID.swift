import Foundation
import NearbyBluetooth
import NearbyOctets

extension BluetoothPeer {
  /// Creates the peer with the identifier that apps use for it.
  package init(uuid: UUID) {
    let octets = withUnsafeBytes(of: uuid.uuid, Array.init)
    self.init(high: octets.span.bigEndian(at: 0), low: octets.span.bigEndian(at: 8))
  }

  /// The identifier that apps use for the peer.
  package var uuid: UUID {
    let octets = high.bigEndianOctets + low.bigEndianOctets
    return octets.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }
}
