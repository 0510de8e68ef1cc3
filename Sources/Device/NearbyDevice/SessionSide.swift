import NearbyDeviceMachine

/// Receives a session's events.
package protocol SessionSink: AnyObject, Sendable {
  /// Called in order, one event at a time, on the device's own thread. Use `NearbyDevice.perform` to continue
  /// on the app's queue.
  ///
  /// - Parameter peer: The peer that the session ran with when the event occurred. The app may have switched
  ///   to another peer by the time its queue handles the event, which then no longer applies.
  func received(_ event: SessionEvent, peer: DiscoveryIdentity?)
}

/// A device's UWB sessions.
package protocol SessionSide: CommandSide {
  func makeSession() -> (id: SessionID, identity: DiscoveryIdentity)
  /// Sets the recipient of a session's events, which is held weakly.
  func attach(_ sink: any SessionSink, to session: SessionID)
  var capabilities: DeviceCapabilities { get }
  /// The user's answer, if known.
  var permission: Permission { get }
}

/// The accessory role of a device.
package protocol AccessorySide: CommandSide {
  /// Sets the recipient of the accessory's output, which is held weakly.
  func attach(_ sink: any AccessorySink)
}

/// A device's camera and its tracking.
package protocol CameraSide: CommandSide {
  /// Creates a user of the camera. Its sink is retained at most until the user is released.
  func makeUser(_ sink: any CameraSink) -> CameraUser
  /// Releases a user, whose sink gets no more events.
  func release(_ user: CameraUser)
  /// The present pose, or `nil` if the user does not have the camera.
  func frame(of user: CameraUser) -> CameraFrame?
}
