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
  /// Measures the distance to a connected peer by Channel Sounding, until `stopSounding` or an error. Results in
  /// `sounded` and `soundingEnded`. The devices pair first if they are not paired yet.
  case startSounding(BluetoothPeer)
  case stopSounding(BluetoothPeer)

  /// Pairs with a connected peer, or encrypts the link if the devices are paired already. Results in `paired`.
  case pair(BluetoothPeer)

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
  /// Whether this device reflects the tones of centrals that start Channel Sounding; the default is `false`. It does
  /// if any of its users offers it.
  case offerSounding(Bool)

  // MARK: The system
  /// Limits what the app's centrals on this device may see and connect to; `nil` means everything. An app with such a
  /// limit needs no permission. Only the system's users may say so; the limit ends when that user is released.
  case showOnly([BluetoothPeer]?)
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
  /// Channel Sounding could not be set up: the peer does not offer it, the app may not use it with this peer, or the
  /// app is in the background.
  case soundingConfigurationFailed
  /// A procedure was aborted, or a session of Channel Sounding ended because its app entered the background.
  case soundingProcedureFailed
  case att(ATTError)
}
