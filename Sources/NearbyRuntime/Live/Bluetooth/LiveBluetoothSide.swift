import NearbyBluetooth

/// What a live device's Bluetooth is: this machine's, or one in a world that the process joined.
package protocol LiveBluetoothSide: AnyObject, Sendable {
  /// - Parameters:
  ///   - now: The time of the user's device.
  ///   - deliver: Runs what it is given on the device's thread, in order.
  func makeUser(
    _ sink: any BluetoothSink, role: BluetoothRole, now: @escaping @Sendable () -> Duration,
    deliver: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void
  ) -> BluetoothUser
  func release(_ user: BluetoothUser)
  func perform(_ command: BluetoothCommand, of user: BluetoothUser)
  func update(
    _ attribute: AttributeID, _ value: [UInt8], centrals: [BluetoothPeer]?, of user: BluetoothUser
  ) -> Bool
  func canWrite(to peer: BluetoothPeer, of user: BluetoothUser) -> Bool
  var currentState: BluetoothState { get }
  var currentAuthorization: BluetoothAuthorization { get }
  func peerState(_ peer: BluetoothPeer) -> BluetoothPeerState?
  func connectedPeers(with services: [BluetoothUUID]) -> [BluetoothPeer]
}

extension LiveBluetooth: LiveBluetoothSide {
  /// The machine keeps nothing for a process that ended: there is nothing to restore.
  package func makeUser(
    _ sink: any BluetoothSink, role: BluetoothRole, now: @escaping @Sendable () -> Duration,
    deliver: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void
  ) -> BluetoothUser {
    makeUser(sink, now: now, deliver: deliver)
  }

  /// The bus says no where it does not want the process: that is a state.
  package var currentAuthorization: BluetoothAuthorization {
    currentState == .unauthorized ? .denied : .allowedAlways
  }
}
