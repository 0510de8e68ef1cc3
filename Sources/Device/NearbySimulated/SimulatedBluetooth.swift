import NearbyAirs
import NearbyBluetooth
import NearbyDevice
import NearbySimulator
import NearbyVirtualBluetooth
import Synchronization

/// The Bluetooth of one device of a simulated world.
struct SimulatedBluetooth: BluetoothSide {
  let world: WorldPump
  let device: Int

  func makeUser(_ sink: any BluetoothSink, role: BluetoothRole) -> BluetoothUser {
    let name = world.name(of: device)
    return world.state.withLock { $0.makeBluetoothUser(sink, role: role, device: device, name: name) }
  }

  func release(_ user: BluetoothUser) {
    world.state.withLock { $0.releaseBluetoothUser(user) }
  }

  func perform(_ command: BluetoothCommand, of user: BluetoothUser) {
    world.state.withLock { $0.perform(command, of: user) }
  }

  func update(
    _ attribute: AttributeID, _ value: [UInt8], centrals: [BluetoothPeer]?, of user: BluetoothUser
  ) -> Bool {
    world.state.withLock { $0.update(attribute, value, centrals: centrals, of: user) }
  }

  func canWrite(to peer: BluetoothPeer, of user: BluetoothUser) -> Bool {
    world.state.withLock { $0.air.bluetooth.canWrite(to: peer, of: user) }
  }

  var currentState: BluetoothState {
    withPlace { air, place in air.state(of: place) }
  }

  var supportsSounding: Bool { true }

  var currentAuthorization: BluetoothAuthorization {
    withPlace { air, place in air.authorization(of: place) }
  }

  func peerState(_ peer: BluetoothPeer) -> BluetoothPeerState? {
    withPlace { air, place in air.peerState(peer, device: place) }
  }

  func connectedPeers(with services: [BluetoothUUID]) -> [BluetoothPeer] {
    withPlace { air, place in air.connectedPeers(with: services, device: place) }
  }

  private func withPlace<Result: Sendable>(_ body: (inout BluetoothAir, Int) -> Result) -> Result {
    let name = world.name(of: device)
    return world.state.withLock {
      let place = $0.bluetoothPlace(of: device, name: name)
      return body(&$0.air.bluetooth, place)
    }
  }
}

/// Changes to a device's Bluetooth from outside its app.
extension SimulatedShell {
  /// Changes the device's Bluetooth: its power, its permission or its keys.
  package func changeBluetooth(
    _ body: @Sendable (inout BluetoothAir, _ place: Int, Duration) -> Void
  ) {
    let name = world.name(of: device)
    world.state.withLock { $0.changeBluetooth(of: device, name: name, body) }
  }

  /// Changes the relation between this device and another one.
  package func changeBluetooth(
    and other: SimulatedShell, _ body: @Sendable (inout BluetoothAir, Int, Int, Duration) -> Void
  ) {
    let (name, otherName) = (world.name(of: device), world.name(of: other.device))
    world.state.withLock {
      let second = $0.bluetoothPlace(of: other.device, name: otherName)
      $0.changeBluetooth(of: device, name: name) { body(&$0, $1, second, $2) }
    }
  }

  /// How the device's user answers when an app asks for Bluetooth; `nil` leaves the question open.
  package func setBluetoothAnswer(_ answer: BluetoothAuthorization?) {
    world.state.withLock { $0.bluetoothAnswers[device] = .some(answer) }
  }

  /// Loses this share of the packets to and from the device, in addition to those that are too weak.
  package func setBluetoothLoss(_ share: Double) {
    let name = world.name(of: device)
    world.state.withLock {
      let place = $0.bluetoothPlace(of: device, name: name)
      $0.air.setBluetoothLoss(share, at: place)
    }
  }
}
