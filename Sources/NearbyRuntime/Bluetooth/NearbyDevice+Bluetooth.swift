import NearbyBluetooth

/// Bluetooth as facades use it.
extension NearbyDevice {
  package func makeBluetoothUser(_ sink: any BluetoothSink, role: BluetoothRole) -> BluetoothUser {
    driver.makeBluetoothUser(sink, role: role, device: index)
  }

  package func releaseBluetoothUser(_ user: BluetoothUser) {
    driver.releaseBluetoothUser(user, device: index)
  }

  package func perform(_ command: BluetoothCommand, of user: BluetoothUser) {
    driver.perform(command, of: user, device: index)
  }

  package func update(
    _ attribute: AttributeID, _ value: [UInt8], centrals: [BluetoothPeer]?, of user: BluetoothUser
  ) -> Bool {
    driver.update(attribute, value, centrals: centrals, of: user, device: index)
  }

  package func canWrite(to peer: BluetoothPeer, of user: BluetoothUser) -> Bool {
    driver.canWrite(to: peer, of: user, device: index)
  }

  package var bluetoothState: BluetoothState { driver.bluetoothState(device: index) }

  package var bluetoothAuthorization: BluetoothAuthorization { driver.bluetoothAuthorization(device: index) }

  package func peerState(_ peer: BluetoothPeer) -> BluetoothPeerState? {
    driver.peerState(peer, device: index)
  }

  package func connectedPeers(with services: [BluetoothUUID]) -> [BluetoothPeer] {
    driver.connectedPeers(with: services, device: index)
  }
}
