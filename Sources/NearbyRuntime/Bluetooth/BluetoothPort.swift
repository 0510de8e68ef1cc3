import NearbyBluetooth

/// Who hears a user's events, on the device's own thread.
package protocol BluetoothSink: AnyObject, Sendable {
  func received(_ event: BluetoothEvent)
}

/// The Bluetooth side of devices, as drivers give it.
package protocol BluetoothDriver: AnyObject, Sendable {
  /// The sink is kept until the user is released. Its first event comes later, never inside the call.
  func makeBluetoothUser(_ sink: any BluetoothSink, role: BluetoothRole, device: Int) -> BluetoothUser
  /// The user is gone: its scans, advertisements, services and connections end, and its sink hears nothing more.
  func releaseBluetoothUser(_ user: BluetoothUser, device: Int)
  /// Follows at once; what it causes is told later, never inside the call.
  func perform(_ command: BluetoothCommand, of user: BluetoothUser, device: Int)
  /// Notifies centrals that subscribed, all of them where `centrals` is `nil`.
  ///
  /// - Returns: Whether it was taken; where not, `readyToUpdate` will come.
  func update(
    _ attribute: AttributeID, _ value: [UInt8], centrals: [BluetoothPeer]?, of user: BluetoothUser,
    device: Int
  ) -> Bool
  /// Whether a write without response is taken now; where not, `readyToWrite` will come.
  func canWrite(to peer: BluetoothPeer, of user: BluetoothUser, device: Int) -> Bool
  func bluetoothState(device: Int) -> BluetoothState
  /// Asks nobody: that is done for the device's first user.
  func bluetoothAuthorization(device: Int) -> BluetoothAuthorization
  /// `nil` for a peer that was never heard of here.
  func peerState(_ peer: BluetoothPeer, device: Int) -> BluetoothPeerState?
  /// Connected by any app of this device, with one of the services, in order of their identifiers.
  func connectedPeers(with services: [BluetoothUUID], device: Int) -> [BluetoothPeer]
}

extension BluetoothDriver {
  // A device without Bluetooth.
  package func makeBluetoothUser(
    _ sink: any BluetoothSink, role: BluetoothRole, device: Int
  ) -> BluetoothUser {
    BluetoothUser(number: 0)
  }
  package func releaseBluetoothUser(_ user: BluetoothUser, device: Int) {}
  package func perform(_ command: BluetoothCommand, of user: BluetoothUser, device: Int) {}
  package func update(
    _ attribute: AttributeID, _ value: [UInt8], centrals: [BluetoothPeer]?, of user: BluetoothUser,
    device: Int
  ) -> Bool { false }
  package func canWrite(to peer: BluetoothPeer, of user: BluetoothUser, device: Int) -> Bool { false }
  package func bluetoothState(device: Int) -> BluetoothState { .unsupported }
  package func bluetoothAuthorization(device: Int) -> BluetoothAuthorization { .allowedAlways }
  package func peerState(_ peer: BluetoothPeer, device: Int) -> BluetoothPeerState? { nil }
  package func connectedPeers(with services: [BluetoothUUID], device: Int) -> [BluetoothPeer] { [] }
}
