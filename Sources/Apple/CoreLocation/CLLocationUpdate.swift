import Foundation

/// What is known of where the device is: nothing, and why.
public struct CLLocationUpdate: Sendable {
  /// What the app does with places. Without effect here.
  public enum LiveConfiguration: Sendable {
    /// Anything.
    case `default`
    /// By car.
    case automotiveNavigation
    /// By boat, train and others.
    case otherNavigation
    /// On foot, mostly.
    case fitness
    /// In the air.
    case airborne
  }

  /// Never known.
  public var location: CLLocation? { nil }
  /// Not known.
  public var isStationary: Bool { false }
  /// Not known.
  public var stationary: Bool { false }
  /// The user does not allow it.
  public let authorizationDenied: Bool
  /// The user has location services off.
  public let authorizationDeniedGlobally: Bool
  /// It is not this user's to say.
  public let authorizationRestricted: Bool
  /// The user is being asked.
  public let authorizationRequestInProgress: Bool
  /// The app may only know places roughly.
  public let accuracyLimited: Bool
  /// It is not known where the device is.
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

  /// One update that says that nothing is known; then none, until the task is cancelled.
  public static func liveUpdates(_ configuration: LiveConfiguration = .default) -> Updates {
    Updates(first: CLLocationUpdate(of: CLLocationManager()))
  }

  /// Updates as they come.
  public struct Updates: AsyncSequence, Sendable {
    /// An update.
    public typealias Element = CLLocationUpdate
    let first: CLLocationUpdate

    /// Begins.
    public func makeAsyncIterator() -> Iterator {
      let first = first
      return Iterator(updates: AsyncStream { $0.yield(first) }.makeAsyncIterator())
    }

    /// Gives one update after the other.
    public struct Iterator: AsyncIteratorProtocol {
      var updates: AsyncStream<CLLocationUpdate>.Iterator
      /// The next; `nil` once the task is cancelled.
      public mutating func next() async throws -> CLLocationUpdate? { await updates.next() }
    }
  }
}

/// Would let locations come in the background. There are none.
public final class CLBackgroundActivitySession: NSObject, Sendable {
  /// Begins.
  public override init() { super.init() }
  /// Ends.
  public func invalidate() {}
}

/// Says what the app needs for as long as it is kept: the user is asked if need be.
public final class CLServiceSession: NSObject, Sendable {
  /// How much is needed.
  public enum AuthorizationRequirement: Int, Sendable {
    /// Nothing.
    case none = 0
    /// While the app is in use.
    case whenInUse = 1
    /// At any time.
    case always = 2
  }

  private let manager = CLLocationManager()

  /// Begins.
  public init(authorization: AuthorizationRequirement) {
    super.init()
    switch authorization {
    case .none: break
    case .whenInUse: manager.requestWhenInUseAuthorization()
    case .always: manager.requestAlwaysAuthorization()
    }
  }

  /// Begins, with full accuracy for a purpose of `NSLocationTemporaryUsageDescriptionDictionary`.
  public convenience init(authorization: AuthorizationRequirement, fullAccuracyPurposeKey: String) {
    self.init(authorization: authorization)
    manager.requestTemporaryFullAccuracyAuthorization(withPurposeKey: fullAccuracyPurposeKey)
  }

  /// Ends.
  public func invalidate() {}
}
