import NearbyBeacons
import NearbyBluetooth

/// Ranging beacons for location managers.
extension LocationMachine {
  package mutating func startRanging(_ constraint: BeaconConstraint, of user: LocationUser, at now: Duration)
  {
    guard users[user]?.constraints.contains(constraint) == false else { return }
    users[user]?.constraints.append(constraint)
    reconcile(at: now)
  }

  package mutating func stopRanging(_ constraint: BeaconConstraint, of user: LocationUser, at now: Duration) {
    users[user]?.constraints.removeAll { $0 == constraint }
    users[user]?.failures[constraint] = nil
    reconcile(at: now)
  }

  /// Why beacons cannot be ranged; `nil` where they can, and while that is not known yet.
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

  mutating func reconcileRanging(at now: Duration) {
    let failure = rangingFailure
    for user in managers {
      for constraint in users[user]?.constraints ?? [] where users[user]?.failures[constraint] != failure {
        users[user]?.failures[constraint] = failure
        if let failure { notify(user, .rangingFailed(constraint, failure)) }
      }
    }
    let isActive = failure == nil && mayRange && bluetooth == .poweredOn
    let wanted = isActive ? Set(users.values.flatMap(\.constraints)) : []
    for constraint in ranger.constraints where !wanted.contains(constraint) { ranger.stop(constraint) }
    for constraint in wanted.sorted() { ranger.start(constraint, at: now) }
  }

  // MARK: The device's place

  /// No source of the device's place exists here: an error follows.
  package mutating func requestLocation(of user: LocationUser) {
    switch reported {
    case .notDetermined: users[user]?.wantsLocation = true
    case .denied, .restricted: notify(user, .failed(.denied))
    case .always, .whenInUse: notify(user, .failed(.locationUnknown))
    }
  }

  package mutating func forgetLocation(of user: LocationUser) { users[user]?.wantsLocation = false }

  package mutating func requestHeading(of user: LocationUser) { notify(user, .failed(.headingFailure)) }
}
