import Foundation
import NearbyBeacons
import NearbyBluetooth

/// Selects beacons by UUID, optionally narrowed to one major, or to one major and minor. Compared by value.
open class CLBeaconIdentityConstraint: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  // All stored properties are immutable.
  let value: BeaconConstraint

  init(_ value: BeaconConstraint) { self.value = value }

  /// Matches all beacons with this UUID.
  public init(uuid: UUID) { value = BeaconConstraint(uuid: BluetoothUUID(uuid)) }

  /// Matches all beacons with this UUID and major.
  public init(uuid: UUID, major: CLBeaconMajorValue) {
    value = BeaconConstraint(uuid: BluetoothUUID(uuid), major: major)
  }

  /// Matches the single beacon with this UUID, major and minor.
  public init(uuid: UUID, major: CLBeaconMajorValue, minor: CLBeaconMinorValue) {
    value = BeaconConstraint(uuid: BluetoothUUID(uuid), major: major, minor: minor)
  }

  /// The UUID to match.
  open var uuid: UUID { UUID(value.uuid) }
  /// The major to match; `nil` matches any.
  open var major: CLBeaconMajorValue? { value.major }
  /// The minor to match; `nil` matches any.
  open var minor: CLBeaconMinorValue? { value.minor }

  /// Returns the constraint itself, which is immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Whether both constraints match the same beacons.
  open override func isEqual(_ object: Any?) -> Bool {
    (object as? CLBeaconIdentityConstraint)?.value == value
  }

  /// A hash value consistent with `isEqual(_:)`.
  open override var hash: Int { value.hashValue }

  /// A summary for logs.
  open override var description: String { "CLBeaconIdentityConstraint(\(value.text))" }

  // MARK: NSSecureCoding

  /// Always true.
  open class var supportsSecureCoding: Bool { true }

  /// Decodes an archived constraint; `nil` if the archive is invalid.
  public required init?(coder: NSCoder) {
    guard let value = BeaconConstraint(coder) else { return nil }
    self.value = value
    super.init()
  }

  /// Encodes the constraint.
  open func encode(with coder: NSCoder) { value.encode(with: coder) }
}

extension BluetoothUUID {
  init(_ uuid: UUID) {
    let octets = withUnsafeBytes(of: uuid.uuid) { Array($0) }
    func half(_ octets: ArraySlice<UInt8>) -> UInt64 { octets.reduce(0) { $0 << 8 | UInt64($1) } }
    self.init(high: half(octets[..<8]), low: half(octets[8...]))
  }
}

extension UUID {
  init(_ uuid: BluetoothUUID) {
    let o = uuid.octets
    self.init(
      uuid: (
        o[0], o[1], o[2], o[3], o[4], o[5], o[6], o[7], o[8], o[9], o[10], o[11], o[12], o[13], o[14], o[15]
      ))
  }
}

/// Keyed-archive format of constraints.
extension BeaconConstraint {
  private static let uuidKey = "uuid"
  private static let majorKey = "major"
  private static let minorKey = "minor"

  init?(_ coder: NSCoder) {
    guard let text = coder.decodeObject(of: NSString.self, forKey: Self.uuidKey),
      let uuid = UUID(uuidString: String(text))
    else { return nil }
    func number(_ key: String) -> UInt16? {
      coder.containsValue(forKey: key) ? UInt16(exactly: coder.decodeInt64(forKey: key)) : nil
    }
    let (major, minor) = (number(Self.majorKey), number(Self.minorKey))
    // Reject a value that is not a 16-bit number, and a minor without a major: `encode(with:)` writes
    // neither.
    guard (major != nil) == coder.containsValue(forKey: Self.majorKey),
      (minor != nil) == coder.containsValue(forKey: Self.minorKey), major != nil || minor == nil
    else { return nil }
    self.init(uuid: BluetoothUUID(uuid), major: major, minor: minor)
  }

  func encode(with coder: NSCoder) {
    coder.encode(UUID(uuid).uuidString as NSString, forKey: Self.uuidKey)
    if let major { coder.encode(Int64(major), forKey: Self.majorKey) }
    if let minor { coder.encode(Int64(minor), forKey: Self.minorKey) }
  }

  var text: String {
    [UUID(uuid).uuidString, major.map { "\($0)" }, minor.map { "\($0)" }].compactMap(\.self)
      .joined(separator: " ")
  }
}
