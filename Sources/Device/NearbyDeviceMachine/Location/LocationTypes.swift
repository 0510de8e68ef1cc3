import NearbyBeacons

/// The user's permission to use the device's location. Raw values are `CLAuthorizationStatus`'s.
package enum LocationAuthorization: Int32, Sendable, Codable {
  case notDetermined = 0
  case restricted, denied, always, whenInUse

  package var isGranted: Bool { self == .always || self == .whenInUse }
}

/// The user's answer to a question.
package enum LocationAnswer: String, Sendable {
  case allow
  /// Until the app is launched again.
  case allowOnce
  case deny
}

/// A question to the user.
package enum LocationQuestion: Hashable, Sendable {
  case whenInUse
  /// In the background too; asked after `whenInUse` was granted.
  case always
  /// Until the app is launched again, for a purpose that the app names.
  case fullAccuracy(purpose: String)
}

/// The reasons for the use of location that an app's property list declares.
package struct LocationUsage: Hashable, Sendable {
  /// It has `NSLocationWhenInUseUsageDescription`.
  package var describesWhenInUse: Bool
  /// It has `NSLocationAlwaysAndWhenInUseUsageDescription`.
  package var describesAlways: Bool
  /// Keys of `NSLocationTemporaryUsageDescriptionDictionary`; `nil` allows any.
  package var purposes: Set<String>?

  package init(describesWhenInUse: Bool, describesAlways: Bool, purposes: Set<String>? = nil) {
    self.describesWhenInUse = describesWhenInUse
    self.describesAlways = describesAlways
    self.purposes = purposes
  }
}

/// What the user decided, kept between launches.
package struct LocationPermission: Hashable, Sendable {
  package var authorization = LocationAuthorization.notDetermined
  /// The permission ends with the app's process.
  package var isOnce = false
  /// The question for more than "when in use" was put, which happens once.
  package var wasAskedForAlways = false
  /// Reduced accuracy, with which beacons are neither ranged nor monitored.
  package var isReduced = false
  /// Full accuracy until the app's process ends.
  package var isFullForNow = false
  /// Location services of the whole device are on.
  package var isServiceOn = true

  package init(_ authorization: LocationAuthorization = .notDetermined) { self.authorization = authorization }

  /// The permission at the next launch of the app.
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

/// A location manager, or the owner of a monitor.
package struct LocationUser: Hashable, Comparable, Sendable {
  package let number: Int
  package static func < (left: Self, right: Self) -> Bool { left.number < right.number }
}

/// What a location user is, which decides its events.
package enum LocationRole: Hashable, Sendable {
  case manager
  /// Gets the events of one monitor's conditions.
  case monitor(name: String)
  /// A session that listens to anchors. It gets no events.
  case anchors
}

/// Why a request failed. Raw values are `CLError`'s codes.
package enum LocationFailure: Int, Error, Sendable {
  case locationUnknown = 0
  case denied = 1
  case headingFailure = 3
  case regionMonitoringDenied = 4
  case regionMonitoringFailure = 5
  case rangingUnavailable = 16
  case promptDeclined = 18
}

/// What a location user is notified of, in order.
package enum LocationEvent: Sendable, Equatable {
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

/// Receives a location user's events, on the device's own thread.
package protocol LocationSink: AnyObject, Sendable {
  func received(_ event: LocationEvent)
}
