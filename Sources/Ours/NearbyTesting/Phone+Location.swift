import NearbyDeviceMachine
import NearbySimulated

/// An app's access to the phone's location, as Settings shows it.
public enum LocationAccess: Sendable, Hashable, CaseIterable {
  /// Not decided: the app asks next time.
  case ask
  /// No access.
  case never
  /// Access while the app is in use.
  case whenInUse
  /// Access at any time.
  case always
  /// No access, and the user cannot change it.
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

// Location, used by CoreLocation. Initially the app has not asked, and the user allows what it asks for.
extension Phone {
  /// Sets how the user answers the app's requests for location from now on; with `nil` a request stays open
  /// until `answerLocation`.
  ///
  /// An app that wants access at any time asks twice: first for access while it is in use, then for the rest.
  public func setLocationAnswer(_ answer: PermissionAnswer?) {
    shell.setLocationAnswer(answer?.location)
  }

  /// Answers the open request for location.
  public func answerLocation(_ answer: PermissionAnswer) {
    shell.answerLocation(answer.location)
  }

  /// Changes the permission for location as the user would in Settings.
  public func changeLocationAccess(to access: LocationAccess) {
    shell.changeLocation { permission in
      permission.authorization = access.authorization
      permission.isOnce = false
      if access == .ask { permission.wasAskedForAlways = false }
    }
  }

  /// Switches the app's precise location on or off; initially on. Without it the app receives no beacons.
  public func setPreciseLocation(_ isPrecise: Bool) {
    shell.changeLocation { permission in
      permission.isReduced = !isPrecise
      permission.isFullForNow = false
    }
  }

  /// Switches location services on or off for all apps; initially on.
  public func setLocationServices(isOn: Bool) {
    shell.changeLocation { $0.isServiceOn = isOn }
  }

  /// Sets which usage descriptions are in the app's `Info.plist`; initially all.
  ///
  /// - Parameters:
  ///   - whenInUse: Whether `NSLocationWhenInUseUsageDescription` is there.
  ///   - always: Whether `NSLocationAlwaysAndWhenInUseUsageDescription` is there.
  ///   - purposeKeys: The keys of `NSLocationTemporaryUsageDescriptionDictionary`; `nil` means any key.
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
