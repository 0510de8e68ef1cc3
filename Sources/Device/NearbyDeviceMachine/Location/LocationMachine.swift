import NearbyBeacons
import NearbyBluetooth

/// The location side of one launch of an app: permission, ranging of beacons, and monitoring of regions and
/// conditions.
///
/// Pure: requests of the app, answers of its user, events of Bluetooth and the time go in, actions come out.
/// Call `timePassed` at `nextWake`.
package struct LocationMachine: Sendable {
  /// What the shell must do, in order.
  package enum Action: Sendable, Equatable {
    case notify(LocationUser, LocationEvent)
    /// Start, change or stop the scan, as `scan` says.
    case scan
    case ask(LocationQuestion)
    /// The regions, or what is known of them, changed: save `stored`.
    case storeRegions
    case storePermission(LocationPermission)
    /// A message for the app's author.
    case notice(String)
  }

  /// Which advertisements are needed.
  package enum Scan: Sendable {
    case none
    /// Each advertisement of each sender once.
    case changes
    /// All, as for ranging.
    case repeated
  }

  struct User: Sendable {
    var role: LocationRole
    /// In the order of their start.
    var constraints: [BeaconConstraint] = []
    /// The failure that the user was notified of, for each constraint that cannot be ranged.
    var failures: [BeaconConstraint: LocationFailure] = [:]
    /// Asked for the device's place before the permission was known; gets an error once it is.
    var wantsLocation = false
  }

  var users: [LocationUser: User] = [:]
  /// Users that this launch and earlier ones made. Set it from the launch before, so that no two users of a
  /// device are equal.
  package var usersMade = 0
  package internal(set) var permission: LocationPermission
  package var usage: LocationUsage
  var bluetooth = BluetoothState.unknown
  package var isInForeground = true
  var ranger = BeaconRanger()
  var monitor: RegionMonitor
  var records: [RegionKey: ConditionRecord] = [:]
  /// The state of each region that the managers were last notified of.
  var lastReported: [RegionKey: RegionState] = [:]
  var actions: [Action] = []
  /// The users that asked for a region's state and wait for it.
  var requesters: [RegionKey: Set<LocationUser>] = [:]
  /// The question that is open.
  package internal(set) var question: LocationQuestion?
  var wantsAlways = false
  /// When the permission last changed, unless the device's machine has asked since.
  var authorizationChange: Duration?
  /// What sessions need of the advertisements of anchors.
  package private(set) var anchorScan = Scan.none
  var accuracyRequests: [(user: LocationUser, request: Int)] = []
  /// Until then an app in the background may range, since it entered or left a region.
  var rangesInBackgroundUntil: Duration?
  package private(set) var scan = Scan.none
  /// Seconds since 1970 at the device's time zero.
  package let dateAtZero: Double

  /// Time that an app in the background has after it entered or left a region.
  /// Our choice: Apple publishes no number.
  static let backgroundTime = Duration.seconds(10)

  package init(
    permission: LocationPermission, usage: LocationUsage, stored: StoredLocation, dateAtZero: Double,
    at now: Duration
  ) {
    self.permission = permission
    self.usage = usage
    self.dateAtZero = dateAtZero
    monitor = RegionMonitor()
    if !stored.regions.isEmpty {
      do throws(SnapshotError) {
        monitor = try RegionMonitor(snapshot: stored.regions, at: now)
      } catch {
        actions.append(.notice("the regions that were watched cannot be read: \(error)"))
      }
    }
    records = stored.conditions(watched: Set(monitor.regions.map(\.identifier)))
    for region in monitor.regions {
      if let key = RegionKey(text: region.identifier) {
        lastReported[key] = monitor.state(of: region.identifier)
      }
    }
  }

  /// Changes the machine where it is stored.
  mutating func update<Result>(_ body: (inout Self) -> Result) -> Result { body(&self) }

  package mutating func takeActions() -> [Action] {
    defer { actions = [] }
    return actions
  }

  /// What the next launch of the app starts from.
  package var stored: StoredLocation { StoredLocation(regions: monitor.snapshot, records: records) }

  // MARK: Users

  package mutating func makeUser(_ role: LocationRole, at now: Duration) -> LocationUser {
    usersMade += 1
    let user = LocationUser(number: usersMade)
    users[user] = User(role: role)
    if role == .manager {
      notify(user, .authorization(reported, isReduced: isReduced))
    }
    reconcile(at: now)
    return user
  }

  package mutating func release(_ user: LocationUser, at now: Duration) {
    users[user] = nil
    for key in requesters.keys { requesters[key]?.remove(user) }
    accuracyRequests.removeAll { $0.user == user }
    reconcile(at: now)
  }

  var managers: [LocationUser] { users.keys.filter { users[$0]?.role == .manager }.sorted() }

  mutating func notify(_ user: LocationUser, _ event: LocationEvent) { actions.append(.notify(user, event)) }

  mutating func notifyManagers(_ event: LocationEvent) { for user in managers { notify(user, event) } }

  func date(_ time: Duration) -> Double { dateAtZero + time / .seconds(1) }

  /// Returns and clears the time at which the permission changed.
  mutating func takeAuthorizationChange() -> Duration? { authorizationChange.take() }

  /// Sets what sessions need of the advertisements of anchors.
  mutating func scanForAnchors(_ scan: Scan, at now: Duration) {
    anchorScan = scan
    reconcile(at: now)
  }

  // MARK: Events

  package mutating func received(_ event: BluetoothEvent, at now: Duration) {
    switch event {
    case .state(let state):
      bluetooth = state
      // The scan that was started before may have been refused.
      scan = .none
      reconcile(at: now)
    case .sighted(let sighting): sighted(sighting, at: now)
    case _: break
    }
  }

  private mutating func sighted(_ sighting: BluetoothSighting, at now: Duration) {
    let time = min(sighting.time, now)
    for data in sighting.advertisement.manufacturerData where data.company == IBeacon.company {
      guard let beacon = IBeacon(manufacturerOctets: data.octets) else { continue }
      ranger.received(
        BeaconSighting(
          identity: beacon.identity, source: BeaconSource(high: sighting.peer.high, low: sighting.peer.low),
          measuredPower: Int(beacon.measuredPower), rssi: sighting.rssi, time: time))
      if monitor.isListening { receive(monitor.sighted(beacon.identity, at: time), at: now) }
    }
  }

  package mutating func setForeground(_ isInForeground: Bool, at now: Duration) {
    self.isInForeground = isInForeground
    rangesInBackgroundUntil = nil
    reconcile(at: now)
  }

  package mutating func timePassed(at now: Duration) {
    receive(monitor.timePassed(at: now), at: now)
    for report in ranger.timePassed(at: now) {
      for user in managers where users[user]?.constraints.contains(report.constraint) == true {
        notify(user, .ranged(report))
      }
    }
    if let until = rangesInBackgroundUntil, until <= now {
      rangesInBackgroundUntil = nil
      reconcile(at: now)
    }
  }

  package var nextWake: Duration? {
    [ranger.nextReport, monitor.nextDeadline, rangesInBackgroundUntil].compactMap(\.self).min()
  }

  // MARK: Reconciling

  /// What apps see: location services that are off count as denied.
  package var reported: LocationAuthorization {
    permission.isServiceOn ? permission.authorization : .denied
  }

  package var isReduced: Bool { permission.isReduced && !permission.isFullForNow }

  var mayMonitor: Bool {
    guard !isReduced else { return false }
    return reported == .always || reported == .whenInUse && isInForeground
  }

  var mayRange: Bool {
    guard reported.isGranted, !isReduced else { return false }
    return isInForeground || reported == .always && rangesInBackgroundUntil != nil
  }

  /// Brings ranging, monitoring and the scan in line with what is wanted and allowed.
  mutating func reconcile(at now: Duration) {
    reconcileRanging(at: now)
    let watches = mayMonitor && !monitor.regions.isEmpty
    let ranges = users.values.contains { !$0.constraints.isEmpty }
    var wanted = mayRange ? anchorScan : .none
    if watches || mayRange && ranges { wanted = .repeated }
    // Scan even while the adapter's state is unknown: only a user of Bluetooth is notified of it.
    if bluetooth != .poweredOn && bluetooth != .unknown { wanted = .none }
    if wanted != scan {
      scan = wanted
      actions.append(.scan)
    }
    receive(monitor.setListening(watches && bluetooth == .poweredOn, at: now), at: now)
  }
}

extension IBeacon {
  /// Reads the octets behind the company id: type 02, length 15 hex, then the beacon.
  init?(manufacturerOctets octets: [UInt8]) {
    guard octets.count == Self.size + 2, octets[0] == 0x02, octets[1] == UInt8(Self.size) else { return nil }
    self.init(octets: octets.span.extracting(2..<octets.count))
  }
}
