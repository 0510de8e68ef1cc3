import NearbyDeviceMachine
import NearbyWorldProtocol

/// Observes a live device: the world that it joined, on behalf of that world's observers.
package protocol DeviceWatcher: AnyObject, Sendable {
  func made(_ session: SessionID, _ identity: DiscoveryIdentity)
  /// Called on the device's queue, like the requirements below.
  func commanded(_ command: DeviceMachine.Command)
  func delivered(_ event: SessionEvent, to session: SessionID, hypotheses: [SeenHypothesis])
  /// Tracking started in the given epoch, or ended.
  func cameraChanged(run: Int?)
}

/// Stores the user's answer to one question, and asks the user.
package protocol PermissionKeeper: Sendable {
  /// - Parameter completion: Called with the answer, from any thread; not called if the answer comes as a command.
  func ask(_ completion: @escaping @Sendable (Permission) -> Void)
  func store(_ permission: Permission)
}
