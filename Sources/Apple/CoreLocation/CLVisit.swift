import Foundation

/// A place where the device stayed for a while. Nothing here detects visits: tests subclass it.
open class CLVisit: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  private struct Values: Sendable {
    var arrival = Date.distantPast
    var departure = Date.distantFuture
    var coordinate = CLLocationCoordinate2D()
    var accuracy: CLLocationAccuracy = 0
  }

  // Immutable.
  private let values: Values

  /// Creates a visit at latitude 0° and longitude 0°, without a known beginning and end.
  public override init() { values = Values() }

  /// When the visit began; `distantPast` if unknown.
  open var arrivalDate: Date { values.arrival }
  /// When the visit ended; `distantFuture` if it has not.
  open var departureDate: Date { values.departure }
  /// The approximate centre of the place.
  open var coordinate: CLLocationCoordinate2D { values.coordinate }
  /// Radius of uncertainty, in metres.
  open var horizontalAccuracy: CLLocationAccuracy { values.accuracy }

  /// Returns the visit itself, which is immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Always true.
  open class var supportsSecureCoding: Bool { true }

  /// Decodes an archived visit.
  public required init?(coder: NSCoder) {
    values = Values(
      arrival: Date(timeIntervalSinceReferenceDate: coder.decodeDouble(forKey: "arrival")),
      departure: Date(timeIntervalSinceReferenceDate: coder.decodeDouble(forKey: "departure")),
      coordinate: CLLocationCoordinate2D(
        latitude: coder.decodeDouble(forKey: "latitude"), longitude: coder.decodeDouble(forKey: "longitude")),
      accuracy: coder.decodeDouble(forKey: "horizontalAccuracy"))
    super.init()
  }

  /// Encodes the visit.
  open func encode(with coder: NSCoder) {
    coder.encode(arrivalDate.timeIntervalSinceReferenceDate, forKey: "arrival")
    coder.encode(departureDate.timeIntervalSinceReferenceDate, forKey: "departure")
    coder.encode(coordinate.latitude, forKey: "latitude")
    coder.encode(coordinate.longitude, forKey: "longitude")
    coder.encode(horizontalAccuracy, forKey: "horizontalAccuracy")
  }
}
