/// What tracking knows at one time.
///
/// There is no picture: nothing here sees one. Source: `facts/arkit.md`, section 4.
public final class ARFrame: NSObject, NSCopying, Sendable {
  /// How well the world is known.
  public enum WorldMappingStatus: Int, Sendable {
    /// Nothing is known.
    case notAvailable = 0
    /// Too little to be found again.
    case limited = 1
    /// The surroundings are known, the place is new.
    case extending = 2
    /// Known well.
    case mapped = 3
    /// Never a value. It lets apps write `default` beside all cases, as for Apple's open enumeration.
    @available(*, unavailable, message: "No value has this case.")
    case _unlisted
  }

  /// Seconds since the device's time began.
  public let timestamp: TimeInterval
  /// Where the camera is.
  public let camera: ARCamera
  /// Places in the world that the app put there.
  public let anchors: [ARAnchor]
  /// The light; `nil` where the configuration does not ask for it.
  public let lightEstimate: ARLightEstimate?

  init(timestamp: TimeInterval, camera: ARCamera, anchors: [ARAnchor], lightEstimate: ARLightEstimate?) {
    self.timestamp = timestamp
    self.camera = camera
    self.anchors = anchors
    self.lightEstimate = lightEstimate
    super.init()
  }

  /// What tracking holds on to; always `nil` here, as poses come without them.
  public var rawFeaturePoints: ARPointCloud? { nil }

  /// How well the world is known, as far as the tracking state tells.
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

/// The light in front of the camera.
public class ARLightEstimate: NSObject, @unchecked Sendable {
  // Immutable.
  /// Lumens; about 1000 is well lit.
  public let ambientIntensity: CGFloat
  /// Kelvin; always 6500, a neutral white, as no picture tells more.
  public var ambientColorTemperature: CGFloat { 6500 }

  init(ambientIntensity: CGFloat) {
    self.ambientIntensity = ambientIntensity
    super.init()
  }
}

/// Points in the world that tracking holds on to. Never made here.
public final class ARPointCloud: NSObject, Sendable {
  /// Metres.
  public let points: [simd_float3]
  /// One for each point.
  public let identifiers: [UInt64]
  /// How many there are.
  public var count: Int { points.count }

  init(points: [simd_float3], identifiers: [UInt64]) {
    self.points = points
    self.identifiers = identifiers
    super.init()
  }
}
