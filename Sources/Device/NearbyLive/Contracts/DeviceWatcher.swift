import NearbyDeviceMachine
import NearbyWorldProtocol

/// Who is told what goes on in a live device: the world that it joined, for those who watch that.
package protocol DeviceWatcher: AnyObject, Sendable {
  func made(_ session: SessionID, _ identity: DiscoveryIdentity)
  /// On the device's queue, as everything below.
  func commanded(_ command: DeviceMachine.Command)
  func delivered(_ event: SessionEvent, to session: SessionID, hypotheses: [SeenHypothesis])
  /// Tracking began anew, or ended.
  func cameraChanged(run: Int?)
}

/// Who keeps the user's answer to one question, and asks where there is none.
package protocol PermissionKeeper: Sendable {
  /// - Parameter completion: Called with the answer, from any thread, unless that comes another way.
  func ask(_ completion: @escaping @Sendable (Permission) -> Void)
  func store(_ permission: Permission)
}
