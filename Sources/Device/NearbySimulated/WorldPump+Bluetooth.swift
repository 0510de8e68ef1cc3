import NearbyAirs
import NearbyBluetooth
import NearbySimulator
import NearbyVirtualBluetooth
import Synchronization

extension WorldPump {
  /// Adds a beacon on a body of the world.
  ///
  /// - Returns: Its index on the air; `nil` if the advertisement is too long.
  package func addBeacon(
    named name: String, _ advertising: BluetoothAdvertising, powerAtOneMetre: Double, body: BodyID
  ) -> Int? {
    state.withLock {
      $0.air.addBeacon(
        named: name, advertising, powerAtOneMetre: powerAtOneMetre, body: body, at: $0.now)
    }
  }

  /// Switches a beacon on or off, or loses a share of its packets in addition to those that are too weak.
  package func setBeacon(at place: Int, isOn: Bool? = nil, loss: Double? = nil) {
    state.withLock {
      if let isOn { $0.air.bluetooth.setBeacon(place, isOn: isOn, at: $0.now) }
      if let loss { $0.air.setBluetoothLoss(loss, at: place) }
    }
  }
}
