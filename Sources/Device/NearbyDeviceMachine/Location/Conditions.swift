import NearbyBeacons
import NearbyBluetooth

/// A condition that a monitor monitors.
package enum Condition: Hashable, Sendable {
  case beacon(BeaconConstraint)
  /// Degrees, metres. Kept and never monitored: no source of the device's place exists here.
  case circle(latitude: Double, longitude: Double, radius: Double)
}

/// Whether a condition holds. Raw values are those of Apple's `CLMonitor.Event.State`.
package enum ConditionState: UInt, Sendable, Codable {
  case unknown = 0
  case satisfied, unsatisfied, unmonitored

  init(_ state: RegionState) {
    switch state {
    case .unknown: self = .unknown
    case .inside: self = .satisfied
    case .outside: self = .unsatisfied
    }
  }

  var regionState: RegionState {
    switch self {
    case .unknown, .unmonitored: .unknown
    case .satisfied: .inside
    case .unsatisfied: .outside
    }
  }
}

/// Why a condition is not monitored as it should be.
package struct ConditionTrouble: OptionSet, Hashable, Sendable, Codable {
  package let rawValue: UInt16
  package init(rawValue: UInt16) { self.rawValue = rawValue }
  package static let denied = Self(rawValue: 1 << 0)
  package static let deniedGlobally = Self(rawValue: 1 << 1)
  package static let restricted = Self(rawValue: 1 << 2)
  package static let requestInProgress = Self(rawValue: 1 << 3)
  package static let insufficientlyInUse = Self(rawValue: 1 << 4)
  package static let accuracyLimited = Self(rawValue: 1 << 5)
  package static let unsupported = Self(rawValue: 1 << 6)
  package static let limitExceeded = Self(rawValue: 1 << 7)
}

/// A change of a condition: it holds, no longer holds, or cannot be monitored.
package struct ConditionEvent: Hashable, Sendable {
  package var identifier: String
  package var state: ConditionState
  /// Seconds since 1970.
  package var date: Double
  /// The beacon that was received first, if the condition does not name a single one.
  package var refinement: BeaconIdentity?
  package var trouble: ConditionTrouble = []
}

/// A condition and its last event.
package struct ConditionRecord: Hashable, Sendable {
  package var condition: Condition
  package var lastEvent: ConditionEvent
}

/// Names a region or condition among all of an app's: by its monitor's name and its own.
struct RegionKey: Hashable, Comparable, Sendable {
  /// `nil` for a region of the location managers.
  var monitor: String?
  var identifier: String

  init(monitor: String? = nil, _ identifier: String) {
    self.monitor = monitor
    self.identifier = identifier
  }

  /// The region's name in `RegionMonitor`, which has one kind of regions only.
  var text: String {
    guard let monitor else { return "r" + identifier }
    return "m\(monitor.utf8.count):\(monitor)\(identifier)"
  }

  /// `nil` for a text that no key has.
  init?(text: String) {
    if text.hasPrefix("r") {
      self.init(String(text.dropFirst()))
      return
    }
    guard text.hasPrefix("m"), let colon = text.firstIndex(of: ":"),
      let count = Int(text[text.index(after: text.startIndex)..<colon])
    else { return nil }
    let rest = text.utf8[text.utf8.index(after: colon)...]
    guard count >= 0, count <= rest.count,
      let name = String(rest.prefix(count)), let identifier = String(rest.dropFirst(count))
    else { return nil }
    self.init(monitor: name, identifier)
  }

  static func < (left: Self, right: Self) -> Bool {
    (left.monitor ?? "", left.identifier) < (right.monitor ?? "", right.identifier)
  }
}
