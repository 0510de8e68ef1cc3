import NearbyBeacons
import NearbyBluetooth

/// The location side of one launch of an app: who may know what, ranging and watching regions over time.
///
/// Events and the time in, actions out. `nextWake` says when `timePassed` wants to be called.
package struct LocationMachine: Sendable {
  package enum Action: Sendable {
    case tell(LocationUser, LocationEvent)
    /// Has the radio listen, or no longer, as `isScanning` says.
    case scan
    case ask(LocationQuestion)
    /// The regions, or what is known of them, changed: `stored` is to be kept.
    case storeRegions
    case storePermission(LocationPermission)
    /// Something that the app's author should know.
    case notice(String)
  }

  struct User: Sendable {
    var role: LocationRole
    /// In the order of their start.
    var constraints: [BeaconConstraint] = []
    /// What was told of each constraint that cannot be ranged.
    var told: [BeaconConstraint: LocationFailure] = [:]
    /// Who has the device's place or heading wants to be told, of which there are none.
    var wantsLocation = false
  }

  var users: [LocationUser: User] = [:]
  private var lastUser = 0
  package internal(set) var permission: LocationPermission
  package var usage: LocationUsage
  var bluetooth = BluetoothState.unknown
  package var isInForeground = true
  var ranger = BeaconRanger()
  var monitor: RegionMonitor
  var records: [RegionKey: ConditionRecord] = [:]
  /// Of the regions: what the managers know.
  var lastTold: [RegionKey: RegionState] = [:]
  var actions: [Action] = []
  /// Who asked for a region's state and waits.
  var askers: [RegionKey: Set<LocationUser>] = [:]
  /// The question that is open.
  package internal(set) var question: LocationQuestion?
  var wantsAlways = false
  var accuracyRequests: [(user: LocationUser, request: Int)] = []
  /// For so long a background app may range after it entered or left a region.
  var rangesInBackgroundUntil: Duration?
  package private(set) var isScanning = false
  /// Seconds since 1970 at the device's time zero.
  package let dateAtZero: Double

  /// What a background app may do after a region's border was crossed.
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
      if let key = RegionKey(text: region.identifier) { lastTold[key] = monitor.state(of: region.identifier) }
    }
  }

  package mutating func takeActions() -> [Action] {
    defer { actions = [] }
    return actions
  }

  /// What the next launch of the app takes up.
  package var stored: StoredLocation { StoredLocation(regions: monitor.snapshot, records: records) }

  // MARK: Users

  package mutating func makeUser(_ role: LocationRole, at now: Duration) -> LocationUser {
    lastUser += 1
    let user = LocationUser(number: lastUser)
    users[user] = User(role: role)
    if role == .manager {
      tell(user, .authorization(reported, isReduced: isReduced))
    }
    settle(at: now)
    return user
  }

  package mutating func release(_ user: LocationUser, at now: Duration) {
    users[user] = nil
    for key in askers.keys { askers[key]?.remove(user) }
    accuracyRequests.removeAll { $0.user == user }
    settle(at: now)
  }

  var managers: [LocationUser] { users.keys.filter { users[$0]?.role == .manager }.sorted() }

  mutating func tell(_ user: LocationUser, _ event: LocationEvent) { actions.append(.tell(user, event)) }

  mutating func tellManagers(_ event: LocationEvent) { for user in managers { tell(user, event) } }

  func date(_ time: Duration) -> Double { dateAtZero + time / .seconds(1) }

  // MARK: What happens

  package mutating func received(_ event: BluetoothEvent, at now: Duration) {
    switch event {
    case .state(let state):
      bluetooth = state
      // What was asked for before may have been refused.
      isScanning = false
      settle(at: now)
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
      if monitor.isListening { take(monitor.sighted(beacon.identity, at: time), at: now) }
    }
  }

  package mutating func setForeground(_ isInForeground: Bool, at now: Duration) {
    self.isInForeground = isInForeground
    rangesInBackgroundUntil = nil
    settle(at: now)
  }

  package mutating func timePassed(at now: Duration) {
    take(monitor.timePassed(at: now), at: now)
    for report in ranger.timePassed(at: now) {
      for user in managers where users[user]?.constraints.contains(report.constraint) == true {
        tell(user, .ranged(report))
      }
    }
    if let until = rangesInBackgroundUntil, until <= now {
      rangesInBackgroundUntil = nil
      settle(at: now)
    }
  }

  package var nextWake: Duration? {
    [ranger.nextReport, monitor.nextDeadline, rangesInBackgroundUntil].compactMap(\.self).min()
  }

  // MARK: Settling

  /// As apps are told it: services that are off are a refusal.
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

  /// Brings ranging, watching and the radio in line with what is wanted and allowed.
  mutating func settle(at now: Duration) {
    settleRanging(at: now)
    let watches = mayMonitor && !monitor.regions.isEmpty
    let wants = watches || mayRange && users.values.contains { !$0.constraints.isEmpty }
    // The radio is asked for before it is known whether it has power: its state comes to who asked.
    let scans = wants && (bluetooth == .poweredOn || bluetooth == .unknown)
    if scans != isScanning {
      isScanning = scans
      actions.append(.scan)
    }
    take(monitor.setListening(watches && bluetooth == .poweredOn, at: now), at: now)
  }
}

extension IBeacon {
  /// Reads what stands behind the company.
  init?(manufacturerOctets octets: [UInt8]) {
    guard octets.count == Self.size + 2, octets[0] == 0x02, octets[1] == UInt8(Self.size) else { return nil }
    self.init(octets: octets.span.extracting(2..<octets.count))
  }
}
