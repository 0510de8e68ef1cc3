/// What an app asks of Bluetooth; in force when the call returns. What cannot be done is told by an event, never
/// by silence.
package enum BluetoothCommand: Equatable, Sendable {
  // MARK: Centrals
  case scan(BluetoothScan)
  case stopScan
  /// Waits for as long as it takes.
  case connect(BluetoothPeer)
  case disconnect(BluetoothPeer)
  /// Finds the whole table of a connected peer: `discovered`.
  case discover(BluetoothPeer)
  /// Of a characteristic or descriptor; where that needs encryption, the devices pair first.
  case read(BluetoothPeer, AttributeID)
  case write(BluetoothPeer, AttributeID, [UInt8], withResponse: Bool)
  case setNotify(BluetoothPeer, AttributeID, Bool)
  case readRSSI(BluetoothPeer)

  // MARK: Peripherals
  /// A service of the app's own. Its attributes' ids are the app's, unique among its user's.
  case add(GATTService)
  case remove(AttributeID)
  case removeAll
  case advertise(BluetoothAdvertising)
  case stopAdvertising
  /// To a read with the value from the asked offset on; to writes with nothing.
  case respond(BluetoothRequestID, Result<[UInt8], ATTError>)
  /// Whether devices that were not paired before may pair with this one now; at first they may. One user that says no
  /// says it for the whole device, until it says yes or is released.
  case acceptPairing(Bool)
}

/// Why something with a peer failed. `CBError` has a code for each.
package enum BluetoothFailure: Error, Hashable, Sendable {
  case notConnected
  case connectionTimeout
  case peripheralDisconnected
  case connectionFailed
  case connectionLimitReached
  case unknownPeer
  case operationCancelled
  case pairingFailed
  case encryptionTimedOut
  case notSupported
  case alreadyAdvertising
  case invalidParameters
  case att(ATTError)
}
