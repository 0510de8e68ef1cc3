import Foundation
import NearbyBeacons
import NearbyDevice
import NearbyDeviceMachine
import NearbyHome
import Synchronization

/// Something that a monitor watches for.
public protocol CLCondition: Sendable {}

/// Whether a condition holds.
public enum __CLMonitoringState: UInt, Sendable {
  /// Not known.
  case unknown = 0
  /// It holds.
  case satisfied = 1
  /// It does not.
  case unsatisfied = 2
  /// It is not watched.
  case unmonitored = 3
}

/// Watches conditions, and tells as they come to hold and no longer hold.
///
/// Monitors go by their names: what one of a name watched goes on being watched, and one of the same name in the
/// app's next launch finds it. At most 20 conditions an app, regions of location managers included.
///
/// Source: `facts/corelocation.md`, section 5.
public actor CLMonitor {
  /// Certain beacons are near.
  public struct BeaconIdentityCondition: CLCondition, Hashable {
    /// Whose beacons.
    public let uuid: UUID
    /// `nil` is any.
    public let major: UInt16?
    /// `nil` is any.
    public let minor: UInt16?

    /// Any beacon of a UUID.
    public init(uuid: UUID) { (self.uuid, major, minor) = (uuid, nil, nil) }
    /// Any of one major.
    public init(uuid: UUID, major: UInt16) { (self.uuid, self.major, minor) = (uuid, major, nil) }
    /// A single one.
    public init(uuid: UUID, major: UInt16, minor: UInt16) {
      (self.uuid, self.major, self.minor) = (uuid, major, minor)
    }
  }

  /// The device is in a circle on the map: kept, and not watched, for nothing here knows where a device is.
  public struct CircularGeographicCondition: CLCondition {
    /// Its middle.
    public let center: CLLocationCoordinate2D
    /// Metres.
    public let radius: CLLocationDistance

    /// Makes a circle.
    public init(center: CLLocationCoordinate2D, radius: CLLocationDistance) {
      self.center = center
      self.radius = radius
    }
  }

  /// A condition came to hold or no longer holds, or cannot be watched as it should.
  public struct Event: Sendable {
    /// Whether a condition holds.
    public typealias State = __CLMonitoringState
    /// The condition's name.
    public let identifier: String
    /// Whether it holds.
    public let state: State
    /// When that came about.
    public let date: Date
    /// The beacon that was heard, where the condition leaves open which.
    public let refinement: (any CLCondition)?
    let trouble: ConditionTrouble
  }

  /// A condition and what was last told of it.
  public struct Record: Sendable {
    /// What is watched for.
    public let condition: any CLCondition
    /// At first of the state that the condition was added with.
    public let lastEvent: Event
  }

  /// The name it goes by.
  public let name: String
  /// What happens, as it happens. Events that came before the first look wait for it.
  public nonisolated let events: Events
  private let service: any LocationSide
  private let user: LocationUser

  /// Opens the monitor of a name, of the device that is current.
  public init(_ name: String) async {
    self.name = name
    let service = NearbyDevice.bound.location
    let events = Events(hub: MonitorHub())
    self.service = service
    self.events = events
    user = service.makeUser(events.hub, role: .monitor(name: name))
  }

  deinit {
    service.release(user)
    events.hub.end()
  }

  /// Watches for a condition of whose state nothing is known, in place of one of the same name.
  public func add(_ condition: any CLCondition, identifier: String) {
    add(condition, identifier: identifier, assuming: .unknown)
  }

  /// Watches for a condition; what is told is what differs from what is assumed.
  public func add(_ condition: any CLCondition, identifier: String, assuming state: Event.State) {
    guard let value = Condition(condition) else { return }
    let assumed = ConditionState(rawValue: state.rawValue) ?? .unknown
    service.perform { [name] machine, now in
      machine.add(value, identifier: identifier, toMonitor: name, assuming: assumed, at: now)
    }
  }

  /// Watches for the condition of that name no longer.
  public func remove(_ identifier: String) {
    service.perform { [name] machine, now in machine.remove(identifier, fromMonitor: name, at: now) }
  }

  /// A condition and what was last told of it; `nil` for a name that is not here.
  public func record(for identifier: String) -> Record? {
    service.read { [name] in $0.record(identifier, ofMonitor: name) }.map(Record.init)
  }

  /// The conditions' names, in order.
  public var identifiers: [String] { service.read { [name] in $0.identifiers(ofMonitor: name) } }
}

extension CLMonitor.Event {
  /// The user does not allow it.
  public var authorizationDenied: Bool { trouble.contains(.denied) }
  /// The user has location services off.
  public var authorizationDeniedGlobally: Bool { trouble.contains(.deniedGlobally) }
  /// It is not this user's to say.
  public var authorizationRestricted: Bool { trouble.contains(.restricted) }
  /// The user is being asked.
  public var authorizationRequestInProgress: Bool { trouble.contains(.requestInProgress) }
  /// The app is not in use as it has to be.
  public var insufficientlyInUse: Bool { trouble.contains(.insufficientlyInUse) }
  /// The user allows rough places only.
  public var accuracyLimited: Bool { trouble.contains(.accuracyLimited) }
  /// Conditions of this kind are not watched here.
  public var conditionUnsupported: Bool { trouble.contains(.unsupported) }
  /// There are as many as there can be.
  public var conditionLimitExceeded: Bool { trouble.contains(.limitExceeded) }
  /// Never here.
  public var persistenceUnavailable: Bool { false }
  /// Never here.
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
  /// `nil` for a condition of an app's own kind, which nobody could watch.
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
