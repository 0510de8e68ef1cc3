import NearbyDeviceMachine

/// Receives a session's events.
package protocol SessionSink: AnyObject, Sendable {
  /// Called in order, one at a time, on the device's own thread; hand over to the app's queue with
  /// `NearbyDevice.perform`.
  ///
  /// - Parameter peer: The peer that the session ran with when the event came about. By the time the app's queue
  ///   gets to it the app may have asked for another, to whom the event then means nothing.
  func received(_ event: SessionEvent, peer: DiscoveryIdentity?)
}

/// A device's UWB sessions.
package protocol SessionSide: CommandSide {
  func makeSession() -> (id: SessionID, identity: DiscoveryIdentity)
  /// Sets the recipient of a session's events. It is not kept alive.
  func attach(_ sink: any SessionSink, to session: SessionID)
  var capabilities: DeviceCapabilities { get }
  /// The user's answer, as far as it is known.
  var permission: Permission { get }
}

/// The accessory that a device is.
package protocol AccessorySide: CommandSide {
  /// Sets the recipient of the accessory's output. It is not kept alive.
  func attach(_ sink: any AccessorySink)
}

/// A device's camera and its tracking.
package protocol CameraSide: CommandSide {
  /// Makes a user of the camera; the sink is not kept alive for longer than the user.
  func makeUser(_ sink: any CameraSink) -> CameraUser
  /// The user is gone: its sink receives nothing more.
  func release(_ user: CameraUser)
  /// The pose now, if the user has the camera.
  func frame(of user: CameraUser) -> CameraFrame?
}
