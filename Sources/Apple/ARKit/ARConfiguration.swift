import NearbyDevice
import NearbyDeviceMachine
import NearbyHome

/// What a session tracks; apps make one of its subclasses.
///
/// Source: `facts/arkit.md`, section 3.
open class ARConfiguration: NSObject, NSCopying, @unchecked Sendable {
  // Changed by the app before it hands the object over; sessions keep copies.

  /// How the world's axes lie.
  public enum WorldAlignment: Int, Sendable {
    /// y against gravity, −z where the device looked when tracking began.
    case gravity = 0
    /// y against gravity, −z to true north. Not available here.
    case gravityAndHeading = 1
    /// Fixed to the camera. Not available here.
    case camera = 2
    /// Never a value. It lets apps write `default` beside all cases, as for Apple's open enumeration.
    @available(*, unavailable, message: "No value has this case.")
    case _unlisted
  }

  /// What is told of people in the picture. None is available here.
  public struct FrameSemantics: OptionSet, Sendable {
    /// The set as a number.
    public let rawValue: UInt
    /// Makes a set of a number.
    public init(rawValue: UInt) { self.rawValue = rawValue }
  }

  init(isMade: Void) { super.init() }

  /// Whether this device has a camera that tracks.
  open class var isSupported: Bool { NearbyDevice.bound.sessions.capabilities.contains(.cameraAssistance) }

  /// How the world's axes lie; `gravity` unless set.
  open var worldAlignment = WorldAlignment.gravity
  /// Whether frames tell of the light; true unless set.
  open var isLightEstimationEnabled = true
  /// Without effect: there is no sound here.
  open var providesAudioData = false
  /// What is told of people in the picture.
  open var frameSemantics: FrameSemantics = []

  /// Whether these can be asked for; only none can.
  open class func supportsFrameSemantics(_ semantics: FrameSemantics) -> Bool { semantics.isEmpty }

  /// Returns a configuration of the same kind and values.
  open func copy(with zone: NSZone? = nil) -> Any { takingValues(ARConfiguration(isMade: ())) }

  func takingValues<Kind: ARConfiguration>(_ copy: Kind) -> Kind {
    copy.worldAlignment = worldAlignment
    copy.isLightEstimationEnabled = isLightEstimationEnabled
    copy.providesAudioData = providesAudioData
    copy.frameSemantics = frameSemantics
    return copy
  }
}
