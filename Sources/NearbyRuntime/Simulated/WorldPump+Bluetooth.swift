import NearbyAirs
import NearbyBluetooth
import NearbySimulator
import NearbyVirtualBluetooth
import Synchronization

extension WorldPump {
  // MARK: BluetoothDriver

  package func makeBluetoothUser(
    _ sink: any BluetoothSink, role: BluetoothRole, device: Int
  ) -> BluetoothUser {
    let name = name(of: device)
    return state.withLock { $0.makeBluetoothUser(sink, role: role, device: device, name: name) }
  }

  package func releaseBluetoothUser(_ user: BluetoothUser, device: Int) {
    state.withLock { $0.releaseBluetoothUser(user) }
  }

  package func perform(_ command: BluetoothCommand, of user: BluetoothUser, device: Int) {
    state.withLock { $0.perform(command, of: user) }
  }

  package func update(
    _ attribute: AttributeID, _ value: [UInt8], centrals: [BluetoothPeer]?, of user: BluetoothUser,
    device: Int
  ) -> Bool {
    state.withLock { $0.update(attribute, value, centrals: centrals, of: user) }
  }

  package func canWrite(to peer: BluetoothPeer, of user: BluetoothUser, device: Int) -> Bool {
    state.withLock { $0.air.bluetooth.canWrite(to: peer, of: user) }
  }

  package func bluetoothState(device: Int) -> BluetoothState {
    withPlace(of: device) { air, place in air.state(of: place) }
  }

  package func bluetoothAuthorization(device: Int) -> BluetoothAuthorization {
    withPlace(of: device) { air, place in air.authorization(of: place) }
  }

  package func peerState(_ peer: BluetoothPeer, device: Int) -> BluetoothPeerState? {
    withPlace(of: device) { air, place in air.peerState(peer, device: place) }
  }

  package func connectedPeers(with services: [BluetoothUUID], device: Int) -> [BluetoothPeer] {
    withPlace(of: device) { air, place in air.connectedPeers(with: services, device: place) }
  }

  private func withPlace<Result: Sendable>(
    of device: Int, _ body: (inout BluetoothAir, Int) -> Result
  ) -> Result {
    let name = name(of: device)
    return state.withLock {
      let place = $0.bluetoothPlace(of: device, name: name)
      return body(&$0.air.bluetooth, place)
    }
  }

  // MARK: From outside the apps

  /// Changes something of a device's Bluetooth: its power, its permission, its keys.
  package func changeBluetooth(
    device: Int, _ body: @Sendable (inout BluetoothAir, _ place: Int, Duration) -> Void
  ) {
    let name = name(of: device)
    state.withLock { $0.changeBluetooth(of: device, name: name, body) }
  }

  /// The same of two devices.
  package func changeBluetooth(
    device: Int, and other: Int, _ body: @Sendable (inout BluetoothAir, Int, Int, Duration) -> Void
  ) {
    let (name, otherName) = (name(of: device), name(of: other))
    state.withLock {
      let second = $0.bluetoothPlace(of: other, name: otherName)
      $0.changeBluetooth(of: device, name: name) { body(&$0, $1, second, $2) }
    }
  }

  /// How the user of a device answers when an app asks for Bluetooth; `nil` leaves the question open.
  package func setBluetoothAnswer(_ answer: BluetoothAuthorization?, device: Int) {
    state.withLock { $0.bluetoothAnswers[device] = .some(answer) }
  }

  /// Loses this share of the packets to and from a device beside what power says.
  package func setBluetoothLoss(_ share: Double, device: Int) {
    let name = name(of: device)
    state.withLock {
      let place = $0.bluetoothPlace(of: device, name: name)
      $0.air.setBluetoothLoss(share, at: place)
    }
  }

  /// Adds a beacon on a body of the world.
  ///
  /// - Returns: Its place on the air; `nil` for an advertisement that is too long.
  package func addBeacon(
    named name: String, _ advertising: BluetoothAdvertising, powerAtOneMetre: Double, body: BodyID
  ) -> Int? {
    state.withLock {
      $0.air.addBeacon(
        named: name, advertising, powerAtOneMetre: powerAtOneMetre, body: body, at: $0.now)
    }
  }

  /// Whether a beacon has power, and what share of its packets is lost beside what power says.
  package func setBeacon(at place: Int, isOn: Bool? = nil, loss: Double? = nil) {
    state.withLock {
      if let isOn { $0.air.bluetooth.setBeacon(place, isOn: isOn, at: $0.now) }
      if let loss { $0.air.setBluetoothLoss(loss, at: place) }
    }
  }
}
