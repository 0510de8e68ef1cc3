import NearbyDevice

extension NearbyDevice {
  /// The device to which objects with Apple's names belong if they are created here and now: the one whose
  /// app's code is running in a simulated world, or else this process's own.
  package static var bound: NearbyDevice { current ?? MainQueueTurn.deviceHere ?? ProcessDevice.shared }
}
