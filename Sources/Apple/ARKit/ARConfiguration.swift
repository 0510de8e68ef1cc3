import NearbyDevice
import NearbyDeviceMachine
import NearbyHome

/// What a session tracks and how. Apps create one of its subclasses.
///
/// Source: Apple's documentation of `ARConfiguration`.
open class ARConfiguration: NSObject, NSCopying, @unchecked Sendable {
  // `@unchecked Sendable`: the app modifies it only before handing it over, and sessions keep copies.

  /// The orientation of the world's axes.
  public enum WorldAlignment: Int, Sendable {
    /// y points up, against gravity; −z is where the device looked when tracking began.
    case gravity = 0
    /// y points up, against gravity; −z points to true north. Not supported here.
    case gravityAndHeading = 1
    /// The axes are fixed to the camera. Not supported here.
    case camera = 2
    /// Never a value. It lets apps write `default` beside all cases, as for Apple's open enumeration.
    @available(*, unavailable, message: "No value has this case.")
    case _unlisted
  }

  /// Information about people in the image. Nothing is supported here.
  public struct FrameSemantics: OptionSet, Sendable {
    /// The set as a number.
    public let rawValue: UInt
    /// Creates a set from a number.
    public init(rawValue: UInt) { self.rawValue = rawValue }
  }

  init(isMade: Void) { super.init() }

  /// Whether this device has a camera that tracks.
  open class var isSupported: Bool { NearbyDevice.bound.sessions.capabilities.contains(.cameraAssistance) }

  /// The orientation of the world's axes; `gravity` by default.
  open var worldAlignment = WorldAlignment.gravity
  /// Whether frames carry a light estimate; true by default.
  open var isLightEstimationEnabled = true
  /// Has no effect: no audio is captured here.
  open var providesAudioData = false
  /// Which information about people frames should carry.
  open var frameSemantics: FrameSemantics = []

  /// Whether this device supports the given semantics; true only for the empty set.
  open class func supportsFrameSemantics(_ semantics: FrameSemantics) -> Bool { semantics.isEmpty }

  /// Returns a configuration of the same class with the same values.
  open func copy(with zone: NSZone? = nil) -> Any { takingValues(ARConfiguration(isMade: ())) }

  func takingValues<Kind: ARConfiguration>(_ copy: Kind) -> Kind {
    copy.worldAlignment = worldAlignment
    copy.isLightEstimationEnabled = isLightEstimationEnabled
    copy.providesAudioData = providesAudioData
    copy.frameSemantics = frameSemantics
    return copy
  }
}
