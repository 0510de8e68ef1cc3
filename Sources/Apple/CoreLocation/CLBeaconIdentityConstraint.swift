import Foundation
import NearbyBeacons
import NearbyBluetooth

/// Says which beacons are meant: those of one UUID, or of one major of it, or a single one. Equal by value.
open class CLBeaconIdentityConstraint: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  // Immutable.
  let value: BeaconConstraint

  init(_ value: BeaconConstraint) { self.value = value }

  /// All beacons of a UUID.
  public init(uuid: UUID) { value = BeaconConstraint(uuid: BluetoothUUID(uuid)) }

  /// Those of one major.
  public init(uuid: UUID, major: CLBeaconMajorValue) {
    value = BeaconConstraint(uuid: BluetoothUUID(uuid), major: major)
  }

  /// A single one.
  public init(uuid: UUID, major: CLBeaconMajorValue, minor: CLBeaconMinorValue) {
    value = BeaconConstraint(uuid: BluetoothUUID(uuid), major: major, minor: minor)
  }

  /// Whose beacons.
  open var uuid: UUID { UUID(value.uuid) }
  /// `nil` is any.
  open var major: CLBeaconMajorValue? { value.major }
  /// `nil` is any.
  open var minor: CLBeaconMinorValue? { value.minor }

  /// Returns the constraint itself, which never changes.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Whether both mean the same beacons.
  open override func isEqual(_ object: Any?) -> Bool {
    (object as? CLBeaconIdentityConstraint)?.value == value
  }

  /// Equal for equal constraints.
  open override var hash: Int { value.hashValue }

  /// What it means, for a log.
  open override var description: String { "CLBeaconIdentityConstraint(\(value.text))" }

  // MARK: NSSecureCoding

  /// Always true.
  public class var supportsSecureCoding: Bool { true }

  /// Reads an archived constraint; `nil` where the archive holds something else.
  public required init?(coder: NSCoder) {
    guard let value = BeaconConstraint(coder) else { return nil }
    self.value = value
    super.init()
  }

  /// Writes the constraint.
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

/// How constraints stand in archives.
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
    // A number that is none, or a minor without a major, is nothing that was ever written.
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
