import Foundation
import NearbyBeacons
import NearbyDevice
import NearbyDeviceMachine
import NearbyHome
import Synchronization

/// A condition that a monitor can observe.
public protocol CLCondition: Sendable {}

/// Whether a condition is satisfied.
public enum __CLMonitoringState: UInt, Sendable {
  /// The state is unknown.
  case unknown = 0
  /// The condition is satisfied.
  case satisfied = 1
  /// The condition is not satisfied.
  case unsatisfied = 2
  /// The condition is not being monitored.
  case unmonitored = 3
}

/// Monitors conditions and reports when they become satisfied or unsatisfied.
///
/// Monitors are identified by name. The conditions of a released monitor stay monitored, and opening a
/// monitor with the same name, even in the app's next launch, gives access to them again. An app can have at
/// most 20 conditions, including the regions of its location managers.
///
/// Source: Apple's documentation of `CLMonitor`.
public actor CLMonitor {
  /// Satisfied while a matching beacon is near.
  public struct BeaconIdentityCondition: CLCondition, Hashable {
    /// The UUID to match.
    public let uuid: UUID
    /// The major to match; `nil` matches any.
    public let major: UInt16?
    /// The minor to match; `nil` matches any.
    public let minor: UInt16?

    /// Matches any beacon with this UUID.
    public init(uuid: UUID) { (self.uuid, major, minor) = (uuid, nil, nil) }
    /// Matches any beacon with this UUID and major.
    public init(uuid: UUID, major: UInt16) { (self.uuid, self.major, minor) = (uuid, major, nil) }
    /// Matches the single beacon with this UUID, major and minor.
    public init(uuid: UUID, major: UInt16, minor: UInt16) {
      (self.uuid, self.major, self.minor) = (uuid, major, minor)
    }
  }

  /// Satisfied while the device is inside a circle on the map. Stored but never monitored, because the
  /// device's location is unknown here.
  public struct CircularGeographicCondition: CLCondition {
    /// The centre of the circle.
    public let center: CLLocationCoordinate2D
    /// The radius, in metres.
    public let radius: CLLocationDistance

    /// Creates a circle.
    public init(center: CLLocationCoordinate2D, radius: CLLocationDistance) {
      self.center = center
      self.radius = radius
    }
  }

  /// A condition became satisfied or unsatisfied, or its monitoring is impaired.
  public struct Event: Sendable {
    /// Whether a condition is satisfied.
    public typealias State = __CLMonitoringState
    /// The condition's identifier.
    public let identifier: String
    /// Whether the condition is satisfied.
    public let state: State
    /// When the state changed.
    public let date: Date
    /// The beacon that was received, if the condition matches more than one.
    public let refinement: (any CLCondition)?
    let trouble: ConditionTrouble
  }

  /// A condition and its last event.
  public struct Record: Sendable {
    /// The condition being monitored.
    public let condition: any CLCondition
    /// The last event; initially one with the state assumed when the condition was added.
    public let lastEvent: Event
  }

  /// The monitor's name.
  public let name: String
  /// The monitor's events. Events that arrive while there is no iteration are kept for the next.
  public nonisolated let events: Events
  private let service: any LocationSide
  private let user: LocationUser

  /// Opens the monitor with this name for the current device.
  public init(_ name: String) async {
    self.name = name
    let service = NearbyDevice.bound(for: "CLMonitor").location
    let events = Events(hub: MonitorHub())
    self.service = service
    self.events = events
    user = service.makeUser(events.hub, role: .monitor(name: name))
  }

  deinit {
    service.release(user)
    events.hub.end()
  }

  /// Adds a condition in unknown state, replacing any condition with the same identifier.
  public func add(_ condition: any CLCondition, identifier: String) {
    add(condition, identifier: identifier, assuming: .unknown)
  }

  /// Adds a condition and reports an event once its state differs from the assumed one.
  public func add(_ condition: any CLCondition, identifier: String, assuming state: Event.State) {
    guard let value = Condition(condition) else { return }
    let assumed = ConditionState(rawValue: state.rawValue) ?? .unknown
    service.perform { [name] machine, now in
      machine.add(value, identifier: identifier, toMonitor: name, assuming: assumed, at: now)
    }
  }

  /// Removes the condition with this identifier.
  public func remove(_ identifier: String) {
    service.perform { [name] machine, now in machine.remove(identifier, fromMonitor: name, at: now) }
  }

  /// The condition with this identifier and its last event; `nil` if there is no such condition.
  public func record(for identifier: String) -> Record? {
    service.read { [name] in $0.record(identifier, ofMonitor: name) }.map(Record.init)
  }

  /// The identifiers of all conditions, sorted.
  public var identifiers: [String] { service.read { [name] in $0.identifiers(ofMonitor: name) } }
}

