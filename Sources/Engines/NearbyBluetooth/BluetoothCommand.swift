/// A request from an app to Bluetooth. It takes effect before the call returns. If it fails, an event
/// reports the failure.
package enum BluetoothCommand: Equatable, Sendable {
  // MARK: Centrals
  case scan(BluetoothScan)
  case stopScan
  /// Waits for the peer without a time limit.
  case connect(BluetoothPeer)
  case disconnect(BluetoothPeer)
  /// Discovers all services of a connected peer. Results in `discovered`.
  case discover(BluetoothPeer)
  /// Reads a characteristic or descriptor. If it requires encryption, the devices pair first.
  case read(BluetoothPeer, AttributeID)
  case write(BluetoothPeer, AttributeID, [UInt8], withResponse: Bool)
  case setNotify(BluetoothPeer, AttributeID, Bool)
  case readRSSI(BluetoothPeer)

  // MARK: Peripherals
  /// Publishes a service. The app chooses its attributes' ids, which must be unique for this user.
  case add(GATTService)
  case remove(AttributeID)
  case removeAll
  case advertise(BluetoothAdvertising)
  case stopAdvertising
  /// Answers a read with the value from the requested offset on, or writes with an empty value.
  case respond(BluetoothRequestID, Result<[UInt8], ATTError>)
  /// Whether devices that are not paired yet may pair with this one; the default is `true`. If one user
  /// refuses, the whole device refuses, until that user accepts or is released.
  case acceptPairing(Bool)
}

/// Why an operation on a peer failed. Each case corresponds to a code of `CBError`.
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
