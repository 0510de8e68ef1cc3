import NearbyBeacons

/// A reference region monitor, slow and obviously correct: it keeps the whole history and evaluates it each
/// time.
struct ObviousRegions {
  enum Event {
    case heard(BeaconIdentity)
    case listening(Bool)
  }
  struct Watched {
    var region: MonitoredRegion
    var state: RegionState
    /// Silence counts from here if no packet is received.
    var since: Duration
    var delay: Duration
    var isAsked = false
  }

  let exitDelay: Duration
  private(set) var watched: [String: Watched] = [:]
  private var history: [(time: Duration, event: Event)] = []

  init(exitDelay: Duration) { self.exitDelay = exitDelay }

  /// How long the scanner ran between two times: a sum over all changes.
  private func listened(from start: Duration, to end: Duration) -> Duration {
    var (sum, isOn, since) = (Duration.zero, false, Duration.zero)
    for (time, event) in history {
      guard case .listening(let on) = event else { continue }
      if isOn { sum += max(min(time, end) - max(since, start), .zero) }
      (isOn, since) = (on, time)
    }
    if isOn { sum += max(end - max(since, start), .zero) }
    return sum
  }

  var isListening: Bool {
    for (_, event) in history.reversed() {
      if case .listening(let on) = event { return on }
    }
    return false
  }

  /// The exits that are due.
  mutating func passed(_ time: Duration) -> [RegionAction] {
    var actions: [RegionAction] = []
    for name in watched.keys.sorted() {
      guard var one = watched[name], one.state != .outside,
        listened(from: one.since, to: time) >= one.delay
      else { continue }
      if one.state == .inside, one.region.notifiesOnExit { actions.append(.exited(identifier: name)) }
      actions.append(.determined(identifier: name, .outside))
      one.state = .outside
      one.isAsked = false
      watched[name] = one
    }
    return actions
  }

  mutating func add(_ region: MonitoredRegion, at time: Duration) -> [RegionAction] {
    if let old = watched[region.identifier], old.region.constraint == region.constraint {
      watched[region.identifier]?.region = region
    } else if watched[region.identifier] == nil, watched.count == 20 {
      return [.limitReached(identifier: region.identifier)]
    } else {
      watched[region.identifier] = Watched(region: region, state: .unknown, since: time, delay: .seconds(10))
    }
    return [.started(identifier: region.identifier)]
  }

  mutating func remove(_ name: String) -> Bool { watched.removeValue(forKey: name) != nil }

  mutating func ask(_ name: String, at time: Duration) -> [RegionAction] {
    let actions = passed(time)
    guard let one = watched[name] else { return actions }
    if one.state == .unknown, isListening {
      watched[name]?.isAsked = true
      return actions
    }
    return actions + [.determined(identifier: name, one.state)]
  }

  mutating func listen(_ on: Bool, at time: Duration) -> [RegionAction] {
    var actions = passed(time)
    if !on, isListening {
      for name in watched.keys.sorted() where watched[name]?.isAsked == true {
        watched[name]?.isAsked = false
        actions.append(.determined(identifier: name, .unknown))
      }
    }
    history.append((time, .listening(on)))
    return actions
  }

  mutating func hear(_ beacon: BeaconIdentity, at time: Duration) -> [RegionAction] {
    var actions = passed(time)
    history.append((time, .heard(beacon)))
    for name in watched.keys.sorted() {
      guard var one = watched[name], one.region.constraint.isSatisfied(by: beacon) else { continue }
      if one.state != .inside {
        if one.region.notifiesOnEntry { actions.append(.entered(identifier: name, beacon: beacon)) }
        actions.append(.determined(identifier: name, .inside))
      }
      one.state = .inside
      one.isAsked = false
      (one.since, one.delay) = (time, exitDelay)
      watched[name] = one
    }
    return actions
  }
}
