import Foundation

// Methods that beacon apps also call. None has an effect, because the device's location is unknown here.
extension CLLocationManager {
  /// Always false, because the device's location is unknown.
  public class func significantLocationChangeMonitoringAvailable() -> Bool { false }
  /// Always false.
  @available(*, deprecated)
  public class func deferredLocationUpdatesAvailable() -> Bool { false }

  /// Fails with `locationUnknown`, or with `denied`.
  public func startMonitoringSignificantLocationChanges() { requestLocation() }
  /// Cancels a pending failure report.
  public func stopMonitoringSignificantLocationChanges() { stopUpdatingLocation() }
  /// Has no effect: visits are not detected.
  public func startMonitoringVisits() {}
  /// Has no effect.
  public func stopMonitoringVisits() {}
  /// Has no effect.
  public func dismissHeadingCalibrationDisplay() {}
}

/// A floor of a building. Nothing here determines one.
public final class CLFloor: NSObject, Sendable {
  /// The floor's number; 0 is the ground floor.
  public let level: Int
  init(level: Int) {
    self.level = level
    super.init()
  }
}

extension CLLocation {
  /// Always `nil`.
  public var floor: CLFloor? { nil }
  /// Uncertainty of the course in degrees; always -1, unknown.
  public var courseAccuracy: CLLocationDirection { -1 }
  /// Uncertainty of the speed in metres per second; always -1, unknown.
  public var speedAccuracy: CLLocationSpeed { -1 }
  /// Metres above the ellipsoid; returns `altitude`.
  public var ellipsoidalAltitude: CLLocationDistance { altitude }
}

/// A place where the device stayed for a while. Nothing here detects visits.
open class CLVisit: NSObject, @unchecked Sendable {
  // All stored properties are immutable.
  /// When the visit began.
  public let arrivalDate: Date
  /// When the visit ended.
  public let departureDate: Date
  /// The approximate centre of the place.
  public let coordinate: CLLocationCoordinate2D
  /// Radius of uncertainty, in metres.
  public let horizontalAccuracy: CLLocationAccuracy

  init(from arrival: Date, to departure: Date, at coordinate: CLLocationCoordinate2D) {
    arrivalDate = arrival
    departureDate = departure
    self.coordinate = coordinate
    horizontalAccuracy = -1
    super.init()
  }
}
