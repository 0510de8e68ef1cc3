import Foundation
import NearbyBluetooth
import NearbyDevice

/// A remote Bluetooth device.
open class CBPeer: NSObject, NSCopying, @unchecked Sendable {
  // All stored properties are immutable.
  let peer: BluetoothPeer

  init(_ peer: BluetoothPeer) { self.peer = peer }

  /// A random identifier, stable on this device and unrelated to the peer's address.
  open var identifier: UUID { UUID(peer) }

  /// Returns the object itself, which is immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }
}

/// A central connected to this device.
open class CBCentral: CBPeer, @unchecked Sendable {
  private let maximumUpdate: Int

  init(_ peer: BluetoothPeer, maximumUpdate: Int) {
    self.maximumUpdate = maximumUpdate
    super.init(peer)
  }

  /// The longest update the central accepts, in octets.
  open var maximumUpdateValueLength: Int { maximumUpdate }

  open override func isEqual(_ object: Any?) -> Bool { (object as? CBCentral)?.peer == peer }
  open override var hash: Int { peer.hashValue }
}

extension UUID {
  init(_ peer: BluetoothPeer) { self = peer.uuid }
}

extension BluetoothPeer {
  init(_ uuid: UUID) { self.init(uuid: uuid) }
}
