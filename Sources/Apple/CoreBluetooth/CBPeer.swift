import Foundation
import NearbyBluetooth

/// Another device.
open class CBPeer: NSObject, NSCopying, @unchecked Sendable {
  // Immutable.
  let peer: BluetoothPeer

  init(_ peer: BluetoothPeer) { self.peer = peer }

  /// Names the device on this one: random, stable, and no address.
  open var identifier: UUID { UUID(peer) }

  /// The object itself.
  open func copy(with zone: NSZone? = nil) -> Any { self }
}

/// A central that is connected to this device's peripheral.
open class CBCentral: CBPeer, @unchecked Sendable {
  /// Octets of the longest update that it takes.
  public let maximumUpdateValueLength: Int

  init(_ peer: BluetoothPeer, maximumUpdate: Int) {
    maximumUpdateValueLength = maximumUpdate
    super.init(peer)
  }

  open override func isEqual(_ object: Any?) -> Bool { (object as? CBCentral)?.peer == peer }
  open override var hash: Int { peer.hashValue }
}

extension UUID {
  init(_ peer: BluetoothPeer) {
    let octets = [peer.high, peer.low].flatMap { half in
      (0..<8).map { UInt8(truncatingIfNeeded: half >> (56 - 8 * UInt64($0))) }
    }
    self = octets.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }
}

extension BluetoothPeer {
  init(_ uuid: UUID) {
    let halves = withUnsafeBytes(of: uuid.uuid) { octets in
      [octets.prefix(8), octets.suffix(8)].map { $0.reduce(UInt64(0)) { $0 << 8 | UInt64($1) } }
    }
    self.init(high: halves[0], low: halves[1])
  }
}
