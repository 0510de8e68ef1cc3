import NearbyDevice

extension NearbyDevice {
  /// The device to which objects with Apple's names belong if they are created here and now: the one whose
  /// app's code is running in a simulated world, or else this process's own.
  package static var bound: NearbyDevice { deviceOfCaller ?? ProcessDevice.shared }

  /// The device whose app's code is running, if that is known.
  private static var deviceOfCaller: NearbyDevice? {
    current ?? DeviceOfThread.device ?? MainQueueTurn.deviceHere
  }

  /// The bound device for a session, manager or other object that stays bound to it. NearbyTesting reports one
  /// that binds to the process's own device while a test's world exists.
  ///
  /// - Parameter object: The object's type, for the report.
  package static func bound(for object: String) -> NearbyDevice {
    if let device = deviceOfCaller { return device }
    OwnDeviceUse.report(object)
    return ProcessDevice.shared
  }
}
