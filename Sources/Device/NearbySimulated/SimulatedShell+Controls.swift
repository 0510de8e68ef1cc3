import NearbyAirs
import NearbyDevice
import NearbyDeviceMachine
import NearbySimulator
import NearbyVirtualUWB
import Synchronization

/// Changes by a test, or by the person at the device, from outside its app.
extension SimulatedShell {
  /// The number of sessions on the device's chip, in any state.
  package var sessionCountOfChip: Int {
    world.state.withLock { $0.air.uwb.sessionCount(of: $0.devices[device].radio) }
  }

  /// Reads or changes the device's machine; its actions are executed with the next command.
  package func withMachine<Result: Sendable>(
    _ body: @Sendable (inout DeviceMachine) throws -> Result
  ) rethrows -> Result {
    try world.state.withLock { try body(&$0.devices[device].machine) }
  }

  /// Ends the device's app and starts it again, at once: sessions made after the call are the new app's.
  package func relaunch() {
    world.state.withLock {
      let scanner = $0.endLocation(of: device)
      $0.handle(.relaunch, device: device)
      $0.endPeers(of: device)
      $0.endBluetooth(of: device)
      $0.endSetup(of: device)
      if let scanner { $0.releaseBluetoothUser(scanner) }
    }
    // No follower of the old app is left to notify.
    _ = life.set(isInForeground: true)
  }

  /// How the device's user answers from now on; `nil` leaves questions open.
  package func setAnswer(_ answer: Permission?) {
    world.state.withLock { $0.devices[device].answer = answer }
  }

  /// Changes what the device's camera sees from now on.
  package func setCameraSurroundings(_ change: @Sendable (inout CameraTracker.Surroundings) -> Void) {
    world.state.withLock { $0.setCameraSurroundings(of: device, change) }
  }

  /// How the device's user answers when an app asks for the camera; `nil` leaves questions open.
  package func setCameraAnswer(_ answer: Permission?) {
    world.state.withLock { $0.cameras[device, default: SimulatedCamera()].answer = answer }
  }
}
