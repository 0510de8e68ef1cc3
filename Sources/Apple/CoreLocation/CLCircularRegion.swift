import Foundation

/// A circle on the map. Circles cannot be monitored here because the device's location is unknown.
open class CLCircularRegion: CLRegion, @unchecked Sendable {
  // All stored properties are immutable; the flags in CLRegion are behind its lock.
  private let circle: (center: CLLocationCoordinate2D, radius: CLLocationDistance)

  /// The centre of the circle.
  open var center: CLLocationCoordinate2D { circle.center }
  /// The radius, in metres.
  open var radius: CLLocationDistance { circle.radius }

  /// Creates a region with an identifier of the app's choice.
  public init(center: CLLocationCoordinate2D, radius: CLLocationDistance, identifier: String) {
    circle = (center, radius)
    super.init(identifier: identifier)
  }

  /// Creates a circle of radius 0 with an empty identifier, for subclasses that stand in for regions in tests.
  public override init() {
    circle = (CLLocationCoordinate2D(), 0)
    super.init()
  }

  /// Whether a coordinate lies in the circle.
  open func contains(_ coordinate: CLLocationCoordinate2D) -> Bool {
    let middle = CLLocation(latitude: center.latitude, longitude: center.longitude)
    return CLLocation(latitude: coordinate.latitude, longitude: coordinate.longitude).distance(from: middle)
      <= radius
  }

  /// Returns a copy.
  open override func copy(with zone: NSZone? = nil) -> Any {
    let other = CLCircularRegion(center: center, radius: radius, identifier: identifier)
    copyFlags(to: other)
    return other
  }

  /// A summary for logs.
  open override var description: String {
    "CLCircularRegion(\(identifier), \(center.latitude), \(center.longitude), \(radius) m)"
  }

  // MARK: NSSecureCoding

  /// Decodes an archived region; `nil` if the archive is invalid.
  public required init?(coder: NSCoder) {
    let center = CLLocationCoordinate2D(
      latitude: coder.decodeDouble(forKey: "latitude"), longitude: coder.decodeDouble(forKey: "longitude"))
    circle = (center, coder.decodeDouble(forKey: "radius"))
    super.init(coder: coder)
  }

  /// Encodes the region.
  open override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encode(center.latitude, forKey: "latitude")
    coder.encode(center.longitude, forKey: "longitude")
    coder.encode(radius, forKey: "radius")
  }
}
