import Foundation

/// A circle on the map. None can be watched: nothing here knows where a device is.
open class CLCircularRegion: CLRegion, @unchecked Sendable {
  // Immutable but for what CLRegion keeps.
  /// Its middle.
  public let center: CLLocationCoordinate2D
  /// From the middle to the edge, metres.
  public let radius: CLLocationDistance

  /// Makes one of the app's name for it.
  public init(center: CLLocationCoordinate2D, radius: CLLocationDistance, identifier: String) {
    self.center = center
    self.radius = radius
    super.init(identifier: identifier)
  }

  /// Whether a point is in it.
  open func contains(_ coordinate: CLLocationCoordinate2D) -> Bool {
    let middle = CLLocation(latitude: center.latitude, longitude: center.longitude)
    return CLLocation(latitude: coordinate.latitude, longitude: coordinate.longitude).distance(from: middle)
      <= radius
  }

  /// Makes another like this.
  open override func copy(with zone: NSZone? = nil) -> Any {
    let other = CLCircularRegion(center: center, radius: radius, identifier: identifier)
    copyFlags(to: other)
    return other
  }

  /// What it is, for a log.
  open override var description: String {
    "CLCircularRegion(\(identifier), \(center.latitude), \(center.longitude), \(radius) m)"
  }

  // MARK: NSSecureCoding

  /// Reads an archived region; `nil` where the archive holds something else.
  public required init?(coder: NSCoder) {
    center = CLLocationCoordinate2D(
      latitude: coder.decodeDouble(forKey: "latitude"), longitude: coder.decodeDouble(forKey: "longitude"))
    radius = coder.decodeDouble(forKey: "radius")
    super.init(coder: coder)
  }

  /// Writes the region.
  open override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encode(center.latitude, forKey: "latitude")
    coder.encode(center.longitude, forKey: "longitude")
    coder.encode(radius, forKey: "radius")
  }
}
