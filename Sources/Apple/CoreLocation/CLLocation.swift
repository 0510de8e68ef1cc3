import Foundation

/// A point of the Earth, degrees.
public struct CLLocationCoordinate2D: Sendable {
  /// Degrees, positive north of the equator.
  public var latitude: CLLocationDegrees
  /// Degrees, positive east of Greenwich.
  public var longitude: CLLocationDegrees

  /// 0° 0°.
  public init() { self.init(latitude: 0, longitude: 0) }

  /// Makes a point.
  public init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
    self.latitude = latitude
    self.longitude = longitude
  }
}

/// No point.
public let kCLLocationCoordinate2DInvalid = CLLocationCoordinate2D(latitude: -180, longitude: -180)

/// Makes a point.
public func CLLocationCoordinate2DMake(
  _ latitude: CLLocationDegrees, _ longitude: CLLocationDegrees
) -> CLLocationCoordinate2D {
  CLLocationCoordinate2D(latitude: latitude, longitude: longitude)
}

/// Whether it is a point of the Earth.
public func CLLocationCoordinate2DIsValid(_ coordinate: CLLocationCoordinate2D) -> Bool {
  abs(coordinate.latitude) <= 90 && abs(coordinate.longitude) <= 180
}

/// Where something is. Nothing here finds that out: locations are what apps make.
open class CLLocation: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  // Immutable.
  /// On the map.
  public let coordinate: CLLocationCoordinate2D
  /// Metres above the sea.
  public let altitude: CLLocationDistance
  /// Metres; negative where the coordinate is unknown.
  public let horizontalAccuracy: CLLocationAccuracy
  /// Metres; negative where the altitude is unknown.
  public let verticalAccuracy: CLLocationAccuracy
  /// Where it goes, degrees clockwise from north; negative is unknown.
  public let course: CLLocationDirection
  /// Metres a second; negative is unknown.
  public let speed: CLLocationSpeed
  /// When it was there.
  public let timestamp: Date

  /// Of the Earth, metres: its mean radius.
  private static let radius = 6_371_008.8

  /// A point of the map, now.
  public convenience init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
    self.init(
      coordinate: CLLocationCoordinate2D(latitude: latitude, longitude: longitude), altitude: 0,
      horizontalAccuracy: 0, verticalAccuracy: -1, timestamp: Date())
  }

  /// A point of space and time.
  public convenience init(
    coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance, horizontalAccuracy: CLLocationAccuracy,
    verticalAccuracy: CLLocationAccuracy, timestamp: Date
  ) {
    self.init(
      coordinate: coordinate, altitude: altitude, horizontalAccuracy: horizontalAccuracy,
      verticalAccuracy: verticalAccuracy, course: -1, speed: -1, timestamp: timestamp)
  }

  /// One that moves.
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

  /// Metres along the great circle of a round Earth: off by 0.5 % at most.
  open func distance(from location: CLLocation) -> CLLocationDistance {
    func radians(_ degrees: Double) -> Double { degrees * .pi / 180 }
    let (a, b) = (coordinate, location.coordinate)
    let north = sin(radians(b.latitude - a.latitude) / 2)
    let east = sin(radians(b.longitude - a.longitude) / 2)
    let share = north * north + cos(radians(a.latitude)) * cos(radians(b.latitude)) * east * east
    return 2 * Self.radius * asin(min(1, share.squareRoot()))
  }

  /// Returns the location itself, which never changes.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// What it is, for a log.
  open override var description: String {
    "CLLocation(\(coordinate.latitude), \(coordinate.longitude) ± \(horizontalAccuracy) m)"
  }

  // MARK: NSSecureCoding

  /// Always true.
  public class var supportsSecureCoding: Bool { true }

  /// Reads an archived location.
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

  /// Writes the location.
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

/// Where the device looks. Nothing here finds that out.
open class CLHeading: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  // Immutable.
  /// Degrees clockwise from magnetic north.
  public let magneticHeading: CLLocationDirection
  /// Degrees clockwise from north; negative is unknown.
  public let trueHeading: CLLocationDirection
  /// Degrees; negative is unknown.
  public let headingAccuracy: CLLocationDirection
  /// When it looked there.
  public let timestamp: Date

  /// Returns the heading itself, which never changes.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Always true.
  public class var supportsSecureCoding: Bool { true }

  /// Reads an archived heading.
  public required init?(coder: NSCoder) {
    magneticHeading = coder.decodeDouble(forKey: "magneticHeading")
    trueHeading = coder.decodeDouble(forKey: "trueHeading")
    headingAccuracy = coder.decodeDouble(forKey: "headingAccuracy")
    timestamp = Date(timeIntervalSinceReferenceDate: coder.decodeDouble(forKey: "timestamp"))
    super.init()
  }

  /// Writes the heading.
  open func encode(with coder: NSCoder) {
    coder.encode(magneticHeading, forKey: "magneticHeading")
    coder.encode(trueHeading, forKey: "trueHeading")
    coder.encode(headingAccuracy, forKey: "headingAccuracy")
    coder.encode(timestamp.timeIntervalSinceReferenceDate, forKey: "timestamp")
  }
}
