import NearbyBeacons
import NearbyBluetooth

/// Watching regions for location managers, and conditions for monitors.
extension LocationMachine {
  /// The regions of all of the app's location managers, in the order of their names.
  package var monitoredRegions: [MonitoredRegion] {
    monitor.regions.compactMap { region in
      guard let key = RegionKey(text: region.identifier), key.monitor == nil else { return nil }
      return named(region, key)
    }
  }

  private func named(_ region: MonitoredRegion, _ key: RegionKey) -> MonitoredRegion {
    var region = region
    region.identifier = key.identifier
    return region
  }

  private func region(_ key: RegionKey) -> MonitoredRegion? {
    monitor.regions.first { $0.identifier == key.text }.map { named($0, key) }
  }

  package mutating func startMonitoring(_ region: MonitoredRegion, of user: LocationUser, at now: Duration) {
    if let failure = monitoringFailure { return tell(user, .monitoringFailed(region, failure)) }
    let key = RegionKey(region.identifier)
    var keyed = region
    keyed.identifier = key.text
    for action in monitor.add(keyed, at: now) {
      switch action {
      case .started: tell(user, .started(region))
      case .limitReached: tell(user, .monitoringFailed(region, .regionMonitoringFailure))
      case .entered, .exited, .determined: take([action], at: now)
      }
    }
    lastTold[key] = monitor.state(of: key.text)
    actions.append(.storeRegions)
    settle(at: now)
  }

  package mutating func stopMonitoring(_ identifier: String, at now: Duration) {
    let key = RegionKey(identifier)
    guard monitor.remove(key.text) else { return }
    askers[key] = nil
    actions.append(.storeRegions)
    settle(at: now)
  }

  /// - Parameter region: Where it is not watched nobody knows, which is said.
  package mutating func requestState(of region: MonitoredRegion, by user: LocationUser, at now: Duration) {
    let key = RegionKey(region.identifier)
    guard monitor.state(of: key.text) != nil else { return tell(user, .determined(.unknown, region)) }
    askers[key, default: []].insert(user)
    take(monitor.requestState(of: key.text, at: now), at: now)
  }

  /// Why regions cannot be watched.
  private var monitoringFailure: LocationFailure? {
    switch reported {
    case .denied, .restricted: .regionMonitoringDenied
    case .notDetermined: nil
    case .always, .whenInUse: isReduced ? .regionMonitoringFailure : nil
    }
  }

  mutating func tellMonitoringRefused(at now: Duration) {
    tellTrouble(at: now)
    guard let failure = monitoringFailure else { return }
    for region in monitoredRegions { tellManagers(.monitoringFailed(region, failure)) }
  }

  // MARK: What comes of it

  mutating func take(_ regionActions: [RegionAction], at now: Duration) {
    var first: [RegionKey: BeaconIdentity] = [:]
    for action in regionActions {
      switch action {
      case .started, .limitReached: break
      case .entered(let text, let beacon):
        guard let key = RegionKey(text: text) else { continue }
        first[key] = beacon
        crossed(key, at: now) { .entered($0) }
      case .exited(let text):
        guard let key = RegionKey(text: text) else { continue }
        crossed(key, at: now) { .exited($0) }
      case .determined(let text, let state):
        guard let key = RegionKey(text: text) else { continue }
        determined(state, key, beacon: first[key], at: now)
      }
    }
  }

  private mutating func crossed(
    _ key: RegionKey, at now: Duration, _ event: (MonitoredRegion) -> LocationEvent
  ) {
    if !isInForeground {
      rangesInBackgroundUntil = now + Self.backgroundTime
      settleRanging(at: now)
    }
    guard key.monitor == nil, let region = region(key) else { return }
    tellManagers(event(region))
  }

