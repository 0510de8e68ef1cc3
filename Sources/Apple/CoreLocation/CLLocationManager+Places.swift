import Foundation

// What apps that range beacons call beside it. Nothing here knows where a device is.
extension CLLocationManager {
  /// Never: nothing is known of where the device is.
  public class func significantLocationChangeMonitoringAvailable() -> Bool { false }
  /// Never.
  @available(*, deprecated)
  public class func deferredLocationUpdatesAvailable() -> Bool { false }

  /// Fails with `locationUnknown`, or `denied`.
  public func startMonitoringSignificantLocationChanges() { requestLocation() }
  /// Nothing is updated.
  public func stopMonitoringSignificantLocationChanges() { stopUpdatingLocation() }
  /// No visit is noticed.
  public func startMonitoringVisits() {}
  /// No visit is noticed.
  public func stopMonitoringVisits() {}
  /// Nothing to send away.
  public func dismissHeadingCalibrationDisplay() {}
}

/// A storey. Nothing here finds that out.
public final class CLFloor: NSObject, Sendable {
  /// 0 is the ground.
  public let level: Int
  init(level: Int) {
    self.level = level
    super.init()
  }
}

extension CLLocation {
  /// Never known.
  public var floor: CLFloor? { nil }
  /// Degrees; unknown.
  public var courseAccuracy: CLLocationDirection { -1 }
  /// Metres a second; unknown.
  public var speedAccuracy: CLLocationSpeed { -1 }
  /// Metres above the ellipsoid: the altitude.
  public var ellipsoidalAltitude: CLLocationDistance { altitude }
}

/// A place where the device has been for a while. Nothing here notices one.
open class CLVisit: NSObject, @unchecked Sendable {
  // Immutable.
  /// Since when.
  public let arrivalDate: Date
  /// Until when.
  public let departureDate: Date
  /// Where.
  public let coordinate: CLLocationCoordinate2D
  /// Metres.
  public let horizontalAccuracy: CLLocationAccuracy

  init(from arrival: Date, to departure: Date, at coordinate: CLLocationCoordinate2D) {
    arrivalDate = arrival
    departureDate = departure
    self.coordinate = coordinate
    horizontalAccuracy = -1
    super.init()
  }
}
