import NearbyBeacons
import NearbyBluetooth

/// What is kept of an app's regions and conditions between its launches.
package struct StoredLocation: Hashable, Sendable, Codable {
  /// `RegionMonitor.snapshot`; empty for none.
  package var regions: [UInt8] = []
  package var conditions: [StoredCondition] = []

  package init() {}

  init(regions: [UInt8], records: [RegionKey: ConditionRecord]) {
    self.regions = regions
    conditions = records.keys.sorted().compactMap { key in
      records[key].map { StoredCondition(key, $0) }
    }
  }

  /// The conditions, except those whose region should be monitored and is not among `watched`.
  func conditions(watched: Set<String>) -> [RegionKey: ConditionRecord] {
    var records: [RegionKey: ConditionRecord] = [:]
    for stored in conditions {
      let key = RegionKey(monitor: stored.monitor, stored.identifier)
      guard let record = stored.record else { continue }
      let isWatched = record.lastEvent.state != .unmonitored
      if !isWatched || watched.contains(key.text) { records[key] = record }
    }
    return records
  }
}

/// One condition of a monitor, and its last event.
package struct StoredCondition: Hashable, Sendable, Codable {
  struct Circle: Hashable, Sendable, Codable {
    var latitude: Double
    var longitude: Double
    var radius: Double
  }

  struct Beacon: Hashable, Sendable, Codable {
    var uuid: String
    var major: UInt16?
    var minor: UInt16?

    var constraint: BeaconConstraint? {
      BluetoothUUID(uuid).map { BeaconConstraint(uuid: $0, major: major, minor: minor) }
    }

    var identity: BeaconIdentity? {
      guard let uuid = BluetoothUUID(uuid), let major, let minor else { return nil }
      return BeaconIdentity(uuid: uuid, major: major, minor: minor)
    }
  }

  var monitor: String
  var identifier: String
  var beacon: Beacon?
  var circle: Circle?
  var state: ConditionState
  var date: Double
  var refinement: Beacon?
  var trouble: ConditionTrouble

  init(_ key: RegionKey, _ record: ConditionRecord) {
    monitor = key.monitor ?? ""
    identifier = key.identifier
    switch record.condition {
    case .beacon(let it): beacon = Beacon(uuid: "\(it.uuid)", major: it.major, minor: it.minor)
    case .circle(let latitude, let longitude, let radius):
      circle = Circle(latitude: latitude, longitude: longitude, radius: radius)
    }
    let event = record.lastEvent
    state = event.state
    date = event.date
    refinement = event.refinement.map { Beacon(uuid: "\($0.uuid)", major: $0.major, minor: $0.minor) }
    trouble = event.trouble
  }

  /// `nil` for content that no monitor writes.
  var record: ConditionRecord? {
    let condition: Condition? =
      beacon?.constraint.map { .beacon($0) }
      ?? circle.map { .circle(latitude: $0.latitude, longitude: $0.longitude, radius: $0.radius) }
    guard let condition else { return nil }
    let event = ConditionEvent(
      identifier: identifier, state: state, date: date, refinement: refinement?.identity, trouble: trouble)
    return ConditionRecord(condition: condition, lastEvent: event)
  }
}
