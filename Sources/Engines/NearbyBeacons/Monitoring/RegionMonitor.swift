/// Decides when a device has entered or left the regions that an app monitors, from the beacons that it
/// receives.
///
/// A packet proves that a beacon is near, but its absence proves little: packets get lost, bodies block them,
/// and the radio does not always listen. An exit reported too early is a door that locks behind its owner;
/// one reported too late is a light that stays on.
///
/// **Input:** regions added and removed, beacons received (`sighted`), the radio's scan switched on or off
/// (`setListening`), and the time (`timePassed`). The machine has no clock of its own. `nextDeadline` says
/// when `timePassed` must be called at the latest, unless a beacon is received first.
///
/// **Output:** each of these calls except `remove` returns actions, to be carried out in order: monitoring
/// started or refused, region entered or exited, state determined.
///
/// **States:** a region is unknown, inside or outside. The first matching beacon makes it inside. It becomes
/// outside when all matching beacons have been silent for as long as `exitRule` demands. An unknown region
/// becomes outside when `settling` passes without a matching beacon.
///
/// **Invariants:** silence is measured in listening time: while the scan is off or the program does not run,
/// nothing can be received, so no region is left. Entries, and actions of the same moment, are in the order
/// of region identifiers. Memory is bounded by `limit` regions and the statistics of `maximumBeacons`
/// beacons. A time before the last one counts as the last one.
package struct RegionMonitor: Sendable {
  struct Entry: Hashable, Sendable {
    var region: MonitoredRegion
    var state = RegionState.unknown
    /// Listening time at which the region becomes outside if no matching beacon is received before.
    var deadline: Duration
    /// Whether `requestState` is to be answered once the state is known.
    var isAsked = false
  }

  package let exitRule: ExitRule
  var entries: [Entry] = []
  private var gaps: [BeaconIdentity: GapStatistics] = [:]
  /// Listening time before `listensSince`.
  private var listened = Duration.zero
  private var listensSince: Duration?
  private var latest = Duration.zero

  /// Largest number of regions that one app may monitor.
  package static let limit = 20
  /// Listening time after which an unknown region without a beacon counts as outside.
  package static let settling = Duration.seconds(10)
  /// Largest number of beacons with gap statistics; the one that has been silent longest is dropped.
  private static let maximumBeacons = 512

  package init(exitRule: ExitRule = .usual) { self.exitRule = exitRule }

  /// In the order of their identifiers.
  package var regions: [MonitoredRegion] { entries.map(\.region) }
  package var isListening: Bool { listensSince != nil }

  /// Returns `nil` if the region is not monitored.
  package func state(of identifier: String) -> RegionState? {
    entries.first { $0.region.identifier == identifier }?.state
  }

  // MARK: Regions

  /// Monitors a region, replacing one with the same identifier. The state is kept if the constraint is the
  /// same and `state` is unknown.
  ///
  /// - Parameter state: The state the region is assumed to be in, without any action for it.
  package mutating func add(
    _ region: MonitoredRegion, assuming state: RegionState = .unknown, at time: Duration
  ) -> [RegionAction] {
    advance(to: time)
    let deadline = listening(at: time) + (state == .inside ? initialDelay : Self.settling)
    if let place = place(of: region.identifier) {
      if entries[place].region.constraint == region.constraint, state == .unknown {
        entries[place].region = region
      } else {
        entries[place] = Entry(region: region, state: state, deadline: deadline)
      }
      return [.started(identifier: region.identifier)]
    }
    guard entries.count < Self.limit else { return [.limitReached(identifier: region.identifier)] }
    entries.append(Entry(region: region, state: state, deadline: deadline))
    entries.sort { $0.region.identifier < $1.region.identifier }
    return [.started(identifier: region.identifier)]
  }

  /// - Returns: Whether the region was monitored.
  @discardableResult
  package mutating func remove(_ identifier: String) -> Bool {
    guard let place = place(of: identifier) else { return false }
    entries.remove(at: place)
    gaps = gaps.filter { beacon, _ in entries.contains { $0.region.constraint.isSatisfied(by: beacon) } }
    return true
  }

  /// Requests a region's state. It is answered at once if the state is known or the scan is off, and
  /// otherwise with the first matching beacon or after enough silence.
  package mutating func requestState(of identifier: String, at time: Duration) -> [RegionAction] {
    let actions = timePassed(at: time)
    guard let place = place(of: identifier) else { return actions }
    let state = entries[place].state
    if state == .unknown, isListening {
      entries[place].isAsked = true
      return actions
    }
    return actions + [.determined(identifier: identifier, state)]
  }

  // MARK: Events

  /// Switches the radio's scan on or off.
  package mutating func setListening(_ listens: Bool, at time: Duration) -> [RegionAction] {
    let actions = timePassed(at: time)
    guard listens != isListening else { return actions }
    if let since = listensSince {
      listened += latest - since
      listensSince = nil
      // Answer open requests now: nothing can be received while the scan is off.
      return actions + answerAsked()
    }
    listensSince = latest
    return actions
  }

  /// Receives a beacon. One that arrives while the scan is off is a late report and counts all the same.
  package mutating func sighted(_ beacon: BeaconIdentity, at time: Duration) -> [RegionAction] {
    var actions = timePassed(at: time)
    guard entries.contains(where: { $0.region.constraint.isSatisfied(by: beacon) }) else { return actions }
    let now = listening(at: latest)
    let deadline = now + exitDelay(of: beacon, at: now)
    for index in entries.indices where entries[index].region.constraint.isSatisfied(by: beacon) {
      let wasInside = entries[index].state == .inside
      entries[index].deadline = wasInside ? max(entries[index].deadline, deadline) : deadline
      guard !wasInside else { continue }
      let identifier = entries[index].region.identifier
      entries[index].state = .inside
      entries[index].isAsked = false
      if entries[index].region.notifiesOnEntry {
        actions.append(.entered(identifier: identifier, beacon: beacon))
      }
      actions.append(.determined(identifier: identifier, .inside))
    }
    return actions
  }

  /// Advances the time and returns the exits that are due, in the order of identifiers.
  package mutating func timePassed(at time: Duration) -> [RegionAction] {
    advance(to: time)
    let now = listening(at: latest)
    var actions: [RegionAction] = []
    for index in entries.indices where entries[index].state != .outside && entries[index].deadline <= now {
      let identifier = entries[index].region.identifier
      let wasInside = entries[index].state == .inside
      entries[index].state = .outside
      entries[index].isAsked = false
      if wasInside, entries[index].region.notifiesOnExit { actions.append(.exited(identifier: identifier)) }
      actions.append(.determined(identifier: identifier, .outside))
    }
    return actions
  }

  /// When `timePassed` is due if no beacon is received before; `nil` if nothing can become due or the scan is
  /// off.
  package var nextDeadline: Duration? {
    guard let since = listensSince else { return nil }
    let due = entries.filter { $0.state != .outside }.map(\.deadline).min()
    return due.map { since + ($0 - listened) }
  }

  // MARK: Helpers

  /// A time before the last one counts as the last one.
  private mutating func advance(to time: Duration) { latest = max(latest, time) }

  /// Total listening time.
  private func listening(at time: Duration) -> Duration {
    listened + (listensSince.map { max(latest, time) - $0 } ?? .zero)
  }

  /// Total listening time at the latest event, the scale of all deadlines.
  var listenedSoFar: Duration { listening(at: latest) }

  private func place(of identifier: String) -> Int? {
    entries.firstIndex { $0.region.identifier == identifier }
  }

  private var initialDelay: Duration {
    switch exitRule {
    case .fixed(let delay): delay
    case .learned: .seconds(30)
    }
  }

  private mutating func exitDelay(of beacon: BeaconIdentity, at now: Duration) -> Duration {
    guard exitRule == .learned else { return initialDelay }
    if gaps[beacon] == nil, gaps.count >= Self.maximumBeacons, let oldest = silentLongest {
      gaps[oldest] = nil
    }
    gaps[beacon, default: GapStatistics(at: now)].addReport(at: now)
    return gaps[beacon]?.exitDelay ?? initialDelay
  }

  private var silentLongest: BeaconIdentity? {
    gaps.min { ($0.value.lastHeard, $0.key) < ($1.value.lastHeard, $1.key) }?.key
  }

  private mutating func answerAsked() -> [RegionAction] {
    var actions: [RegionAction] = []
    for index in entries.indices where entries[index].isAsked {
      entries[index].isAsked = false
      actions.append(.determined(identifier: entries[index].region.identifier, entries[index].state))
    }
    return actions
  }
}
