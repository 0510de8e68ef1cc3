import NearbyBluetooth

/// Location: a machine of its own, which this one feeds and whose actions go into the same list.
extension DeviceMachine {
  /// Whether the app's current launch has a location side.
  package var hasLocation: Bool { location != nil }

  /// Begins the location side of the app's current launch, which it needs only if it uses location at all.
  package mutating func startLocation(_ machine: LocationMachine) {
    var machine = machine
    machine.isInForeground = isInForeground
    location = Boxed(machine)
  }

  /// Ends the location side with the app's launch; actions that were not taken yet are dropped.
  ///
  /// - Returns: Its last state; `nil` if the launch had none.
  package mutating func endLocation() -> LocationMachine? {
    actions.removeAll { if case .location = $0 { true } else { false } }
    return location.take()?.value
  }

  /// Feeds the location side an event and collects its actions.
  ///
  /// - Returns: The result of `event`; `nil`, with no effect, if the launch has no location side.
  @discardableResult
  package mutating func updateLocation<Result>(
    _ event: (inout LocationMachine) -> Result
  ) -> Result? {
    guard let result = location?.value.update(event) else { return nil }
    if let new = location?.value.takeActions() {
      for action in new { actions.append(.location(action)) }
    }
    if anchors != nil, let now = location?.value.takeAuthorizationChange() { checkAnchorPermission(at: now) }
    return result
  }

  /// Reads the location side; `nil` if the launch has none.
  package func readLocation<Result>(_ body: (LocationMachine) -> Result) -> Result? {
    guard let location else { return nil }
    return body(location.value)
  }

  /// Receives an event of the location side's Bluetooth user: the adapter's state, or an advertisement.
  package mutating func receivedForLocation(_ event: BluetoothEvent, at now: Duration) {
    updateLocation { $0.received(event, at: now) }
    if anchors != nil, case .sighted(let sighting) = event { sightedForAnchors(sighting, at: now) }
  }

  /// The user answers a question about location; no effect if it is no longer open.
  package mutating func answerLocation(
    _ answer: LocationAnswer, to question: LocationQuestion, at now: Duration
  ) {
    updateLocation { $0.answer(answer, to: question, at: now) }
  }

  mutating func locationTimePassed(at now: Duration) {
    guard let due = location?.value.nextWake, due <= now else { return }
    updateLocation { $0.timePassed(at: now) }
  }
}
