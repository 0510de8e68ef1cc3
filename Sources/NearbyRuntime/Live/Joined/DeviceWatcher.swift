import NearbyWorldProtocol

/// Who is told what goes on in a live device: the world that it joined, for those who watch that.
package protocol DeviceWatcher: AnyObject, Sendable {
  func made(_ session: SessionID, _ identity: DiscoveryIdentity)
  /// On the device's queue, as everything below.
  func commanded(_ command: DeviceMachine.Command)
  func delivered(_ event: SessionEvent, to session: SessionID, hypotheses: [SeenHypothesis])
  /// Tracking began anew, or ended.
  func cameraChanged(run: Int?)
  /// What the device's app shows its user. From any thread.
  func shown(_ display: AppDisplay)
}

/// One place where a session's peer may be, in the track's frame.
package struct SeenHypothesis: Equatable, Sendable {
  /// Metres.
  package var position: SIMD3<Double>
  /// 0 to 1.
  package var weight: Double
  /// xx, xy, yy of the covariance in the level plane, metres².
  package var spread: SIMD3<Double>
}

/// Who keeps the user's answer to one question, and asks where there is none.
package protocol PermissionKeeper: Sendable {
  /// - Parameter completion: Called with the answer, from any thread, unless that comes another way.
  func ask(_ completion: @escaping @Sendable (Permission) -> Void)
  func store(_ permission: Permission)
}
