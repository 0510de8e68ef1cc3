import NearbyDeviceMachine

/// Where the camera is, and how far that may be trusted.
///
/// Source: `facts/arkit.md`, section 4.
public final class ARCamera: NSObject, NSCopying, Sendable {
  /// How far the pose may be trusted.
  @frozen public enum TrackingState: Equatable, Sendable {
    /// Not at all.
    case notAvailable
    /// Less than it should be.
    case limited(Reason)
    /// As far as tracking goes.
    case normal

    /// Why tracking is limited.
    public enum Reason: Hashable, Sendable {
      /// It has only begun.
      case initializing
      /// The device turns too fast.
      case excessiveMotion
      /// Too dark, or nothing to hold on to.
      case insufficientFeatures
      /// It finds its feet again after it saw nothing.
      case relocalizing
      /// Never a value. It lets apps write `default` beside all cases, as for Apple's open enumeration.
      @available(*, unavailable, message: "No value has this case.")
      case _unlisted
    }
  }

  /// World from camera. The camera looks along −z; +x points to the bottom of the device held in portrait, so that
  /// pictures are upright with the device on its side.
  public let transform: simd_float4x4
  /// How far the pose may be trusted.
  public let trackingState: TrackingState

  init(transform: simd_float4x4, trackingState: TrackingState) {
    self.transform = transform
    self.trackingState = trackingState
    super.init()
  }

  /// Pitch (x), yaw (y) and roll (z), radians; roll is applied first, then pitch, then yaw.
  public var eulerAngles: simd_float3 {
    let m = transform
    let pitch = asin(min(1, max(-1, -m.columns.2.y)))
    let yaw = atan2(m.columns.2.x, m.columns.2.z)
    let roll = atan2(m.columns.0.y, m.columns.1.y)
    return simd_float3(pitch, yaw, roll)
  }

  /// Width and height of its picture, pixels: those of a usual phone, as no picture is taken.
  public var imageResolution: CGSize { CGSize(width: 1920, height: 1440) }

  /// Focal lengths and centre of its picture, pixels, for a usual phone's view of about 68° across.
  public var intrinsics: simd_float3x3 {
    let focal: Float = 1430
    return simd_float3x3(columns: ([focal, 0, 0], [0, focal, 0], [960, 720, 1]))
  }

  /// From the camera's frame to the picture of `intrinsics`, from 1 mm to 1 km away.
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
