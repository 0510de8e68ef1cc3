import Foundation

/// A beacon's major number.
public typealias CLBeaconMajorValue = UInt16
/// A beacon's minor number.
public typealias CLBeaconMinorValue = UInt16
/// Metres; a negative value means unknown.
public typealias CLLocationAccuracy = Double
/// Metres.
public typealias CLLocationDistance = Double
/// Degrees of latitude or longitude.
public typealias CLLocationDegrees = Double
/// Degrees clockwise from true north; a negative value means unknown.
public typealias CLLocationDirection = Double
/// Degrees.
public typealias CLLocationDirectionAccuracy = Double
/// Metres per second; a negative value means unknown.
public typealias CLLocationSpeed = Double
/// Metres per second; a negative value means unknown.
public typealias CLLocationSpeedAccuracy = Double

/// The best accuracy available.
public let kCLLocationAccuracyBest: CLLocationAccuracy = -1
/// The best accuracy available, refined with further sensors for navigation.
public let kCLLocationAccuracyBestForNavigation: CLLocationAccuracy = -2
/// Accurate to 10 m.
public let kCLLocationAccuracyNearestTenMeters: CLLocationAccuracy = 10
/// Accurate to 100 m.
public let kCLLocationAccuracyHundredMeters: CLLocationAccuracy = 100
/// Accurate to 1 km.
public let kCLLocationAccuracyKilometer: CLLocationAccuracy = 1000
/// Accurate to 3 km.
public let kCLLocationAccuracyThreeKilometers: CLLocationAccuracy = 3000
/// The accuracy of apps limited to approximate locations. Apple does not publish its value; this one is our
/// own.
public let kCLLocationAccuracyReduced: CLLocationAccuracy = 20_000
/// Disables the distance filter.
public let kCLDistanceFilterNone: CLLocationDistance = -1
/// Disables the heading filter.
public let kCLHeadingFilterNone: CLLocationDegrees = -1
/// The largest distance that can be represented.
public let CLLocationDistanceMax: CLLocationDistance = .greatestFiniteMagnitude

/// A coarse estimate of the distance to a beacon.
public enum CLProximity: Int, Sendable {
  /// The distance is currently unknown.
  case unknown = 0
  /// Within about half a metre.
  case immediate = 1
  /// Within about 3 m.
  case near = 2
  /// Farther than about 3 m.
  case far = 3
  /// Never a value. It lets apps write `default` beside all cases, as for Apple's open enumeration.
  @available(*, unavailable, message: "No value has this case.")
  case _unlisted
}

/// Whether the device is inside a region.
@frozen public enum CLRegionState: Int, Sendable {
  /// The state is not known yet.
  case unknown = 0
  /// The device is inside.
  case inside = 1
  /// The device is outside.
  case outside = 2
}

/// When the user allows the app to use location services.
public enum CLAuthorizationStatus: Int32, Sendable {
  /// The user has not been asked yet.
  case notDetermined = 0
  /// Access is restricted, and the user cannot change that.
  case restricted = 1
  /// The user denied access.
  case denied = 2
  /// The app may use them at any time.
  case authorizedAlways = 3
  /// The app may use them while it is in use.
  case authorizedWhenInUse = 4
  /// Never a value. It lets apps write `default` beside all cases, as for Apple's open enumeration.
  @available(*, unavailable, message: "No value has this case.")
  case _unlisted

  /// The name before iOS 8.
  @available(*, deprecated, message: "Use authorizedAlways")
  public static var authorized: CLAuthorizationStatus { .authorizedAlways }
}

/// How accurately the app may know the location. Beacons require full accuracy.
public enum CLAccuracyAuthorization: Int, Sendable {
  /// The location as accurately as the device knows it.
  case fullAccuracy = 0
  /// An approximate location only.
  case reducedAccuracy = 1
  /// Never a value. It lets apps write `default` beside all cases, as for Apple's open enumeration.
  @available(*, unavailable, message: "No value has this case.")
  case _unlisted
}

/// The kind of movement the app expects. Has no effect here.
public enum CLActivityType: Int, Sendable {
  /// No particular activity.
  case other = 1
  /// Driving a car.
  case automotiveNavigation = 2
  /// Walking, running or cycling.
  case fitness = 3
  /// Travelling by boat, train or other vehicle.
  case otherNavigation = 4
  /// Flying.
  case airborne = 5
  /// Never a value. It lets apps write `default` beside all cases, as for Apple's open enumeration.
  @available(*, unavailable, message: "No value has this case.")
  case _unlisted
}

/// How the device is held. Has no effect here.
public enum CLDeviceOrientation: Int32, Sendable {
  /// The orientation is unknown.
  case unknown = 0
  /// Upright, with the top edge up.
  case portrait = 1
  /// Upright, with the top edge down.
  case portraitUpsideDown = 2
  /// Upright, with the right side up.
  case landscapeLeft = 3
  /// Upright, with the left side up.
  case landscapeRight = 4
  /// Flat, with the display up.
  case faceUp = 5
  /// Flat, with the display down.
  case faceDown = 6
  /// Never a value. It lets apps write `default` beside all cases, as for Apple's open enumeration.
  @available(*, unavailable, message: "No value has this case.")
  case _unlisted
}
