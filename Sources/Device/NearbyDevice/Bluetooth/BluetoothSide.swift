import NearbyBluetooth

/// Receives a user's events, on the device's own thread.
package protocol BluetoothSink: AnyObject, Sendable {
  func received(_ event: BluetoothEvent)
}

/// A device's Bluetooth.
package protocol BluetoothSide: Sendable {
  /// Creates a user. Its sink is retained until `release`, and its first event comes after the call.
  func makeUser(_ sink: any BluetoothSink, role: BluetoothRole) -> BluetoothUser
  /// Ends a user's scans, advertisements, services and connections. Its sink gets no more events.
  func release(_ user: BluetoothUser)
  /// Performs a command at once; its events come after this call has returned.
  func perform(_ command: BluetoothCommand, of user: BluetoothUser)
  /// Notifies subscribed centrals, all of them if `centrals` is `nil`.
  ///
  /// - Returns: Whether there was room in the queue; if not, `readyToUpdate` follows.
  func update(
    _ attribute: AttributeID, _ value: [UInt8], centrals: [BluetoothPeer]?, of user: BluetoothUser
  ) -> Bool
  /// Whether there is room for a write without response; if not, `readyToWrite` follows.
  func canWrite(to peer: BluetoothPeer, of user: BluetoothUser) -> Bool
  var currentState: BluetoothState { get }
  /// Whether the device's radio can measure distances by Channel Sounding.
  var supportsSounding: Bool { get }
  /// The present authorization. Does not ask the user, which happens when the device's first user is created.
  var currentAuthorization: BluetoothAuthorization { get }
  /// Returns `nil` for a peer that this device has never met.
  func peerState(_ peer: BluetoothPeer) -> BluetoothPeerState?
  /// Peers connected to any app of this device that have one of the services, ordered by identifier.
  func connectedPeers(with services: [BluetoothUUID]) -> [BluetoothPeer]
}
