import Foundation
import NearbyBeacons

/// A beacon found by ranging.
open class CLBeacon: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  // All stored properties are immutable.
  private let identity: BeaconIdentity
  /// A coarse estimate of the distance.
  public let proximity: CLProximity
  /// The estimated distance to the beacon, in metres; negative if unknown.
  ///
  /// Apple documents this as the accuracy of the device's position if the beacon's position is taken for it,
  /// which amounts to the distance.
  public let accuracy: CLLocationAccuracy
  /// Mean received power in dBm since the last report; 0 if nothing was received.
  public let rssi: Int
  /// When the beacon was last received.
  public let timestamp: Date
  /// One standard deviation of the distance, in metres; `nil` if unknown.
  package let uncertainty: Double?

  init(_ beacon: RangedBeacon, dateAtZero: Double) {
    identity = beacon.identity
    proximity = CLProximity(rawValue: beacon.proximity.rawValue) ?? .unknown
    accuracy = beacon.distance ?? -1
    rssi = beacon.rssi
    timestamp = Date(timeIntervalSince1970: dateAtZero + beacon.time / .seconds(1))
    uncertainty = beacon.accuracy
  }

  /// The beacon's UUID.
  open var uuid: UUID { UUID(identity.uuid) }
  /// The name before iOS 13.
  @available(*, deprecated, renamed: "uuid")
  open var proximityUUID: UUID { uuid }
  /// The beacon's major number.
  open var major: NSNumber { NSNumber(value: identity.major) }
  /// The beacon's minor number.
  open var minor: NSNumber { NSNumber(value: identity.minor) }

  /// Returns the beacon itself, which is immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Whether all observable properties are equal.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? CLBeacon else { return false }
    return identity == other.identity && proximity == other.proximity && accuracy == other.accuracy
      && rssi == other.rssi && timestamp == other.timestamp
  }

  /// A hash value consistent with `isEqual(_:)`.
  open override var hash: Int {
    var hasher = Hasher()
    hasher.combine(identity)
    hasher.combine(timestamp)
    return hasher.finalize()
  }

  /// A summary for logs.
  open override var description: String {
    "CLBeacon(\(identity), \(proximity) \(accuracy) m, \(rssi) dBm)"
  }

  // MARK: NSSecureCoding

  /// Always true.
  public class var supportsSecureCoding: Bool { true }

  /// Decodes an archived beacon; `nil` if the archive is invalid.
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

  /// Encodes the beacon.
  open func encode(with coder: NSCoder) {
    BeaconConstraint(uuid: identity.uuid, major: identity.major, minor: identity.minor).encode(with: coder)
    coder.encode(proximity.rawValue, forKey: "proximity")
    coder.encode(accuracy, forKey: "accuracy")
    coder.encode(rssi, forKey: "rssi")
    coder.encode(timestamp.timeIntervalSinceReferenceDate, forKey: "timestamp")
  }
}
