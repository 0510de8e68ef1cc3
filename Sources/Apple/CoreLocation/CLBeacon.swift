import Foundation
import NearbyBeacons

/// A beacon that was heard.
open class CLBeacon: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  // Immutable.
  private let identity: BeaconIdentity
  /// How near it is, roughly.
  public let proximity: CLProximity
  /// How far around the beacon the device is, metres: the estimated distance. Negative is unknown.
  ///
  /// Apple's words are: the accuracy of the device's position, with the beacon's taken for it. That is how far off
  /// the device is.
  public let accuracy: CLLocationAccuracy
  /// dBm, the mean since the last report; 0 where nothing was heard.
  public let rssi: Int
  /// When it was last heard.
  public let timestamp: Date
  /// One standard deviation of the distance, metres; `nil` is unknown.
  package let uncertainty: Double?

  init(_ beacon: RangedBeacon, dateAtZero: Double) {
    identity = beacon.identity
    proximity = CLProximity(rawValue: beacon.proximity.rawValue) ?? .unknown
    accuracy = beacon.distance ?? -1
    rssi = beacon.rssi
    timestamp = Date(timeIntervalSince1970: dateAtZero + beacon.time / .seconds(1))
    uncertainty = beacon.accuracy
  }

  /// Whose beacon.
  open var uuid: UUID { UUID(identity.uuid) }
  /// The old name.
  @available(*, deprecated, renamed: "uuid")
  open var proximityUUID: UUID { uuid }
  /// The first of its numbers.
  open var major: NSNumber { NSNumber(value: identity.major) }
  /// The second of its numbers.
  open var minor: NSNumber { NSNumber(value: identity.minor) }

  /// Returns the beacon itself, which never changes.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Whether both say the same of the same beacon.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? CLBeacon else { return false }
    return identity == other.identity && proximity == other.proximity && accuracy == other.accuracy
      && rssi == other.rssi && timestamp == other.timestamp
  }

  /// Equal for equal beacons.
  open override var hash: Int {
    var hasher = Hasher()
    hasher.combine(identity)
    hasher.combine(timestamp)
    return hasher.finalize()
  }

  /// What it is, for a log.
  open override var description: String {
    "CLBeacon(\(identity), \(proximity) \(accuracy) m, \(rssi) dBm)"
  }

  // MARK: NSSecureCoding

  /// Always true.
  public class var supportsSecureCoding: Bool { true }

  /// Reads an archived beacon; `nil` where the archive holds something else.
  public required init?(coder: NSCoder) {
    guard let value = BeaconConstraint(coder), let major = value.major, let minor = value.minor,
      let proximity = CLProximity(rawValue: coder.decodeInteger(forKey: "proximity"))
    else { return nil }
    identity = BeaconIdentity(uuid: value.uuid, major: major, minor: minor)
    self.proximity = proximity
    accuracy = coder.decodeDouble(forKey: "accuracy")
    rssi = coder.decodeInteger(forKey: "rssi")
    timestamp = Date(timeIntervalSinceReferenceDate: coder.decodeDouble(forKey: "timestamp"))
    uncertainty = nil
    super.init()
  }

  /// Writes the beacon.
  open func encode(with coder: NSCoder) {
    BeaconConstraint(uuid: identity.uuid, major: identity.major, minor: identity.minor).encode(with: coder)
    coder.encode(proximity.rawValue, forKey: "proximity")
    coder.encode(accuracy, forKey: "accuracy")
    coder.encode(rssi, forKey: "rssi")
    coder.encode(timestamp.timeIntervalSinceReferenceDate, forKey: "timestamp")
  }
}
