/// Decides when a device has entered or left the regions that an app monitors, from the beacons that it receives.
///
/// A packet proves that a beacon is near, but its absence proves little: packets get lost, bodies block them, and the
/// radio does not always listen. An exit that is reported too early is a door that locks behind its owner's back, one
/// that is too late is a light that stays on.
///
/// **Input:** regions added and removed, beacons received (`sighted`), the radio's scan switched on or off
/// (`setListening`), and the time (`timePassed`). The machine has no clock of its own: `nextDeadline` is when
/// `timePassed` must be called at the latest, as long as no beacon is received before.
///
/// **Output:** each of these calls returns actions, to be carried out in order: monitoring started, entered, exited,
/// state determined.
///
/// **States:** a region is unknown, inside or outside. The first beacon that matches makes it inside. It becomes outside
/// when all beacons that match have been silent for the time that `exitRule` gives, and an unknown one when `settling`
/// has passed without any.
///
/// **Invariants:** silence is measured in time of listening: while the scan is off or the program does not run, nothing
/// can be received and no region is left. Entries are in the order of their identifiers, and so are actions of one time.
/// Memory is bounded: `limit` regions, and statistics of `maximumBeacons` beacons. A time before the last one counts as
/// the last one.
package struct RegionMonitor: Sendable {
  struct Entry: Hashable, Sendable {
    var region: MonitoredRegion
    var state = RegionState.unknown
    /// When it is outside if nothing more is heard, in time of listening.
    var deadline: Duration
    /// `requestState` came before anything was known.
    var isAsked = false
  }

  package let exitRule: ExitRule
  var entries: [Entry] = []
  private var gaps: [BeaconIdentity: GapStatistics] = [:]
  /// What was listened before `listensSince`.
  private var listened = Duration.zero
  private var listensSince: Duration?
  private var latest = Duration.zero

  /// Regions that one app may watch.
  package static let limit = 20
  /// Listening after which a region that was never heard is one that we are not in.
  package static let settling = Duration.seconds(10)
  /// Beacons whose gaps are kept; the one silent for longest makes room.
  private static let maximumBeacons = 512

  package init(exitRule: ExitRule = .usual) { self.exitRule = exitRule }

  /// In the order of their names.
  package var regions: [MonitoredRegion] { entries.map(\.region) }
  package var isListening: Bool { listensSince != nil }

  /// `nil` where it is not watched.
  package func state(of identifier: String) -> RegionState? {
    entries.first { $0.region.identifier == identifier }?.state
  }

  // MARK: What an app wants

  /// Watches a region; one of the same identifier is replaced, and begins anew if it means other beacons.
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

  /// - Returns: Whether it was watched.
  @discardableResult
  package mutating func remove(_ identifier: String) -> Bool {
    guard let place = place(of: identifier) else { return false }
    entries.remove(at: place)
    gaps = gaps.filter { beacon, _ in entries.contains { $0.region.constraint.isSatisfied(by: beacon) } }
    return true
  }

  /// Asks for a region's state. The answer comes at once where it is known, or where nothing can be heard;
  /// else when the first beacon or enough silence tells.
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

  // MARK: What happens

  /// The radio begins to listen, or ceases to.
  package mutating func setListening(_ listens: Bool, at time: Duration) -> [RegionAction] {
    let actions = timePassed(at: time)
    guard listens != isListening else { return actions }
    if let since = listensSince {
      listened += latest - since
      listensSince = nil
      // Who asked would wait for as long as it stays off.
      return actions + answerAsked()
    }
    listensSince = latest
    return actions
  }

  /// A beacon was heard. While nothing listens that is a late message, and counts all the same.
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

  /// Time went by: exits that are due, in the order of names.
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

  /// When something is due if nothing is heard until then; `nil` where nothing is, or nobody listens.
  package var nextDeadline: Duration? {
    guard let since = listensSince else { return nil }
    let due = entries.filter { $0.state != .outside }.map(\.deadline).min()
    return due.map { since + ($0 - listened) }
  }

  // MARK: Parts

  /// Clocks that step back stand still.
  private mutating func advance(to time: Duration) { latest = max(latest, time) }

  /// How long it has listened.
  private func listening(at time: Duration) -> Duration {
    listened + (listensSince.map { max(latest, time) - $0 } ?? .zero)
  }

  /// Listened until now: what deadlines are measured in.
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
    gaps[beacon, default: GapStatistics(at: now)].take(at: now)
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
