import NearbyBluetooth

/// The Bluetooth of a live device: this machine's.
extension LiveDriver {
  package func makeBluetoothUser(
    _ sink: any BluetoothSink, role: BluetoothRole, device: Int
  ) -> BluetoothUser {
    bluetooth.makeUser(
      sink, role: role, now: { [clock] in clock.now() },
      deliver: { [weak self] work in self?.later(device: device, work) })
  }

  package func releaseBluetoothUser(_ user: BluetoothUser, device: Int) { bluetooth.release(user) }

  package func perform(_ command: BluetoothCommand, of user: BluetoothUser, device: Int) {
    bluetooth.perform(command, of: user)
  }

  package func update(
    _ attribute: AttributeID, _ value: [UInt8], centrals: [BluetoothPeer]?, of user: BluetoothUser,
    device: Int
  ) -> Bool { bluetooth.update(attribute, value, centrals: centrals, of: user) }

  package func canWrite(to peer: BluetoothPeer, of user: BluetoothUser, device: Int) -> Bool {
    bluetooth.canWrite(to: peer, of: user)
  }

  package func bluetoothState(device: Int) -> BluetoothState { bluetooth.currentState }

  package func bluetoothAuthorization(device: Int) -> BluetoothAuthorization {
    bluetooth.currentAuthorization
  }

  package func peerState(_ peer: BluetoothPeer, device: Int) -> BluetoothPeerState? {
    bluetooth.peerState(peer)
  }

  package func connectedPeers(with services: [BluetoothUUID], device: Int) -> [BluetoothPeer] {
    bluetooth.connectedPeers(with: services)
  }
}
