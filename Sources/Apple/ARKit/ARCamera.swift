import NearbyDeviceMachine

/// The camera's pose and how reliable it is.
///
/// Source: Apple's documentation of `ARCamera`.
public final class ARCamera: NSObject, NSCopying, Sendable {
  /// How reliable the pose is.
  @frozen public enum TrackingState: Equatable, Sendable {
    /// There is no pose.
    case notAvailable
    /// The pose is less reliable than usual.
    case limited(Reason)
    /// The pose is as reliable as tracking can make it.
    case normal

    /// Why tracking is limited.
    public enum Reason: Hashable, Sendable {
      /// Tracking has just started.
      case initializing
      /// The device turns too fast.
      case excessiveMotion
      /// The scene is too dark or lacks visual features.
      case insufficientFeatures
      /// Tracking is trying to find the known world again after an interruption.
      case relocalizing
      /// Never a value. It lets apps write `default` beside all cases, as for Apple's open enumeration.
      @available(*, unavailable, message: "No value has this case.")
      case _unlisted
    }
  }

  /// The transform from the camera's frame to the world, in metres. The camera looks along −z. In portrait,
  /// +x points to the bottom of the device, so that images are upright with the device on its side.
  public let transform: simd_float4x4
  /// How reliable the pose is.
  public let trackingState: TrackingState

  init(transform: simd_float4x4, trackingState: TrackingState) {
    self.transform = transform
    self.trackingState = trackingState
    super.init()
  }

  /// Pitch (x), yaw (y) and roll (z) in radians; roll is applied first, then pitch, then yaw.
  public var eulerAngles: simd_float3 {
    let m = transform
    let pitch = asin(min(1, max(-1, -m.columns.2.y)))
    let yaw = atan2(m.columns.2.x, m.columns.2.z)
    let roll = atan2(m.columns.0.y, m.columns.1.y)
    return simd_float3(pitch, yaw, roll)
  }

  /// The image's width and height in pixels. No images are captured; these are typical values for a phone.
  public var imageResolution: CGSize { CGSize(width: 1920, height: 1440) }

  /// Focal lengths and image centre in pixels, for a typical phone's field of view of about 68° horizontally.
  public var intrinsics: simd_float3x3 {
    let focal: Float = 1430
    return simd_float3x3(columns: ([focal, 0, 0], [0, focal, 0], [960, 720, 1]))
  }

  /// Projects the camera's frame to the image of `intrinsics`, with clipping planes at 1 mm and 1 km.
  public var projectionMatrix: simd_float4x4 {
    let (near, far): (Float, Float) = (0.001, 1000)
    let scale = intrinsics.columns
    let width = Float(imageResolution.width)
    let height = Float(imageResolution.height)
    return simd_float4x4(
      columns: (
        [2 * scale.0.x / width, 0, 0, 0], [0, 2 * scale.1.y / height, 0, 0],
        [0, 0, -(far + near) / (far - near), -1], [0, 0, -2 * far * near / (far - near), 0]
      ))
  }

  /// Returns the object itself, which never changes.
  public func copy(with zone: NSZone? = nil) -> Any { self }
}

extension ARCamera.TrackingState {
  init(_ tracking: CameraTracking) {
    switch tracking {
    case .notAvailable: self = .notAvailable
    case .initializing: self = .limited(.initializing)
    case .excessiveMotion: self = .limited(.excessiveMotion)
    case .insufficientFeatures: self = .limited(.insufficientFeatures)
    case .relocalizing: self = .limited(.relocalizing)
    case .normal: self = .normal
    }
  }
}
