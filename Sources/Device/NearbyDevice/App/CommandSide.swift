import NearbyDeviceMachine

/// A side whose requests are commands of the device's machine.
package protocol CommandSide: Sendable {
  /// Enqueues a command, which takes effect after the caller has returned.
  func post(_ command: DeviceMachine.Command)
}
