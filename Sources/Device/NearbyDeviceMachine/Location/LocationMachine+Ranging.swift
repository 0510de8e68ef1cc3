import NearbyBeacons
import NearbyBluetooth

/// Ranging beacons for location managers.
extension LocationMachine {
  package mutating func startRanging(_ constraint: BeaconConstraint, of user: LocationUser, at now: Duration)
  {
    guard users[user]?.constraints.contains(constraint) == false else { return }
    users[user]?.constraints.append(constraint)
    settle(at: now)
  }

  package mutating func stopRanging(_ constraint: BeaconConstraint, of user: LocationUser, at now: Duration) {
    users[user]?.constraints.removeAll { $0 == constraint }
    users[user]?.told[constraint] = nil
    settle(at: now)
  }

  /// Why nothing can be ranged; `nil` also while that is not known yet.
  private var rangingFailure: LocationFailure? {
    switch reported {
    case .notDetermined: return nil
    case .denied, .restricted: return .denied
    case .always, .whenInUse: break
    }
    if isReduced { return .rangingUnavailable }
    switch bluetooth {
    case .unsupported, .unauthorized, .poweredOff: return .rangingUnavailable
    case .unknown, .resetting, .poweredOn: return nil
    }
  }

  mutating func settleRanging(at now: Duration) {
    let failure = rangingFailure
    for user in managers {
      for constraint in users[user]?.constraints ?? [] where users[user]?.told[constraint] != failure {
        users[user]?.told[constraint] = failure
        if let failure { tell(user, .rangingFailed(constraint, failure)) }
      }
    }
    let isActive = failure == nil && mayRange && bluetooth == .poweredOn
    let wanted = isActive ? Set(users.values.flatMap(\.constraints)) : []
    for constraint in ranger.constraints where !wanted.contains(constraint) { ranger.stop(constraint) }
    for constraint in wanted.sorted() { ranger.start(constraint, at: now) }
  }

  // MARK: Where the device is

  /// Nothing here knows: an error follows.
  package mutating func requestLocation(of user: LocationUser) {
    switch reported {
    case .notDetermined: users[user]?.wantsLocation = true
    case .denied, .restricted: tell(user, .failed(.denied))
    case .always, .whenInUse: tell(user, .failed(.locationUnknown))
    }
  }

  package mutating func forgetLocation(of user: LocationUser) { users[user]?.wantsLocation = false }

  package mutating func requestHeading(of user: LocationUser) { tell(user, .failed(.headingFailure)) }
}
