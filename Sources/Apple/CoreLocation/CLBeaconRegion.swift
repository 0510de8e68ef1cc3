import Foundation
import NearbyBeacons
import Synchronization

/// The region around the beacons that match a constraint.
open class CLBeaconRegion: CLRegion, @unchecked Sendable {
  // All mutable state is behind locks.
  let value: BeaconConstraint
  private let onDisplay = Mutex(false)

  init(_ value: BeaconConstraint, identifier: String) {
    self.value = value
    super.init(identifier: identifier)
  }

  convenience init(_ region: MonitoredRegion) {
    self.init(region.constraint, identifier: region.identifier)
    notifyOnEntry = region.notifiesOnEntry
    notifyOnExit = region.notifiesOnExit
    notifyEntryStateOnDisplay = region.notifiesOnDisplay
  }

  var monitored: MonitoredRegion {
    MonitoredRegion(
      identifier: identifier, constraint: value, notifiesOnEntry: notifyOnEntry,
      notifiesOnExit: notifyOnExit, notifiesOnDisplay: notifyEntryStateOnDisplay)
  }

  /// Creates a region of a UUID of zeros with an empty identifier, for subclasses that stand in for regions in tests.
  public override init() {
    value =
      CLBeaconIdentityConstraint(uuid: UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))).value
    super.init()
  }

  /// The region of all beacons with this UUID.
  public init(uuid: UUID, identifier: String) {
    value = CLBeaconIdentityConstraint(uuid: uuid).value
    super.init(identifier: identifier)
  }

  /// The region of all beacons with this UUID and major.
  public init(uuid: UUID, major: CLBeaconMajorValue, identifier: String) {
    value = CLBeaconIdentityConstraint(uuid: uuid, major: major).value
    super.init(identifier: identifier)
  }

  /// The region of the single beacon with this UUID, major and minor.
  public init(uuid: UUID, major: CLBeaconMajorValue, minor: CLBeaconMinorValue, identifier: String) {
    value = CLBeaconIdentityConstraint(uuid: uuid, major: major, minor: minor).value
    super.init(identifier: identifier)
  }

  /// The region of the beacons that match a constraint.
  public init(beaconIdentityConstraint: CLBeaconIdentityConstraint, identifier: String) {
    value = beaconIdentityConstraint.value
    super.init(identifier: identifier)
  }

  /// The spelling before iOS 13.
  @available(*, deprecated, renamed: "init(uuid:identifier:)")
  public init(proximityUUID: UUID, identifier: String) {
    value = CLBeaconIdentityConstraint(uuid: proximityUUID).value
    super.init(identifier: identifier)
  }

  /// The spelling before iOS 13.
  @available(*, deprecated, renamed: "init(uuid:major:identifier:)")
  public init(proximityUUID: UUID, major: CLBeaconMajorValue, identifier: String) {
    value = CLBeaconIdentityConstraint(uuid: proximityUUID, major: major).value
    super.init(identifier: identifier)
  }

  /// The spelling before iOS 13.
  @available(*, deprecated, renamed: "init(uuid:major:minor:identifier:)")
  public init(
    proximityUUID: UUID, major: CLBeaconMajorValue, minor: CLBeaconMinorValue, identifier: String
  ) {
    value = CLBeaconIdentityConstraint(uuid: proximityUUID, major: major, minor: minor).value
    super.init(identifier: identifier)
  }

  /// The data a `CBPeripheralManager` advertises to turn this device into the beacon.
  ///
  /// - Parameter measuredPower: Received power at 1 m, in dBm; `nil` means -59. A missing major or minor is
  ///   sent as 0.
  open func peripheralData(withMeasuredPower measuredPower: NSNumber?) -> NSMutableDictionary {
    let power = measuredPower.map { Int8(truncatingIfNeeded: $0.intValue) } ?? IBeacon.usualMeasuredPower
    var octets: [UInt8] = []
    IBeacon(
      identity: BeaconIdentity(uuid: value.uuid, major: value.major ?? 0, minor: value.minor ?? 0),
      measuredPower: power
    ).write(to: &octets)
    let data = NSMutableDictionary()
    data["kCBAdvDataAppleBeaconKey"] = Data(octets)
    return data
  }

  /// The constraint that selects the region's beacons.
  open var beaconIdentityConstraint: CLBeaconIdentityConstraint { CLBeaconIdentityConstraint(value) }
  /// The UUID to match.
  open var uuid: UUID { UUID(value.uuid) }
  /// The name before iOS 13.
  @available(*, deprecated, renamed: "uuid")
  open var proximityUUID: UUID { uuid }
  /// The major to match; `nil` matches any.
  open var major: NSNumber? { value.major.map { NSNumber(value: $0) } }
  /// The minor to match; `nil` matches any.
  open var minor: NSNumber? { value.minor.map { NSNumber(value: $0) } }

  /// Whether to report the region's state again when the display turns on while inside. Stored without effect
  /// here.
  open var notifyEntryStateOnDisplay: Bool {
    get { onDisplay.withLock { $0 } }
    set { onDisplay.withLock { $0 = newValue } }
  }

  /// Returns a copy.
  open override func copy(with zone: NSZone? = nil) -> Any {
    let other = CLBeaconRegion(value, identifier: identifier)
    copyFlags(to: other)
    other.notifyEntryStateOnDisplay = notifyEntryStateOnDisplay
    return other
  }

  /// Whether both regions have the same identifier and match the same beacons.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? CLBeaconRegion else { return false }
    return other.identifier == identifier && other.value == value
  }

  /// A hash value consistent with `isEqual(_:)`.
  open override var hash: Int {
    var hasher = Hasher()
    hasher.combine(identifier)
    hasher.combine(value)
    return hasher.finalize()
  }

  /// A summary for logs.
  open override var description: String { "CLBeaconRegion(\(identifier): \(value.text))" }

  // MARK: NSSecureCoding

  /// Always true.
  open override class var supportsSecureCoding: Bool { true }

  /// Decodes an archived region; `nil` if the archive is invalid.
  public required init?(coder: NSCoder) {
    guard let value = BeaconConstraint(coder) else { return nil }
    self.value = value
    super.init(coder: coder)
    notifyEntryStateOnDisplay = coder.decodeBool(forKey: "notifyEntryStateOnDisplay")
  }

  /// Encodes the region.
  open override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    value.encode(with: coder)
    coder.encode(notifyEntryStateOnDisplay, forKey: "notifyEntryStateOnDisplay")
  }
}
