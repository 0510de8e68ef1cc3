import NearbyEstimation

/// The result of a device's camera tracking at one time.
///
/// The track's frame has z up, its origin where tracking began, and its y axis in the direction that the back
/// of the device faced then.
package struct CameraFrame: Equatable, Sendable {
  package var time: Duration
  /// Pose of the device, not of its camera, with −z out of the device's back.
  package var pose: DevicePose
  package var tracking: CameraTracking
  /// Lumens; about 1000 in good light (Apple, `ARLightEstimate.ambientIntensity`), 0 in the dark.
  package var ambientIntensity: Double

  package init(
    time: Duration, pose: DevicePose, tracking: CameraTracking = .normal, ambientIntensity: Double = 1000
  ) {
    self.time = time
    self.pose = pose
    self.tracking = tracking
    self.ambientIntensity = ambientIntensity
  }

  /// Light under which a camera finds too few features to track, lumens. Our choice, as Apple gives none.
  package static let leastAmbientIntensity = 100.0
}

/// The quality of a camera's poses; the names are those of `ARCamera.TrackingState`.
package enum CameraTracking: String, Hashable, Sendable, CaseIterable {
  case notAvailable
  case initializing, excessiveMotion, insufficientFeatures, relocalizing
  case normal
}

/// A user of the camera, that is an `ARSession`, numbered in the order in which they were made.
package struct CameraUser: Hashable, Sendable {
  package let index: Int
  package init(index: Int) { self.index = index }
}

/// Why a camera user's run ended.
package enum CameraFailure: Hashable, Sendable {
  /// The device has no camera that tracks.
  case unsupported
  /// The user denied it, or the app gives no reason for asking.
  case unauthorized
}

/// What a user of the camera is notified of, in order.
package enum CameraEvent: Equatable, Sendable {
  case frame(CameraFrame)
  /// Poses stopped: the app left the foreground, or another user has the camera.
  case interrupted
  /// Poses resume, with a new origin.
  case interruptionEnded
  case failed(CameraFailure)
}

/// Receives a camera user's events, on the device's own thread.
package protocol CameraSink: AnyObject, Sendable {
  func received(_ event: CameraEvent)
}
