import NearbyEstimation

/// What a device's camera tracking says at one time.
///
/// The track's frame has z up, its origin where tracking began and its y axis where the back of the device
/// looked then.
package struct CameraFrame: Equatable, Sendable {
  package var time: Duration
  /// Of the device, not of its camera: the frame of directions, −z out of the back.
  package var pose: DevicePose
  package var tracking: CameraTracking
  /// Lumens; about 1000 in good light, 0 in the dark.
  package var ambientIntensity: Double

  package init(
    time: Duration, pose: DevicePose, tracking: CameraTracking = .normal, ambientIntensity: Double = 1000
  ) {
    self.time = time
    self.pose = pose
    self.tracking = tracking
    self.ambientIntensity = ambientIntensity
  }

  /// Light under which a camera finds too few features to hold on to, lumens.
  package static let leastAmbientIntensity = 100.0
}

/// How far a camera's poses may be trusted; the names are those of `ARCamera.TrackingState`.
package enum CameraTracking: String, Hashable, Sendable, CaseIterable {
  case notAvailable
  case initializing, excessiveMotion, insufficientFeatures, relocalizing
  case normal
}

/// One who runs the camera: an `ARSession`, in the order in which they were made.
package struct CameraUser: Hashable, Sendable {
  package let index: Int
  package init(index: Int) { self.index = index }
}

/// Why a camera user's run ended.
package enum CameraFailure: Hashable, Sendable {
  /// The device has no camera that tracks.
  case unsupported
  /// The user said no, or the app gives no reason for asking.
  case unauthorized
}

/// What a camera tells its user, in order.
package enum CameraEvent: Equatable, Sendable {
  case frame(CameraFrame)
  /// Poses stopped: the app left the foreground, or another user has the camera.
  case interrupted
  /// Poses come again; they begin anew at a new origin.
  case interruptionEnded
  case failed(CameraFailure)
}

/// Who hears a camera user's events, on the device's own thread.
package protocol CameraSink: AnyObject, Sendable {
  func received(_ event: CameraEvent)
}
