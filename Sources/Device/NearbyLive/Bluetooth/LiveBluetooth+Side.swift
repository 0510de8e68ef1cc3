import NearbyBluetooth
import NearbyDevice

extension LiveBluetooth: BluetoothSide {
  /// BlueZ keeps nothing for a process that ended: there is nothing to restore.
  package func makeUser(_ sink: any BluetoothSink, role: BluetoothRole) -> BluetoothUser {
    guard let turns else { preconditionFailure("a device's Bluetooth knows the device") }
    return makeUser(sink, now: { turns.now }, deliver: { turns.deliver($0) })
  }

  /// The bus refuses a process that may not use it, which shows as a state.
  package var currentAuthorization: BluetoothAuthorization {
    currentState == .unauthorized ? .denied : .allowedAlways
  }
}
