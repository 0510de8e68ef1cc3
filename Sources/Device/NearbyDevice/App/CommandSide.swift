import NearbyDeviceMachine

/// A side whose requests are commands of the device's machine.
package protocol CommandSide: Sendable {
  /// Takes effect after the caller has returned, never inside the call.
  func post(_ command: DeviceMachine.Command)
}
