import Foundation

/// A geographical location. Nothing here determines one: apps create them.
open class CLLocation: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  private struct Values: Sendable {
    var coordinate = CLLocationCoordinate2D()
    var altitude: CLLocationDistance = 0
    var horizontalAccuracy: CLLocationAccuracy = 0
    var verticalAccuracy: CLLocationAccuracy = 0
    var course: CLLocationDirection = 0
    var courseAccuracy: CLLocationDirectionAccuracy = 0
    var speed: CLLocationSpeed = 0
    var speedAccuracy: CLLocationSpeedAccuracy = 0
    var timestamp = Date(timeIntervalSinceReferenceDate: 0)
    var source: CLLocationSourceInformation?
  }

  // Immutable.
  private let values: Values

  /// The Earth's mean radius, in metres.
  private static let radius = 6_371_008.8

  /// Creates a location whose values are all zero, with the date 1 January 2001.
  public override init() { values = Values() }

  /// Creates a location at a coordinate, with the current time and no valid altitude.
  public init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
    values = Values(
      coordinate: CLLocationCoordinate2D(latitude: latitude, longitude: longitude), verticalAccuracy: -1,
      course: -1, courseAccuracy: -1, speed: -1, speedAccuracy: -1, timestamp: Date())
  }

  /// Creates a location without course and speed.
  public init(
    coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance, horizontalAccuracy: CLLocationAccuracy,
    verticalAccuracy: CLLocationAccuracy, timestamp: Date
  ) {
    values = Values(
      coordinate: coordinate, altitude: altitude, horizontalAccuracy: horizontalAccuracy,
      verticalAccuracy: verticalAccuracy, course: -1, courseAccuracy: -1, speed: -1, speedAccuracy: -1,
      timestamp: timestamp)
  }

  /// Creates a location with course and speed, whose accuracies are unknown.
  public init(
    coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance, horizontalAccuracy: CLLocationAccuracy,
    verticalAccuracy: CLLocationAccuracy, course: CLLocationDirection, speed: CLLocationSpeed,
    timestamp: Date
  ) {
    values = Values(
      coordinate: coordinate, altitude: altitude, horizontalAccuracy: horizontalAccuracy,
      verticalAccuracy: verticalAccuracy, course: course, courseAccuracy: -1, speed: speed,
      speedAccuracy: -1, timestamp: timestamp)
  }

  /// Creates a location with course and speed and their accuracies.
  public init(
    coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance, horizontalAccuracy: CLLocationAccuracy,
    verticalAccuracy: CLLocationAccuracy, course: CLLocationDirection,
    courseAccuracy: CLLocationDirectionAccuracy, speed: CLLocationSpeed,
    speedAccuracy: CLLocationSpeedAccuracy, timestamp: Date
  ) {
    values = Values(
      coordinate: coordinate, altitude: altitude, horizontalAccuracy: horizontalAccuracy,
      verticalAccuracy: verticalAccuracy, course: course, courseAccuracy: courseAccuracy, speed: speed,
      speedAccuracy: speedAccuracy, timestamp: timestamp)
  }

  /// Creates a location with everything known about it.
  public init(
    coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance, horizontalAccuracy: CLLocationAccuracy,
    verticalAccuracy: CLLocationAccuracy, course: CLLocationDirection,
    courseAccuracy: CLLocationDirectionAccuracy, speed: CLLocationSpeed,
    speedAccuracy: CLLocationSpeedAccuracy, timestamp: Date, sourceInfo: CLLocationSourceInformation
  ) {
    values = Values(
      coordinate: coordinate, altitude: altitude, horizontalAccuracy: horizontalAccuracy,
      verticalAccuracy: verticalAccuracy, course: course, courseAccuracy: courseAccuracy, speed: speed,
      speedAccuracy: speedAccuracy, timestamp: timestamp, source: sourceInfo)
  }

  /// The point on the map.
  open var coordinate: CLLocationCoordinate2D { values.coordinate }
  /// Metres above sea level.
  open var altitude: CLLocationDistance { values.altitude }
  /// Metres above the ellipsoid; returns `altitude`.
  open var ellipsoidalAltitude: CLLocationDistance { altitude }
  /// Radius of uncertainty in metres; negative if the coordinate is invalid.
  open var horizontalAccuracy: CLLocationAccuracy { values.horizontalAccuracy }
  /// Uncertainty of the altitude in metres; negative if the altitude is invalid.
  open var verticalAccuracy: CLLocationAccuracy { values.verticalAccuracy }
  /// Direction of travel, degrees clockwise from true north; negative if unknown.
  open var course: CLLocationDirection { values.course }
  /// Uncertainty of the course, in degrees; negative if unknown.
  open var courseAccuracy: CLLocationDirectionAccuracy { values.courseAccuracy }
  /// Metres per second; negative if unknown.
  open var speed: CLLocationSpeed { values.speed }
  /// Uncertainty of the speed, in metres per second; negative if unknown.
  open var speedAccuracy: CLLocationSpeedAccuracy { values.speedAccuracy }
  /// When the location was determined.
  open var timestamp: Date { values.timestamp }
  /// The floor of the building; always `nil`.
  open var floor: CLFloor? { nil }
  /// What the location was created with, or `nil`.
  open var sourceInformation: CLLocationSourceInformation? { values.source }

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
  open class var supportsSecureCoding: Bool { true }

  /// Decodes an archived location.
  public required init?(coder: NSCoder) {
    func accuracy(_ key: String) -> Double {
      coder.containsValue(forKey: key) ? coder.decodeDouble(forKey: key) : -1
    }
    values = Values(
      coordinate: CLLocationCoordinate2D(
        latitude: coder.decodeDouble(forKey: "latitude"), longitude: coder.decodeDouble(forKey: "longitude")),
      altitude: coder.decodeDouble(forKey: "altitude"),
      horizontalAccuracy: coder.decodeDouble(forKey: "horizontalAccuracy"),
      verticalAccuracy: coder.decodeDouble(forKey: "verticalAccuracy"),
      course: coder.decodeDouble(forKey: "course"), courseAccuracy: accuracy("courseAccuracy"),
      speed: coder.decodeDouble(forKey: "speed"), speedAccuracy: accuracy("speedAccuracy"),
      timestamp: Date(timeIntervalSinceReferenceDate: coder.decodeDouble(forKey: "timestamp")),
      source: coder.decodeObject(of: CLLocationSourceInformation.self, forKey: "source"))
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
    coder.encode(courseAccuracy, forKey: "courseAccuracy")
    coder.encode(speed, forKey: "speed")
    coder.encode(speedAccuracy, forKey: "speedAccuracy")
    coder.encode(timestamp.timeIntervalSinceReferenceDate, forKey: "timestamp")
    if let source = sourceInformation { coder.encode(source, forKey: "source") }
  }
}
