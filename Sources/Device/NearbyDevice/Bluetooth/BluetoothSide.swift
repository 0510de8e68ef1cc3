import NearbyBluetooth

/// Receives a user's events, on the device's own thread.
package protocol BluetoothSink: AnyObject, Sendable {
  func received(_ event: BluetoothEvent)
}

/// A device's Bluetooth.
package protocol BluetoothSide: Sendable {
  /// The sink is kept until the user is released. Its first event comes later, never inside the call.
  func makeUser(_ sink: any BluetoothSink, role: BluetoothRole) -> BluetoothUser
  /// The user is gone: its scans, advertisements, services and connections end, and its sink receives nothing more.
  func release(_ user: BluetoothUser)
  /// Takes effect at once; its events come later, never inside the call.
  func perform(_ command: BluetoothCommand, of user: BluetoothUser)
  /// Notifies centrals that subscribed, all of them where `centrals` is `nil`.
  ///
  /// - Returns: Whether there was room; where not, `readyToUpdate` will come.
  func update(
    _ attribute: AttributeID, _ value: [UInt8], centrals: [BluetoothPeer]?, of user: BluetoothUser
  ) -> Bool
  /// Whether there is room for a write without response; where not, `readyToWrite` will come.
  func canWrite(to peer: BluetoothPeer, of user: BluetoothUser) -> Bool
  var currentState: BluetoothState { get }
  /// Does not ask the person: that is done for the device's first user.
  var currentAuthorization: BluetoothAuthorization { get }
  /// `nil` for a peer that this device never met.
  func peerState(_ peer: BluetoothPeer) -> BluetoothPeerState?
  /// Peers that any app of this device is connected to and that have one of the services, in order of their identifiers.
  func connectedPeers(with services: [BluetoothUUID]) -> [BluetoothPeer]
}
