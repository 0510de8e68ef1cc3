import Foundation

/// A floor of a building. Nothing here determines one.
open class CLFloor: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  // Without stored properties.
  /// Creates the ground floor.
  public override init() { super.init() }

  /// Decodes the ground floor.
  public required init?(coder: NSCoder) { super.init() }
  /// Encodes nothing, because a floor here is always the ground floor.
  open func encode(with coder: NSCoder) {}
  /// Always true.
  open class var supportsSecureCoding: Bool { true }

  /// The floor's number; 0 is the ground floor.
  open var level: Int { 0 }

  /// Returns the floor itself, which is immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }
}

/// Where a location comes from, as the app that created it says.
open class CLLocationSourceInformation: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  // All stored properties are immutable.
  private let isSimulated: Bool
  private let isAccessory: Bool

  /// Creates the information.
  ///
  /// - Parameters:
  ///   - isSoftware: Whether software simulates the location.
  ///   - isAccessory: Whether an accessory measured the location.
  public init(softwareSimulationState isSoftware: Bool, andExternalAccessoryState isAccessory: Bool) {
    isSimulated = isSoftware
    self.isAccessory = isAccessory
  }

  /// Whether software simulates the location.
  open var isSimulatedBySoftware: Bool { isSimulated }
  /// Whether an accessory measured the location.
  open var isProducedByAccessory: Bool { isAccessory }

  /// Returns the object itself, which is immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Always true.
  open class var supportsSecureCoding: Bool { true }

  /// Decodes archived information.
  public required init?(coder: NSCoder) {
    isSimulated = coder.decodeBool(forKey: "isSimulatedBySoftware")
    isAccessory = coder.decodeBool(forKey: "isProducedByAccessory")
    super.init()
  }

  /// Encodes the information.
  open func encode(with coder: NSCoder) {
    coder.encode(isSimulatedBySoftware, forKey: "isSimulatedBySoftware")
    coder.encode(isProducedByAccessory, forKey: "isProducedByAccessory")
  }
}
