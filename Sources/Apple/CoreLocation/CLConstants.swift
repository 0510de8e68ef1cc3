import Foundation

/// A beacon's major number.
public typealias CLBeaconMajorValue = UInt16
/// A beacon's minor number.
public typealias CLBeaconMinorValue = UInt16
/// Metres; negative is unknown.
public typealias CLLocationAccuracy = Double
/// Metres.
public typealias CLLocationDistance = Double
/// Degrees of latitude or longitude.
public typealias CLLocationDegrees = Double
/// Degrees clockwise from north; negative is unknown.
public typealias CLLocationDirection = Double
/// Degrees.
public typealias CLLocationDirectionAccuracy = Double
/// Metres a second; negative is unknown.
public typealias CLLocationSpeed = Double
/// Metres a second; negative is unknown.
public typealias CLLocationSpeedAccuracy = Double

/// The most that can be had.
public let kCLLocationAccuracyBest: CLLocationAccuracy = -1
/// More than that, for navigation.
public let kCLLocationAccuracyBestForNavigation: CLLocationAccuracy = -2
/// 10 m.
public let kCLLocationAccuracyNearestTenMeters: CLLocationAccuracy = 10
/// 100 m.
public let kCLLocationAccuracyHundredMeters: CLLocationAccuracy = 100
/// 1 km.
public let kCLLocationAccuracyKilometer: CLLocationAccuracy = 1000
/// 3 km.
public let kCLLocationAccuracyThreeKilometers: CLLocationAccuracy = 3000
/// What an app gets that may know places only roughly. Apple does not publish the figure; this is ours.
public let kCLLocationAccuracyReduced: CLLocationAccuracy = 20_000
/// No filter of distances.
public let kCLDistanceFilterNone: CLLocationDistance = -1
/// No filter of headings.
public let kCLHeadingFilterNone: CLLocationDegrees = -1
/// No farther.
public let CLLocationDistanceMax: CLLocationDistance = .greatestFiniteMagnitude

/// How near a beacon is, roughly.
public enum CLProximity: Int, Sendable {
  /// Not known now.
  case unknown = 0
  /// At arm's length: to about half a metre.
  case immediate = 1
  /// To about 3 m.
  case near = 2
  /// Farther.
  case far = 3
}

/// Whether the device is in a region.
@frozen public enum CLRegionState: Int, Sendable {
  /// Not known yet.
  case unknown = 0
  /// In it.
  case inside = 1
  /// Not in it.
  case outside = 2
}

/// What the user lets the app know of places.
public enum CLAuthorizationStatus: Int32, Sendable {
  /// Not asked yet.
  case notDetermined = 0
  /// Not this user's to say.
  case restricted = 1
  /// Nothing.
  case denied = 2
  /// At any time.
  case authorizedAlways = 3
  /// While the app is in use.
  case authorizedWhenInUse = 4

  /// The old name.
  @available(*, deprecated, message: "Use authorizedAlways")
  public static var authorized: CLAuthorizationStatus { .authorizedAlways }
}

/// How exactly the app may know places; beacons need full accuracy.
public enum CLAccuracyAuthorization: Int, Sendable {
  /// As exactly as the device does.
  case fullAccuracy = 0
  /// Roughly.
  case reducedAccuracy = 1
}

/// What the app does with places. Without effect here.
public enum CLActivityType: Int, Sendable {
  /// Anything.
  case other = 1
  /// By car.
  case automotiveNavigation = 2
  /// On foot, mostly.
  case fitness = 3
  /// By boat, train and others.
  case otherNavigation = 4
  /// In the air.
  case airborne = 5
}

/// How the device is held. Without effect here.
public enum CLDeviceOrientation: Int32, Sendable {
  /// Not known.
  case unknown = 0
  /// Upright.
  case portrait = 1
  /// Head down.
  case portraitUpsideDown = 2
  /// On its right side.
  case landscapeLeft = 3
  /// On its left side.
  case landscapeRight = 4
  /// On its back.
  case faceUp = 5
  /// On its face.
  case faceDown = 6
}
