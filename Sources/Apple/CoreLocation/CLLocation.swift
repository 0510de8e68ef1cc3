import Foundation

/// A point on the Earth's surface, in degrees.
public struct CLLocationCoordinate2D: Sendable {
  /// Degrees, positive north of the equator.
  public var latitude: CLLocationDegrees
  /// Degrees, positive east of Greenwich.
  public var longitude: CLLocationDegrees

  /// The point at latitude 0° and longitude 0°.
  public init() { self.init(latitude: 0, longitude: 0) }

  /// Creates a coordinate.
  public init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
    self.latitude = latitude
    self.longitude = longitude
  }
}

/// An invalid coordinate.
public let kCLLocationCoordinate2DInvalid = CLLocationCoordinate2D(latitude: -180, longitude: -180)

/// Creates a coordinate.
public func CLLocationCoordinate2DMake(
  _ latitude: CLLocationDegrees, _ longitude: CLLocationDegrees
) -> CLLocationCoordinate2D {
  CLLocationCoordinate2D(latitude: latitude, longitude: longitude)
}

/// Whether a coordinate is within the valid range.
public func CLLocationCoordinate2DIsValid(_ coordinate: CLLocationCoordinate2D) -> Bool {
  abs(coordinate.latitude) <= 90 && abs(coordinate.longitude) <= 180
}

/// A geographical location. Nothing here determines one: apps create them.
open class CLLocation: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  // All stored properties are immutable.
  /// The point on the map.
  public let coordinate: CLLocationCoordinate2D
  /// Metres above sea level.
  public let altitude: CLLocationDistance
  /// Radius of uncertainty in metres; negative if the coordinate is invalid.
  public let horizontalAccuracy: CLLocationAccuracy
  /// Uncertainty of the altitude in metres; negative if the altitude is invalid.
  public let verticalAccuracy: CLLocationAccuracy
  /// Direction of travel, degrees clockwise from true north; negative if unknown.
  public let course: CLLocationDirection
  /// Metres per second; negative if unknown.
  public let speed: CLLocationSpeed
  /// When the location was determined.
  public let timestamp: Date

  /// The Earth's mean radius, in metres.
  private static let radius = 6_371_008.8

  /// Creates a location at a coordinate, with the current time and no valid altitude.
  public convenience init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
    self.init(
      coordinate: CLLocationCoordinate2D(latitude: latitude, longitude: longitude), altitude: 0,
      horizontalAccuracy: 0, verticalAccuracy: -1, timestamp: Date())
  }

  /// Creates a location without course and speed.
  public convenience init(
    coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance, horizontalAccuracy: CLLocationAccuracy,
    verticalAccuracy: CLLocationAccuracy, timestamp: Date
  ) {
    self.init(
      coordinate: coordinate, altitude: altitude, horizontalAccuracy: horizontalAccuracy,
      verticalAccuracy: verticalAccuracy, course: -1, speed: -1, timestamp: timestamp)
  }

  /// Creates a location with course and speed.
  public init(
    coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance, horizontalAccuracy: CLLocationAccuracy,
    verticalAccuracy: CLLocationAccuracy, course: CLLocationDirection, speed: CLLocationSpeed,
    timestamp: Date
  ) {
    self.coordinate = coordinate
    self.altitude = altitude
    self.horizontalAccuracy = horizontalAccuracy
    self.verticalAccuracy = verticalAccuracy
    self.course = course
    self.speed = speed
    self.timestamp = timestamp
  }

  /// Distance in metres along the great circle of a spherical Earth; the error is at most 0.5 %.
  open func distance(from location: CLLocation) -> CLLocationDistance {
    func radians(_ degrees: Double) -> Double { degrees * .pi / 180 }
    let (a, b) = (coordinate, location.coordinate)
    let north = sin(radians(b.latitude - a.latitude) / 2)
    let east = sin(radians(b.longitude - a.longitude) / 2)
    let share = north * north + cos(radians(a.latitude)) * cos(radians(b.latitude)) * east * east
    return 2 * Self.radius * asin(min(1, share.squareRoot()))
  }

  /// Returns the location itself, which is immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// A summary for logs.
  open override var description: String {
    "CLLocation(\(coordinate.latitude), \(coordinate.longitude) ± \(horizontalAccuracy) m)"
  }

  // MARK: NSSecureCoding

  /// Always true.
  public class var supportsSecureCoding: Bool { true }

  /// Decodes an archived location.
  public required init?(coder: NSCoder) {
    coordinate = CLLocationCoordinate2D(
      latitude: coder.decodeDouble(forKey: "latitude"), longitude: coder.decodeDouble(forKey: "longitude"))
    altitude = coder.decodeDouble(forKey: "altitude")
    horizontalAccuracy = coder.decodeDouble(forKey: "horizontalAccuracy")
    verticalAccuracy = coder.decodeDouble(forKey: "verticalAccuracy")
    course = coder.decodeDouble(forKey: "course")
    speed = coder.decodeDouble(forKey: "speed")
    timestamp = Date(timeIntervalSinceReferenceDate: coder.decodeDouble(forKey: "timestamp"))
    super.init()
  }

  /// Encodes the location.
  open func encode(with coder: NSCoder) {
    coder.encode(coordinate.latitude, forKey: "latitude")
    coder.encode(coordinate.longitude, forKey: "longitude")
    coder.encode(altitude, forKey: "altitude")
    coder.encode(horizontalAccuracy, forKey: "horizontalAccuracy")
    coder.encode(verticalAccuracy, forKey: "verticalAccuracy")
    coder.encode(course, forKey: "course")
    coder.encode(speed, forKey: "speed")
    coder.encode(timestamp.timeIntervalSinceReferenceDate, forKey: "timestamp")
  }
}

/// The direction a device points to. Nothing here determines one.
open class CLHeading: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  // All stored properties are immutable.
  /// Degrees clockwise from magnetic north.
  public let magneticHeading: CLLocationDirection
  /// Degrees clockwise from true north; negative if unknown.
  public let trueHeading: CLLocationDirection
  /// Uncertainty in degrees; negative if the heading is invalid.
  public let headingAccuracy: CLLocationDirection
  /// When the heading was determined.
  public let timestamp: Date

  /// Returns the heading itself, which is immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Always true.
  public class var supportsSecureCoding: Bool { true }

  /// Decodes an archived heading.
  public required init?(coder: NSCoder) {
    magneticHeading = coder.decodeDouble(forKey: "magneticHeading")
    trueHeading = coder.decodeDouble(forKey: "trueHeading")
    headingAccuracy = coder.decodeDouble(forKey: "headingAccuracy")
    timestamp = Date(timeIntervalSinceReferenceDate: coder.decodeDouble(forKey: "timestamp"))
    super.init()
  }

  /// Encodes the heading.
  open func encode(with coder: NSCoder) {
    coder.encode(magneticHeading, forKey: "magneticHeading")
    coder.encode(trueHeading, forKey: "trueHeading")
    coder.encode(headingAccuracy, forKey: "headingAccuracy")
    coder.encode(timestamp.timeIntervalSinceReferenceDate, forKey: "timestamp")
  }
}
