import Foundation

/// A location update. Here it never has a location; its flags say why.
public struct CLLocationUpdate: Sendable {
  /// The kind of movement the app expects. Has no effect here.
  public enum LiveConfiguration: Sendable {
    /// No particular activity.
    case `default`
    /// Driving a car.
    case automotiveNavigation
    /// Travelling by boat, train or other vehicle.
    case otherNavigation
    /// Walking, running or cycling.
    case fitness
    /// Flying.
    case airborne
    /// Never a value. It lets apps write `default` beside all cases, as for Apple's open enumeration.
    @available(*, unavailable, message: "No value has this case.")
    case _unlisted
  }

  /// Always `nil`.
  public var location: CLLocation? { nil }
  /// Always false.
  public var isStationary: Bool { false }
  /// Always false.
  public var stationary: Bool { false }
  /// Whether the user denied access.
  public let authorizationDenied: Bool
  /// Whether the user has location services switched off.
  public let authorizationDeniedGlobally: Bool
  /// Whether access is restricted, so that the user cannot change it.
  public let authorizationRestricted: Bool
  /// Whether the user has yet to answer the authorization prompt.
  public let authorizationRequestInProgress: Bool
  /// Whether the app is limited to approximate locations.
  public let accuracyLimited: Bool
  /// Whether the location is unavailable even though the app may use it.
  public let locationUnavailable: Bool

  init(of manager: CLLocationManager) {
    let status = manager.authorizationStatus
    authorizationDenied = status == .denied
    authorizationDeniedGlobally = !CLLocationManager.locationServicesEnabled()
    authorizationRestricted = status == .restricted
    authorizationRequestInProgress = status == .notDetermined
    accuracyLimited = manager.accuracyAuthorization == .reducedAccuracy
    locationUnavailable = status == .authorizedAlways || status == .authorizedWhenInUse
  }

  /// Yields a single update without a location, then waits until the task is cancelled.
  public static func liveUpdates(_ configuration: LiveConfiguration = .default) -> Updates {
    Updates(first: CLLocationUpdate(of: CLLocationManager()))
  }

  /// An asynchronous sequence of updates.
  public struct Updates: AsyncSequence, Sendable {
    /// The type of the sequence's elements.
    public typealias Element = CLLocationUpdate
    let first: CLLocationUpdate

    /// Creates an iterator.
    public func makeAsyncIterator() -> Iterator {
      let first = first
      return Iterator(updates: AsyncStream { $0.yield(first) }.makeAsyncIterator())
    }

    /// Iterates over the updates.
    public struct Iterator: AsyncIteratorProtocol {
      var updates: AsyncStream<CLLocationUpdate>.Iterator
      /// The next update, or `nil` once the task is cancelled.
      public mutating func next() async throws -> CLLocationUpdate? { await updates.next() }
    }
  }
}

/// Declared for source compatibility: there are no background location updates here.
public final class CLBackgroundActivitySession: NSObject, Sendable {
  /// Starts the session.
  public override init() { super.init() }
  /// Ends the session.
  public func invalidate() {}
}

/// Requests the authorization the app needs, prompting the user if necessary.
public final class CLServiceSession: NSObject, Sendable {
  /// The level of authorization the app needs.
  public enum AuthorizationRequirement: Int, Sendable {
    /// No authorization.
    case none = 0
    /// Access while the app is in use.
    case whenInUse = 1
    /// Access at any time.
    case always = 2
    /// Never a value. It lets apps write `default` beside all cases, as for Apple's open enumeration.
    @available(*, unavailable, message: "No value has this case.")
    case _unlisted
  }

  private let manager = CLLocationManager()

  /// Starts a session.
  public init(authorization: AuthorizationRequirement) {
    super.init()
    switch authorization {
    case .none: break
    case .whenInUse: manager.requestWhenInUseAuthorization()
    case .always: manager.requestAlwaysAuthorization()
    }
  }

  /// Starts a session with full accuracy for a purpose listed in
  /// `NSLocationTemporaryUsageDescriptionDictionary`.
  public convenience init(authorization: AuthorizationRequirement, fullAccuracyPurposeKey: String) {
    self.init(authorization: authorization)
    manager.requestTemporaryFullAccuracyAuthorization(withPurposeKey: fullAccuracyPurposeKey)
  }

  /// Ends the session.
  public func invalidate() {}
}
