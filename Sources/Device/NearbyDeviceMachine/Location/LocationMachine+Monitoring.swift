import NearbyBeacons
import NearbyBluetooth

/// Monitoring regions for location managers, and conditions for monitors.
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
    if let failure = monitoringFailure { return notify(user, .monitoringFailed(region, failure)) }
    let key = RegionKey(region.identifier)
    var keyed = region
    keyed.identifier = key.text
    for action in monitor.add(keyed, at: now) {
      switch action {
      case .started: notify(user, .started(region))
      case .limitReached: notify(user, .monitoringFailed(region, .regionMonitoringFailure))
      case .entered, .exited, .determined: receive([action], at: now)
      }
    }
    lastReported[key] = monitor.state(of: key.text)
    actions.append(.storeRegions)
    reconcile(at: now)
  }

  package mutating func stopMonitoring(_ identifier: String, at now: Duration) {
    let key = RegionKey(identifier)
    guard monitor.remove(key.text) else { return }
    requesters[key] = nil
    actions.append(.storeRegions)
    reconcile(at: now)
  }

  /// - Parameter region: The state of a region that is not monitored is unknown.
  package mutating func requestState(of region: MonitoredRegion, by user: LocationUser, at now: Duration) {
    let key = RegionKey(region.identifier)
    guard monitor.state(of: key.text) != nil else { return notify(user, .determined(.unknown, region)) }
    requesters[key, default: []].insert(user)
    receive(monitor.requestState(of: key.text, at: now), at: now)
  }

  /// Why regions cannot be monitored; `nil` where they can.
  private var monitoringFailure: LocationFailure? {
    switch reported {
    case .denied, .restricted: .regionMonitoringDenied
    case .notDetermined: nil
    case .always, .whenInUse: isReduced ? .regionMonitoringFailure : nil
    }
  }

  mutating func notifyMonitoringRefused(at now: Duration) {
    notifyTrouble(at: now)
    guard let failure = monitoringFailure else { return }
    for region in monitoredRegions { notifyManagers(.monitoringFailed(region, failure)) }
  }

  // MARK: Results

  mutating func receive(_ regionActions: [RegionAction], at now: Duration) {
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
      reconcileRanging(at: now)
    }
    guard key.monitor == nil, let region = region(key) else { return }
    notifyManagers(event(region))
  }

  private mutating func determined(
    _ state: RegionState, _ key: RegionKey, beacon: BeaconIdentity?, at now: Duration
  ) {
    if key.monitor != nil { return recordState(key, ConditionState(state), beacon, at: now) }
    guard let region = region(key) else { return }
    let waiting = requesters.removeValue(forKey: key) ?? []
    let isAnswer = !waiting.isEmpty && lastReported[key] == state || state == .unknown
    for user in isAnswer ? waiting.sorted() : managers { notify(user, .determined(state, region)) }
    if lastReported[key] != state { actions.append(.storeRegions) }
    lastReported[key] = state
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
    if !trouble.isEmpty { notifyMonitor(key, event) }
    actions.append(.storeRegions)
    reconcile(at: now)
    if trouble.isEmpty, !permissionTrouble.isEmpty { recordState(key, .unknown, nil, at: now) }
  }

  package mutating func remove(_ identifier: String, fromMonitor name: String, at now: Duration) {
    let key = RegionKey(monitor: name, identifier)
    guard records.removeValue(forKey: key) != nil else { return }
    monitor.remove(key.text)
    actions.append(.storeRegions)
    reconcile(at: now)
  }

  private mutating func recordState(
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
    notifyMonitor(key, event)
    actions.append(.storeRegions)
  }

  private mutating func notifyMonitor(_ key: RegionKey, _ event: ConditionEvent) {
    guard let name = key.monitor else { return }
    for user in users.keys.sorted() where users[user]?.role == .monitor(name: name) {
      notify(user, .condition(event))
    }
  }

  /// Why conditions are not monitored, as far as the user decided it.
  private var permissionTrouble: ConditionTrouble {
    if !permission.isServiceOn { return .deniedGlobally }
    switch permission.authorization {
    case .notDetermined: return question == nil ? [] : .requestInProgress
    case .restricted: return .restricted
    case .denied: return .denied
    case .always, .whenInUse: return isReduced ? .accuracyLimited : []
    }
  }

  /// Notifies every monitor whose conditions are monitored under another restriction than before.
  mutating func notifyTrouble(at now: Duration) {
    for key in records.keys.sorted() {
      guard let record = records[key], record.lastEvent.state != .unmonitored else { continue }
      let known = monitor.state(of: key.text).map(ConditionState.init) ?? .unknown
      let state = permissionTrouble.isEmpty ? known : .unknown
      guard record.lastEvent.trouble != permissionTrouble else { continue }
      recordState(key, state, nil, at: now)
    }
  }
}