  private mutating func determined(
    _ state: RegionState, _ key: RegionKey, beacon: BeaconIdentity?, at now: Duration
  ) {
    if key.monitor != nil { return told(key, ConditionState(state), beacon, at: now) }
    guard let region = region(key) else { return }
    let waiting = askers.removeValue(forKey: key) ?? []
    let isAnswer = !waiting.isEmpty && lastTold[key] == state || state == .unknown
    for user in isAnswer ? waiting.sorted() : managers { tell(user, .determined(state, region)) }
    if lastTold[key] != state { actions.append(.storeRegions) }
    lastTold[key] = state
  }

  // MARK: Monitors

  package func identifiers(ofMonitor name: String) -> [String] {
    records.keys.filter { $0.monitor == name }.map(\.identifier).sorted()
  }

  package func record(_ identifier: String, ofMonitor name: String) -> ConditionRecord? {
    records[RegionKey(monitor: name, identifier)]
  }

  package mutating func add(
    _ condition: Condition, identifier: String, toMonitor name: String, assuming state: ConditionState,
    at now: Duration
  ) {
    let key = RegionKey(monitor: name, identifier)
    var event = ConditionEvent(identifier: identifier, state: state, date: date(now))
    var trouble: ConditionTrouble = []
    switch condition {
    case .circle:
      monitor.remove(key.text)
      trouble = .unsupported
    case .beacon(let constraint):
      let region = MonitoredRegion(identifier: key.text, constraint: constraint)
      let added = monitor.add(region, assuming: state.regionState, at: now)
      if added.contains(.limitReached(identifier: key.text)) { trouble = .limitExceeded }
    }
    if !trouble.isEmpty { event.state = .unmonitored }
    event.trouble = trouble
    records[key] = ConditionRecord(condition: condition, lastEvent: event)
    if !trouble.isEmpty { tellMonitor(key, event) }
    actions.append(.storeRegions)
    settle(at: now)
    if trouble.isEmpty, !permissionTrouble.isEmpty { told(key, .unknown, nil, at: now) }
  }

  package mutating func remove(_ identifier: String, fromMonitor name: String, at now: Duration) {
    let key = RegionKey(monitor: name, identifier)
    guard records.removeValue(forKey: key) != nil else { return }
    monitor.remove(key.text)
    actions.append(.storeRegions)
    settle(at: now)
  }

  private mutating func told(
    _ key: RegionKey, _ state: ConditionState, _ beacon: BeaconIdentity?, at now: Duration
  ) {
    guard let record = records[key] else { return }
    var event = ConditionEvent(
      identifier: key.identifier, state: state, date: date(now), trouble: permissionTrouble)
    if case .beacon(let constraint) = record.condition, constraint.major == nil || constraint.minor == nil {
      event.refinement = beacon
    }
    let before = record.lastEvent
    guard before.state != state || before.trouble != event.trouble else { return }
    records[key]?.lastEvent = event
    tellMonitor(key, event)
    actions.append(.storeRegions)
  }

  private mutating func tellMonitor(_ key: RegionKey, _ event: ConditionEvent) {
    guard let name = key.monitor else { return }
    for user in users.keys.sorted() where users[user]?.role == .monitor(name: name) {
      tell(user, .condition(event))
    }
  }

  /// Why conditions are not watched, as far as that is the user's doing.
  private var permissionTrouble: ConditionTrouble {
    if !permission.isServiceOn { return .deniedGlobally }
    switch permission.authorization {
    case .notDetermined: return question == nil ? [] : .requestInProgress
    case .restricted: return .restricted
    case .denied: return .denied
    case .always, .whenInUse: return isReduced ? .accuracyLimited : []
    }
  }

  /// Lets every monitor know that its conditions are watched otherwise than before.
  mutating func tellTrouble(at now: Duration) {
    for key in records.keys.sorted() {
      guard let record = records[key], record.lastEvent.state != .unmonitored else { continue }
      let known = monitor.state(of: key.text).map(ConditionState.init) ?? .unknown
      let state = permissionTrouble.isEmpty ? known : .unknown
      guard record.lastEvent.trouble != permissionTrouble else { continue }
      told(key, state, nil, at: now)
    }
  }
}
