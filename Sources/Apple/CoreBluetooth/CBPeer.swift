import Foundation
import NearbyBluetooth
import NearbyDevice

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
  init(_ peer: BluetoothPeer) { self = peer.uuid }
}

extension BluetoothPeer {
  init(_ uuid: UUID) { self.init(uuid: uuid) }
}
