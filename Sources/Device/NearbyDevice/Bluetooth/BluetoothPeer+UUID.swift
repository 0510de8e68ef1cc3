import Foundation
import NearbyBluetooth

extension BluetoothPeer {
  /// The peer that a program knows by an identifier.
  package init(uuid: UUID) {
    let octets = withUnsafeBytes(of: uuid.uuid, Array.init)
    func half(_ part: ArraySlice<UInt8>) -> UInt64 { part.reduce(0) { $0 << 8 | UInt64($1) } }
    self.init(high: half(octets[0..<8]), low: half(octets[8..<16]))
  }

  /// The identifier that a program knows it by.
  package var uuid: UUID {
    let octets = [high, low].flatMap { half in
      (0..<8).map { UInt8(truncatingIfNeeded: half >> (56 - 8 * $0)) }
    }
    return octets.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }
}
