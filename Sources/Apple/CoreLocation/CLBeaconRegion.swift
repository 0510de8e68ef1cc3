import Foundation
import NearbyBeacons
import Synchronization

/// The surroundings of certain beacons.
open class CLBeaconRegion: CLRegion, @unchecked Sendable {
  // What changes is behind the lock.
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

  /// All beacons of a UUID.
  public convenience init(uuid: UUID, identifier: String) {
    self.init(CLBeaconIdentityConstraint(uuid: uuid).value, identifier: identifier)
  }

  /// Those of one major.
  public convenience init(uuid: UUID, major: CLBeaconMajorValue, identifier: String) {
    self.init(CLBeaconIdentityConstraint(uuid: uuid, major: major).value, identifier: identifier)
  }

  /// A single one.
  public convenience init(
    uuid: UUID, major: CLBeaconMajorValue, minor: CLBeaconMinorValue, identifier: String
  ) {
    self.init(
      CLBeaconIdentityConstraint(uuid: uuid, major: major, minor: minor).value, identifier: identifier)
  }

  /// Those that a constraint means.
  public convenience init(beaconIdentityConstraint: CLBeaconIdentityConstraint, identifier: String) {
    self.init(beaconIdentityConstraint.value, identifier: identifier)
  }

  /// The old spelling.
  @available(*, deprecated, renamed: "init(uuid:identifier:)")
  public convenience init(proximityUUID: UUID, identifier: String) {
    self.init(uuid: proximityUUID, identifier: identifier)
  }

  /// The old spelling.
  @available(*, deprecated, renamed: "init(uuid:major:identifier:)")
  public convenience init(proximityUUID: UUID, major: CLBeaconMajorValue, identifier: String) {
    self.init(uuid: proximityUUID, major: major, identifier: identifier)
  }

  /// The old spelling.
  @available(*, deprecated, renamed: "init(uuid:major:minor:identifier:)")
  public convenience init(
    proximityUUID: UUID, major: CLBeaconMajorValue, minor: CLBeaconMinorValue, identifier: String
  ) {
    self.init(uuid: proximityUUID, major: major, minor: minor, identifier: identifier)
  }

  /// What a `CBPeripheralManager` advertises for this device to be the beacon.
  ///
  /// - Parameter measuredPower: dBm at 1 m; -59 where `nil`. A missing major or minor is 0.
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

  /// Which beacons.
  open var beaconIdentityConstraint: CLBeaconIdentityConstraint { CLBeaconIdentityConstraint(value) }
  /// Whose beacons.
  open var uuid: UUID { UUID(value.uuid) }
  /// The old name.
  @available(*, deprecated, renamed: "uuid")
  open var proximityUUID: UUID { uuid }
  /// `nil` is any.
  open var major: NSNumber? { value.major.map { NSNumber(value: $0) } }
  /// `nil` is any.
  open var minor: NSNumber? { value.minor.map { NSNumber(value: $0) } }

  /// Whether being inside is told again when the screen lights up. Kept; screens are not known here.
  open var notifyEntryStateOnDisplay: Bool {
    get { onDisplay.withLock { $0 } }
    set { onDisplay.withLock { $0 = newValue } }
  }

  /// Makes another like this.
  open override func copy(with zone: NSZone? = nil) -> Any {
    let other = CLBeaconRegion(value, identifier: identifier)
    copyFlags(to: other)
    other.notifyEntryStateOnDisplay = notifyEntryStateOnDisplay
    return other
  }

  /// Whether both have the same name and mean the same beacons.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? CLBeaconRegion else { return false }
    return other.identifier == identifier && other.value == value
  }

  /// Equal for equal regions.
  open override var hash: Int {
    var hasher = Hasher()
    hasher.combine(identifier)
    hasher.combine(value)
    return hasher.finalize()
  }

  /// What it is, for a log.
  open override var description: String { "CLBeaconRegion(\(identifier): \(value.text))" }

  // MARK: NSSecureCoding

  /// Always true.
  public override class var supportsSecureCoding: Bool { true }

  /// Reads an archived region; `nil` where the archive holds something else.
  public required init?(coder: NSCoder) {
    guard let value = BeaconConstraint(coder) else { return nil }
    self.value = value
    super.init(coder: coder)
    notifyEntryStateOnDisplay = coder.decodeBool(forKey: "notifyEntryStateOnDisplay")
  }

  /// Writes the region.
  open override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    value.encode(with: coder)
    coder.encode(notifyEntryStateOnDisplay, forKey: "notifyEntryStateOnDisplay")
  }
}
