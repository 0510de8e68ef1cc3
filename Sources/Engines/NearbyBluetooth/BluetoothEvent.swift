/// An event for a user of Bluetooth. Events are delivered in order.
package enum BluetoothEvent: Equatable, Sendable {
  /// The state of Bluetooth, sent as soon as it is known and after each change. Only `restored` precedes
  /// it.
  case state(BluetoothState)
  /// Sent to a user that has the restoration name of a user in an earlier process: what is left of that
  /// user's activity.
  case restored(BluetoothRestoration)

  // MARK: Centrals
  case sighted(BluetoothSighting)
  case connected(BluetoothPeer)
  case notConnected(BluetoothPeer, BluetoothFailure)
  /// The failure is `nil` after `disconnect`.
  case disconnected(BluetoothPeer, BluetoothFailure?)
  case discovered(BluetoothPeer, Result<[GATTService], BluetoothFailure>)
  /// The result of `read`.
  case read(BluetoothPeer, AttributeID, Result<[UInt8], BluetoothFailure>)
  /// A notification or indication.
  case notified(BluetoothPeer, AttributeID, [UInt8])
  case wrote(BluetoothPeer, AttributeID, BluetoothFailure?)
  case notifying(BluetoothPeer, AttributeID, Bool, BluetoothFailure?)
  case rssi(BluetoothPeer, Result<Int, BluetoothFailure>)
  /// The peer accepts writes without response again.
  case readyToWrite(BluetoothPeer)
  /// These services of the peer changed or were removed; what was discovered about them is invalid.
  case servicesChanged(BluetoothPeer, [AttributeID])
  case nameChanged(BluetoothPeer, String?)
  /// The result of one Channel Sounding procedure.
  case sounded(BluetoothPeer, Result<BluetoothSounding, BluetoothFailure>)
  /// Channel Sounding with the peer is over, or could not be started. The failure is `nil` after `stopSounding`.
  case soundingEnded(BluetoothPeer, BluetoothFailure?)
  /// The result of `pair`.
  case paired(BluetoothPeer, BluetoothFailure?)

  // MARK: Peripherals
  case added(AttributeID, BluetoothFailure?)
  case advertising(BluetoothFailure?)
  case subscribed(BluetoothPeer, AttributeID, maximumUpdate: Int)
  case unsubscribed(BluetoothPeer, AttributeID)
  case readRequest(BluetoothRequestID, BluetoothPeer, AttributeID, offset: Int)
  /// Writes that one response answers together. Writes without response also arrive like this; a response
  /// to those is ignored.
  case writeRequest(BluetoothRequestID, BluetoothPeer, [BluetoothWrite])
  case readyToUpdate
  /// A central that had subscribed or sent requests has disconnected.
  case centralGone(BluetoothPeer)
}

/// What remains of the user of an earlier process.
package struct BluetoothRestoration: Equatable, Sendable {
  package var connected: [BluetoothPeer] = []
  package var connecting: [BluetoothPeer] = []
  /// The known services of the connected peers.
  package var tables: [BluetoothPeer: [GATTService]] = [:]
  /// The characteristics of the connected peers whose notifications are enabled.
  package var notifying: [BluetoothPeer: [AttributeID]] = [:]
  package var scan: BluetoothScan?
  package var services: [GATTService] = []
  package var advertising: BluetoothAdvertising?
  package init() {}
}

/// The current state of a peer.
package struct BluetoothPeerState: Hashable, Sendable {
  package var name: String?
  package var isConnected: Bool
  /// Whether this device has stored keys for the peer.
  package var isPaired: Bool
  /// The longest value of a write with response, in octets; 0 while not connected.
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
