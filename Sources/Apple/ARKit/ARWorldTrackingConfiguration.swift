/// Tracks where the device is in a world of its own.
///
/// As made, it meets all that camera assistance asks of it. Source: `facts/arkit.md`, section 3.
open class ARWorldTrackingConfiguration: ARConfiguration, @unchecked Sendable {
  /// Which planes to look for.
  public struct PlaneDetection: OptionSet, Sendable {
    /// The set as a number.
    public let rawValue: UInt
    /// Makes a set of a number.
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// Floors and tables.
    public static let horizontal = PlaneDetection(rawValue: 1)
    /// Walls.
    public static let vertical = PlaneDetection(rawValue: 2)
  }

  /// How surroundings are put onto shiny things.
  public enum EnvironmentTexturing: Int, Sendable {
    /// Not at all.
    case none = 0
    /// Where the app says.
    case manual = 1
    /// By themselves.
    case automatic = 2
    /// Never a value. It lets apps write `default` beside all cases, as for Apple's open enumeration.
    @available(*, unavailable, message: "No value has this case.")
    case _unlisted
  }

  /// Makes a configuration of the defaults.
  public init() { super.init(isMade: ()) }

  /// Without effect: nothing here sees planes.
  open var planeDetection: PlaneDetection = []
  /// A world to find again; camera assistance allows none.
  open var initialWorldMap: ARWorldMap?
  /// Sharing the world with others; camera assistance does not allow it.
  open var isCollaborationEnabled = false
  /// Whether the front camera tracks a face beside; never here.
  open class var supportsUserFaceTracking: Bool { false }
  /// Tracking a face beside; camera assistance does not allow it.
  open var userFaceTrackingEnabled = false
  /// Without effect.
  open var isAutoFocusEnabled = true
  /// Without effect.
  open var environmentTexturing = EnvironmentTexturing.none
  /// Without effect: nothing here rebuilds the scene.
  open var sceneReconstruction: SceneReconstruction = []

  /// Whether the scene can be rebuilt so; only not at all.
  open class func supportsSceneReconstruction(_ reconstruction: SceneReconstruction) -> Bool {
    reconstruction.isEmpty
  }

  /// Returns a configuration of the same values.
  open override func copy(with zone: NSZone? = nil) -> Any {
    let copy = takingValues(ARWorldTrackingConfiguration())
    copy.planeDetection = planeDetection
    copy.initialWorldMap = initialWorldMap
    copy.isCollaborationEnabled = isCollaborationEnabled
    copy.userFaceTrackingEnabled = userFaceTrackingEnabled
    copy.isAutoFocusEnabled = isAutoFocusEnabled
    copy.environmentTexturing = environmentTexturing
    copy.sceneReconstruction = sceneReconstruction
    return copy
  }
}

extension ARConfiguration {
  /// How the scene is rebuilt as a mesh.
  public struct SceneReconstruction: OptionSet, Sendable {
    /// The set as a number.
    public let rawValue: UInt
    /// Makes a set of a number.
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// Its shape.
    public static let mesh = SceneReconstruction(rawValue: 1)
    /// Its shape, and what things are.
    public static let meshWithClassification = SceneReconstruction(rawValue: 3)
  }
}
