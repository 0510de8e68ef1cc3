/// The state of tracking at one moment.
///
/// There is no image, because nothing here captures one. Source: Apple's documentation of `ARFrame`.
public final class ARFrame: NSObject, NSCopying, Sendable {
  /// How well the surroundings have been mapped.
  public enum WorldMappingStatus: Int, Sendable {
    /// There is no map.
    case notAvailable = 0
    /// The map is too small for relocalisation.
    case limited = 1
    /// The surroundings are mapped, but not yet around the device's position.
    case extending = 2
    /// The surroundings are mapped well.
    case mapped = 3
    /// Never a value. It lets apps write `default` beside all cases, as for Apple's open enumeration.
    @available(*, unavailable, message: "No value has this case.")
    case _unlisted
  }

  /// Seconds since the device's time zero.
  public let timestamp: TimeInterval
  /// The camera's pose.
  public let camera: ARCamera
  /// The anchors that the app has added.
  public let anchors: [ARAnchor]
  /// The light estimate; `nil` if the configuration disables it.
  public let lightEstimate: ARLightEstimate?

  init(timestamp: TimeInterval, camera: ARCamera, anchors: [ARAnchor], lightEstimate: ARLightEstimate?) {
    self.timestamp = timestamp
    self.camera = camera
    self.anchors = anchors
    self.lightEstimate = lightEstimate
    super.init()
  }

  /// The points that tracking uses; always `nil` here, because the sources of poses do not provide them.
  public var rawFeaturePoints: ARPointCloud? { nil }

  /// How well the surroundings have been mapped, derived from the tracking state.
  public var worldMappingStatus: WorldMappingStatus {
    switch camera.trackingState {
    case .notAvailable: .notAvailable
    case .limited: .limited
    case .normal: .mapped
    }
  }

  /// Returns the object itself, which never changes.
  public func copy(with zone: NSZone? = nil) -> Any { self }
}

/// An estimate of the light in front of the camera.
public class ARLightEstimate: NSObject, @unchecked Sendable {
  // `@unchecked Sendable`: immutable.
  /// Brightness in lumens; about 1000 is well lit.
  public let ambientIntensity: CGFloat
  /// Colour temperature in kelvin; always 6500, a neutral white, because there is no image to measure.
  public var ambientColorTemperature: CGFloat { 6500 }

  init(ambientIntensity: CGFloat) {
    self.ambientIntensity = ambientIntensity
    super.init()
  }
}

/// Points in the world that tracking uses. Never created here except empty.
public final class ARPointCloud: NSObject, Sendable {
  /// The points in the world's frame, in metres.
  public let points: [simd_float3]
  /// The points' identifiers, one for each.
  public let identifiers: [UInt64]
  /// The number of points.
  public var count: Int { points.count }

  init(points: [simd_float3], identifiers: [UInt64]) {
    self.points = points
    self.identifiers = identifiers
    super.init()
  }
}
