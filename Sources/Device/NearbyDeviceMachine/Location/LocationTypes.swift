import NearbyBeacons

/// What the user lets the app know of places. Raw values are `CLAuthorizationStatus`'s.
package enum LocationAuthorization: Int32, Sendable, Codable {
  case notDetermined = 0
  case restricted, denied, always, whenInUse

  package var isGranted: Bool { self == .always || self == .whenInUse }
}

/// What the user says to a question.
package enum LocationAnswer: String, Sendable {
  case allow
  /// Until the app is launched again.
  case allowOnce
  case deny
}

/// What the user is asked.
package enum LocationQuestion: Hashable, Sendable {
  case whenInUse
  /// In the background too; after `whenInUse` was granted.
  case always
  /// Until the app is launched again, for a purpose that the app names.
  case fullAccuracy(purpose: String)
}

/// What an app declares about why it wants to know places.
package struct LocationUsage: Hashable, Sendable {
  /// `NSLocationWhenInUseUsageDescription` is there.
  package var describesWhenInUse: Bool
  /// `NSLocationAlwaysAndWhenInUseUsageDescription` is there.
  package var describesAlways: Bool
  /// Keys of `NSLocationTemporaryUsageDescriptionDictionary`; `nil` takes any.
  package var purposes: Set<String>?

  package init(describesWhenInUse: Bool, describesAlways: Bool, purposes: Set<String>? = nil) {
    self.describesWhenInUse = describesWhenInUse
    self.describesAlways = describesAlways
    self.purposes = purposes
  }
}

/// The user's side of it, kept between launches.
package struct LocationPermission: Hashable, Sendable {
  package var authorization = LocationAuthorization.notDetermined
  /// Ends with the app's process.
  package var isOnce = false
  /// The question for more than "when in use" was put; it is put once.
  package var wasAskedForAlways = false
  /// The app is told roughly where it is, which for beacons is nothing.
  package var isReduced = false
  /// Not so until the app's process ends.
  package var isFullForNow = false
  /// Location services of the whole device.
  package var isServiceOn = true

  package init(_ authorization: LocationAuthorization = .notDetermined) { self.authorization = authorization }

  /// As the next launch of the app finds it.
  package var afterLaunch: Self {
    var next = self
    if isOnce {
      next.authorization = .notDetermined
      next.isOnce = false
    }
    next.isFullForNow = false
    return next
  }
}

/// A location manager, or one who opened a monitor.
package struct LocationUser: Hashable, Comparable, Sendable {
  package let number: Int
  package static func < (left: Self, right: Self) -> Bool { left.number < right.number }
}

/// Whom a user hears of.
package enum LocationRole: Hashable, Sendable {
  case manager
  /// Of the conditions of one monitor.
  case monitor(name: String)
}

/// What did not work. Raw values are `CLError`'s codes.
package enum LocationFailure: Int, Error, Sendable {
  case locationUnknown = 0
  case denied = 1
  case headingFailure = 3
  case regionMonitoringDenied = 4
  case regionMonitoringFailure = 5
  case rangingUnavailable = 16
  case promptDeclined = 18
}

/// What a location user hears, in order.
package enum LocationEvent: Sendable {
  /// The first of a manager's events, and again at each change.
  case authorization(LocationAuthorization, isReduced: Bool)
  case ranged(RangingReport)
  case rangingFailed(BeaconConstraint, LocationFailure)
  case started(MonitoredRegion)
  case monitoringFailed(MonitoredRegion, LocationFailure)
  case entered(MonitoredRegion)
  case exited(MonitoredRegion)
  case determined(RegionState, MonitoredRegion)
  /// In answer to `requestFullAccuracy`.
  case fullAccuracy(request: Int, LocationFailure?)
  case failed(LocationFailure)
  case condition(ConditionEvent)
}

/// Who hears a location user's events, on the device's own thread.
package protocol LocationSink: AnyObject, Sendable {
  func received(_ event: LocationEvent)
}
