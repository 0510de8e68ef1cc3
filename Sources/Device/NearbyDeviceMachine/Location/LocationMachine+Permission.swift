import NearbyBeacons

/// Questions to the user, and the answers.
extension LocationMachine {
  package mutating func requestWhenInUse(at now: Duration) {
    guard usage.describesWhenInUse else { return noteMissing("NSLocationWhenInUseUsageDescription") }
    guard reported == .notDetermined else { return }
    ask(.whenInUse, at: now)
  }

  package mutating func requestAlways(at now: Duration) {
    guard usage.describesWhenInUse else { return noteMissing("NSLocationWhenInUseUsageDescription") }
    guard usage.describesAlways else { return noteMissing("NSLocationAlwaysAndWhenInUseUsageDescription") }
    switch reported {
    case .notDetermined:
      wantsAlways = true
      ask(.whenInUse, at: now)
    case .whenInUse: askForAlways(at: now)
    case .restricted, .denied, .always: break
    }
  }

  /// - Parameter request: Returned with the answer.
  package mutating func requestFullAccuracy(
    purpose: String, request: Int, of user: LocationUser, at now: Duration
  ) {
    guard isReduced, reported.isGranted else {
      return notify(user, .fullAccuracy(request: request, reported.isGranted ? nil : .denied))
    }
    guard usage.purposes?.contains(purpose) ?? true else {
      noteMissing("\(purpose) in NSLocationTemporaryUsageDescriptionDictionary")
      return notify(user, .fullAccuracy(request: request, .denied))
    }
    accuracyRequests.append((user, request))
    ask(.fullAccuracy(purpose: purpose), at: now)
  }

  private mutating func noteMissing(_ key: String) {
    actions.append(
      .notice(
        "no \(key): put it into an Info.plist beside the program, or into the environment; "
          + "until then the user is not asked"))
  }

  private mutating func askForAlways(at now: Duration) {
    // "Once" is less than "when in use", so no question for more follows it.
    guard !permission.isOnce, !permission.wasAskedForAlways else { return }
    ask(.always, at: now)
  }

  private mutating func ask(_ question: LocationQuestion, at now: Duration) {
    guard self.question == nil else { return }
    self.question = question
    actions.append(.ask(question))
    notifyTrouble(at: now)
  }

  /// The user answers a question. No effect if another one is open, or none.
  package mutating func answer(_ answer: LocationAnswer, to asked: LocationQuestion, at now: Duration) {
    if question == asked { self.answer(answer, at: now) }
  }

  /// The user answers the open question. No effect without one.
  package mutating func answer(_ answer: LocationAnswer, at now: Duration) {
    guard let question else { return }
    self.question = nil
    switch question {
    case .whenInUse:
      change(at: now) { permission in
        permission.authorization = answer == .deny ? .denied : .whenInUse
        permission.isOnce = answer == .allowOnce
      }
      if wantsAlways, reported == .whenInUse { askForAlways(at: now) }
      wantsAlways = false
    case .always:
      change(at: now) { permission in
        permission.wasAskedForAlways = true
        if answer == .allow { permission.authorization = .always }
      }
    case .fullAccuracy:
      // Not stored: this answer ends with the app's process.
      if answer != .deny { change(at: now, isStored: false) { $0.isFullForNow = true } }
      for (user, request) in accuracyRequests {
        notify(user, .fullAccuracy(request: request, answer == .deny ? .promptDeclined : nil))
      }
      accuracyRequests = []
    }
  }

  /// The user changes something in Settings.
  package mutating func change(
    at now: Duration, isStored: Bool = true, _ body: (inout LocationPermission) -> Void
  ) {
    let (before, wasReduced) = (permission, isReduced)
    body(&permission)
    guard permission != before else { return }
    if permission.authorization != before.authorization, permission.authorization != .notDetermined {
      if question == .whenInUse { question = nil }
    }
    if isStored { actions.append(.storePermission(permission)) }
    let was = before.isServiceOn ? before.authorization : .denied
    guard reported != was || isReduced != wasReduced else { return }
    notifyManagers(.authorization(reported, isReduced: isReduced))
    if reported != was { authorizationChange = now }
    notifyMonitoringRefused(at: now)
    reconcile(at: now)
    guard reported != .notDetermined else { return }
    for user in managers where users[user]?.wantsLocation == true {
      users[user]?.wantsLocation = false
      requestLocation(of: user)
    }
  }
}
