/// Tracks the device's position and orientation in the world.
///
/// The defaults meet all requirements of camera assistance. Source: Apple's documentation of
/// `ARWorldTrackingConfiguration`.
open class ARWorldTrackingConfiguration: ARConfiguration, @unchecked Sendable {
  /// The kinds of planes to detect.
  public struct PlaneDetection: OptionSet, Sendable {
    /// The set as a number.
    public let rawValue: UInt
    /// Creates a set from a number.
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// Horizontal planes, such as floors and tables.
    public static let horizontal = PlaneDetection(rawValue: 1)
    /// Vertical planes, such as walls.
    public static let vertical = PlaneDetection(rawValue: 2)
  }

  /// How textures for reflections are generated.
  public enum EnvironmentTexturing: Int, Sendable {
    /// No textures.
    case none = 0
    /// At places chosen by the app.
    case manual = 1
    /// At places chosen automatically.
    case automatic = 2
    /// Never a value. It lets apps write `default` beside all cases, as for Apple's open enumeration.
    @available(*, unavailable, message: "No value has this case.")
    case _unlisted
  }

  /// Creates a configuration with the default values.
  public init() { super.init(isMade: ()) }

  /// Has no effect: no planes are detected here.
  open var planeDetection: PlaneDetection = []
  /// A world to relocalise in, which has no effect here. Camera assistance requires `nil`.
  open var initialWorldMap: ARWorldMap?
  /// Whether to share the world with other devices: no effect here. Camera assistance requires false.
  open var isCollaborationEnabled = false
  /// Whether the front camera can track a face at the same time; always false here.
  open class var supportsUserFaceTracking: Bool { false }
  /// Whether to track a face at the same time, which has no effect here. Camera assistance requires false.
  open var userFaceTrackingEnabled = false
  /// Has no effect.
  open var isAutoFocusEnabled = true
  /// Has no effect.
  open var environmentTexturing = EnvironmentTexturing.none
  /// Has no effect: no scene is reconstructed here.
  open var sceneReconstruction: SceneReconstruction = []

  /// Whether this device supports the given reconstruction; true only for the empty set.
  open class func supportsSceneReconstruction(_ reconstruction: SceneReconstruction) -> Bool {
    reconstruction.isEmpty
  }

  /// Returns a configuration with the same values.
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
  /// How to reconstruct the scene as a mesh.
  public struct SceneReconstruction: OptionSet, Sendable {
    /// The set as a number.
    public let rawValue: UInt
    /// Creates a set from a number.
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// The scene's shape.
    public static let mesh = SceneReconstruction(rawValue: 1)
    /// The scene's shape with a classification of its surfaces.
    public static let meshWithClassification = SceneReconstruction(rawValue: 3)
  }
}
