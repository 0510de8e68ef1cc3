/// What Bluetooth tells its users, in order.
package enum BluetoothEvent: Equatable, Sendable {
  /// The first of all events but `restored`, once it is known, and again at each change.
  case state(BluetoothState)
  /// To a user with a name under which an earlier process had one: what of that one still stands.
  case restored(BluetoothRestoration)

  // MARK: Centrals
  case sighted(BluetoothSighting)
  case connected(BluetoothPeer)
  case notConnected(BluetoothPeer, BluetoothFailure)
  /// `nil` after `disconnect`.
  case disconnected(BluetoothPeer, BluetoothFailure?)
  case discovered(BluetoothPeer, Result<[GATTService], BluetoothFailure>)
  /// In answer to `read`.
  case read(BluetoothPeer, AttributeID, Result<[UInt8], BluetoothFailure>)
  /// A notification or indication.
  case notified(BluetoothPeer, AttributeID, [UInt8])
  case wrote(BluetoothPeer, AttributeID, BluetoothFailure?)
  case notifying(BluetoothPeer, AttributeID, Bool, BluetoothFailure?)
  case rssi(BluetoothPeer, Result<Int, BluetoothFailure>)
  /// Writes without response are taken again.
  case readyToWrite(BluetoothPeer)
  /// These services of the peer changed or went; what was found of them is void.
  case servicesChanged(BluetoothPeer, [AttributeID])
  case nameChanged(BluetoothPeer, String?)

  // MARK: Peripherals
  case added(AttributeID, BluetoothFailure?)
  case advertising(BluetoothFailure?)
  case subscribed(BluetoothPeer, AttributeID, maximumUpdate: Int)
  case unsubscribed(BluetoothPeer, AttributeID)
  case readRequest(BluetoothRequestID, BluetoothPeer, AttributeID, offset: Int)
  /// All or none of them are answered for, by one response. Writes without response come so too; the response
  /// to those goes nowhere.
  case writeRequest(BluetoothRequestID, BluetoothPeer, [BluetoothWrite])
  case readyToUpdate
  /// A central that had subscribed or asked is gone.
  case centralGone(BluetoothPeer)
}

/// What stands of an earlier process's user.
package struct BluetoothRestoration: Equatable, Sendable {
  package var connected: [BluetoothPeer] = []
  package var connecting: [BluetoothPeer] = []
  /// What is known of the services of those connected.
  package var tables: [BluetoothPeer: [GATTService]] = [:]
  /// Characteristics of those connected whose notifications are told.
  package var notifying: [BluetoothPeer: [AttributeID]] = [:]
  package var scan: BluetoothScan?
  package var services: [GATTService] = []
  package var advertising: BluetoothAdvertising?
  package init() {}
}

/// What is known of a peer.
package struct BluetoothPeerState: Hashable, Sendable {
  package var name: String?
  package var isConnected: Bool
  /// Whether this device keeps keys of the peer.
  package var isPaired: Bool
  /// The longest value of one write, octets; 0 while not connected.
  package var maximumWrite: Int
  package var maximumWriteWithoutResponse: Int
  package init(
    name: String?, isConnected: Bool, isPaired: Bool, maximumWrite: Int = 0,
    maximumWriteWithoutResponse: Int = 0
  ) {
    self.name = name
    self.isConnected = isConnected
    self.isPaired = isPaired
    self.maximumWrite = maximumWrite
    self.maximumWriteWithoutResponse = maximumWriteWithoutResponse
  }
}