extension CLMonitor.Event {
  /// Whether the user denied access.
  public var authorizationDenied: Bool { trouble.contains(.denied) }
  /// Whether the user has location services switched off.
  public var authorizationDeniedGlobally: Bool { trouble.contains(.deniedGlobally) }
  /// Whether access is restricted, so that the user cannot change it.
  public var authorizationRestricted: Bool { trouble.contains(.restricted) }
  /// Whether the user is being prompted.
  public var authorizationRequestInProgress: Bool { trouble.contains(.requestInProgress) }
  /// Whether the app is not in use in the way its authorization requires.
  public var insufficientlyInUse: Bool { trouble.contains(.insufficientlyInUse) }
  /// Whether the app is limited to approximate locations.
  public var accuracyLimited: Bool { trouble.contains(.accuracyLimited) }
  /// Whether conditions of this kind are not supported here.
  public var conditionUnsupported: Bool { trouble.contains(.unsupported) }
  /// Whether the app already has the maximum number of conditions.
  public var conditionLimitExceeded: Bool { trouble.contains(.limitExceeded) }
  /// Always false.
  public var persistenceUnavailable: Bool { false }
  /// Always false.
  public var serviceSessionRequired: Bool { false }

  init(_ event: ConditionEvent) {
    self.init(
      identifier: event.identifier, state: State(rawValue: event.state.rawValue) ?? .unknown,
      date: Date(timeIntervalSince1970: event.date),
      refinement: event.refinement.map { beacon in
        CLMonitor.BeaconIdentityCondition(
          uuid: UUID(beacon.uuid), major: beacon.major, minor: beacon.minor)
      }, trouble: event.trouble)
  }
}

extension CLMonitor.Record {
  init(_ record: ConditionRecord) {
    let condition: any CLCondition =
      switch record.condition {
      case .beacon(let it): CLMonitor.BeaconIdentityCondition(it)
      case .circle(let latitude, let longitude, let radius):
        CLMonitor.CircularGeographicCondition(
          center: CLLocationCoordinate2D(latitude: latitude, longitude: longitude), radius: radius)
      }
    self.init(condition: condition, lastEvent: CLMonitor.Event(record.lastEvent))
  }
}

extension CLMonitor.BeaconIdentityCondition {
  init(_ constraint: BeaconConstraint) {
    (uuid, major, minor) = (UUID(constraint.uuid), constraint.major, constraint.minor)
  }
}

extension Condition {
  /// Returns `nil` for a condition type that the app defines itself, because it cannot be monitored.
  init?(_ condition: any CLCondition) {
    switch condition {
    case let it as CLMonitor.BeaconIdentityCondition:
      let constraint = CLBeaconIdentityConstraint(uuid: it.uuid).value
      self = .beacon(BeaconConstraint(uuid: constraint.uuid, major: it.major, minor: it.minor))
    case let it as CLMonitor.CircularGeographicCondition:
      self = .circle(latitude: it.center.latitude, longitude: it.center.longitude, radius: it.radius)
    case _: return nil
    }
  }
}
