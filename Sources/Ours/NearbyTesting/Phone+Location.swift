import NearbyDeviceMachine
import NearbySimulated

/// What the user of a phone lets its app know of places, as Settings show it.
public enum LocationAccess: Sendable, Hashable, CaseIterable {
  /// The app asks next time.
  case ask
  /// Nothing.
  case never
  /// While the app is in use.
  case whenInUse
  /// At any time.
  case always
  /// Not this user's to say.
  case restricted

  var authorization: LocationAuthorization {
    switch self {
    case .ask: .notDetermined
    case .never: .denied
    case .whenInUse: .whenInUse
    case .always: .always
    case .restricted: .restricted
    }
  }
}

// Places under CoreLocation. At first the app has not asked, and its user allows what it asks.
extension Phone {
  /// How the user answers when the app asks for places from now on; with `nil` questions stay open until
  /// `answerLocation`.
  ///
  /// Who asks for "always" is asked twice: for the use of the app, and for more.
  public func setLocationAnswer(_ answer: PermissionAnswer?) {
    shell.setLocationAnswer(answer?.location)
  }

  /// Answers the question for places that is open.
  public func answerLocation(_ answer: PermissionAnswer) {
    shell.answerLocation(answer.location)
  }

  /// The user changes the answer for places in Settings.
  public func changeLocationAccess(to access: LocationAccess) {
    shell.changeLocation { permission in
      permission.authorization = access.authorization
      permission.isOnce = false
      if access == .ask { permission.wasAskedForAlways = false }
    }
  }

  /// The user switches the app's precise location on or off; on at first. Without it there are no beacons.
  public func setPreciseLocation(_ isPrecise: Bool) {
    shell.changeLocation { permission in
      permission.isReduced = !isPrecise
      permission.isFullForNow = false
    }
  }

  /// The user switches location services on or off for all apps; on at first.
  public func setLocationServices(isOn: Bool) {
    shell.changeLocation { $0.isServiceOn = isOn }
  }

  /// Which of `NSLocationWhenInUseUsageDescription` and `NSLocationAlwaysAndWhenInUseUsageDescription` are in the
  /// app's `Info.plist`, and the keys of its `NSLocationTemporaryUsageDescriptionDictionary`: all at first, and any
  /// key where `nil`.
  public func setLocationUsageDescriptions(whenInUse: Bool, always: Bool, purposeKeys: [String]? = nil) {
    shell.setLocationUsage(
      LocationUsage(
        describesWhenInUse: whenInUse, describesAlways: always, purposes: purposeKeys.map { Set($0) }))
  }
}

extension PermissionAnswer {
  var location: LocationAnswer {
    switch self {
    case .allow: .allow
    case .allowOnce: .allowOnce
    case .deny: .deny
    }
  }
}
