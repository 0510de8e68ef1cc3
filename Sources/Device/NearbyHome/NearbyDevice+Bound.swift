import NearbyDevice

extension NearbyDevice {
  /// The device that objects under Apple's names belong to when they are made here and now: the one whose app's code is
  /// running in a simulated world, or else this process's own.
  package static var bound: NearbyDevice {
    if let device = current ?? MainQueueTurn.deviceHere { return device }
    OwnDeviceUse.report()
    return ProcessDevice.shared
  }
}
