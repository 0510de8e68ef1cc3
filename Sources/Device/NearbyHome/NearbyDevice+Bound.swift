import NearbyDevice

extension NearbyDevice {
  /// The device to which objects with Apple's names belong if they are created here and now: the one whose
  /// app's code is running in a simulated world, or else this process's own.
  package static var bound: NearbyDevice { current ?? MainQueueTurn.deviceHere ?? ProcessDevice.shared }

  /// The bound device for a session, manager or other object that stays bound to it. NearbyTesting reports one
  /// that binds to the process's own device while a test's world exists.
  ///
  /// - Parameter object: The object's type, for the report.
  package static func bound(for object: String) -> NearbyDevice {
    if let device = current ?? MainQueueTurn.deviceHere { return device }
    OwnDeviceUse.report(object)
    return ProcessDevice.shared
  }
}
