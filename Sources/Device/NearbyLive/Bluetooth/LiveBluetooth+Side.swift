import NearbyBluetooth
import NearbyDevice

extension LiveBluetooth: BluetoothSide {
  /// Restores nothing: BlueZ forgets the state of a process that ended.
  package func makeUser(_ sink: any BluetoothSink, role: BluetoothRole) -> BluetoothUser {
    guard let turns else {
      preconditionFailure("the device has not set its turn queue on its Bluetooth side")
    }
    return makeUser(sink, now: { turns.now }, isSystem: role == .system, deliver: { turns.deliver($0) })
  }

  /// BlueZ has no interface for Channel Sounding.
  package var supportsSounding: Bool { false }

  /// Derived from the state: the bus rejects a process that may not use it.
  package var currentAuthorization: BluetoothAuthorization {
    currentState == .unauthorized ? .denied : .allowedAlways
  }
}
