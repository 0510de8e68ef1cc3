import Foundation
import NearbyBeacons
import NearbyBluetooth

/// A beacon found by ranging.
open class CLBeacon: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  private struct Values: Sendable {
    var identity = BeaconIdentity(uuid: BluetoothUUID(high: 0, low: 0), major: 0, minor: 0)
    var proximity = CLProximity.unknown
    var accuracy: CLLocationAccuracy = -1
    var rssi = 0
    var timestamp = Date(timeIntervalSinceReferenceDate: 0)
    var uncertainty: Double?
  }

  // Immutable.
  private let values: Values

  /// Creates an unknown beacon, for subclasses that stand in for beacons in tests.
  public override init() { values = Values() }

  init(_ beacon: RangedBeacon, dateAtZero: Double) {
    values = Values(
      identity: beacon.identity, proximity: CLProximity(rawValue: beacon.proximity.rawValue) ?? .unknown,
      accuracy: beacon.distance ?? -1, rssi: beacon.rssi,
      timestamp: Date(timeIntervalSince1970: dateAtZero + beacon.time / .seconds(1)),
      uncertainty: beacon.accuracy)
  }

  /// A coarse estimate of the distance.
  open var proximity: CLProximity { values.proximity }
  /// The estimated distance to the beacon, in metres; negative if unknown.
  ///
  /// Apple documents this as the accuracy of the device's position if the beacon's position is taken for it,
  /// which amounts to the distance.
  open var accuracy: CLLocationAccuracy { values.accuracy }
  /// Mean received power in dBm since the last report; 0 if nothing was received.
  open var rssi: Int { values.rssi }
  /// When the beacon was last received.
  open var timestamp: Date { values.timestamp }
  /// One standard deviation of the distance, in metres; `nil` if unknown.
  package var uncertainty: Double? { values.uncertainty }

  /// The beacon's UUID.
  open var uuid: UUID { UUID(values.identity.uuid) }
  /// The name before iOS 13.
  @available(*, deprecated, renamed: "uuid")
  open var proximityUUID: UUID { uuid }
  /// The beacon's major number.
  open var major: NSNumber { NSNumber(value: values.identity.major) }
  /// The beacon's minor number.
  open var minor: NSNumber { NSNumber(value: values.identity.minor) }

  /// Returns the beacon itself, which is immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Whether all observable properties are equal.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? CLBeacon else { return false }
    return uuid == other.uuid && major == other.major && minor == other.minor && proximity == other.proximity
      && accuracy == other.accuracy && rssi == other.rssi && timestamp == other.timestamp
  }

  /// A hash value consistent with `isEqual(_:)`.
  open override var hash: Int {
    var hasher = Hasher()
    hasher.combine(values.identity)
    hasher.combine(timestamp)
    return hasher.finalize()
  }

  /// A summary for logs.
  open override var description: String {
    "CLBeacon(\(values.identity), \(proximity) \(accuracy) m, \(rssi) dBm)"
  }

  // MARK: NSSecureCoding

  /// Always true.
  open class var supportsSecureCoding: Bool { true }

  /// Decodes an archived beacon; `nil` if the archive is invalid.
  public required init?(coder: NSCoder) {
    guard let value = BeaconConstraint(coder), let major = value.major, let minor = value.minor,
      let proximity = CLProximity(rawValue: coder.decodeInteger(forKey: "proximity"))
    else { return nil }
    values = Values(
      identity: BeaconIdentity(uuid: value.uuid, major: major, minor: minor), proximity: proximity,
      accuracy: coder.decodeDouble(forKey: "accuracy"), rssi: coder.decodeInteger(forKey: "rssi"),
      timestamp: Date(timeIntervalSinceReferenceDate: coder.decodeDouble(forKey: "timestamp")))
    super.init()
  }

  /// Encodes the beacon.
  open func encode(with coder: NSCoder) {
    let identity = values.identity
    BeaconConstraint(uuid: identity.uuid, major: identity.major, minor: identity.minor).encode(with: coder)
    coder.encode(proximity.rawValue, forKey: "proximity")
    coder.encode(accuracy, forKey: "accuracy")
    coder.encode(rssi, forKey: "rssi")
    coder.encode(timestamp.timeIntervalSinceReferenceDate, forKey: "timestamp")
  }
}
