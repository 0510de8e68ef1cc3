import Foundation
import NearbyBluetooth

/// The UUID of a service, characteristic or descriptor.
///
/// A short UUID equals its 128-bit form, derived from the Bluetooth Base UUID. Source: Apple's documentation
/// of `CBUUID`; Bluetooth Core 5.4 Vol 3 Part B §2.5.1.
open class CBUUID: NSObject, NSCopying, @unchecked Sendable {
  // All stored properties are immutable.
  let value: BluetoothUUID

  init(_ value: BluetoothUUID) { self.value = value }

  /// Creates the UUID of all zeros, which matches no attribute, as a placeholder.
  public override init() { value = Self.nobody }

  /// Parses 4, 8 or 36 characters.
  ///
  /// Apple's initializer ends the process if the text is malformed; this one returns the UUID of all zeros,
  /// which matches no attribute. Validate untrusted text with `UUID(uuidString:)` first.
  public init(string theString: String) { value = BluetoothUUID(theString) ?? Self.nobody }

  /// Reads 2, 4 or 16 octets, big-endian. Any other length is treated as malformed, as in `init(string:)`.
  public init(data theData: Data) { value = BluetoothUUID(bigEndian: [UInt8](theData)) ?? Self.nobody }

  /// Creates a 128-bit UUID.
  public init(nsuuid theUUID: UUID) {
    value = BluetoothUUID(bigEndian: withUnsafeBytes(of: theUUID.uuid) { Array($0) }) ?? Self.nobody
  }

  private static let nobody = BluetoothUUID(high: 0, low: 0)

  /// The shortest form: 2, 4 or 16 octets, big-endian.
  open var data: Data { Data(value.shortestOctets) }

  /// The shortest form in upper case: 4, 8 or 36 characters.
  open var uuidString: String { value.description }

  open override func isEqual(_ object: Any?) -> Bool { (object as? CBUUID)?.value == value }
  open override var hash: Int { value.hashValue }
  open override var description: String { uuidString }

  /// Returns the object itself, which is immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }
}

/// UUID of the user-description descriptor; its value is a `String`.
public let CBUUIDCharacteristicUserDescriptionString = "2901"
/// UUID of the extended-properties descriptor; its value is an `NSNumber`.
public let CBUUIDCharacteristicExtendedPropertiesString = "2900"
/// UUID of the client configuration descriptor (notifications), which the system manages; an `NSNumber`.
public let CBUUIDClientCharacteristicConfigurationString = "2902"
/// UUID of the server configuration descriptor (broadcasts); its value is an `NSNumber`.
public let CBUUIDServerCharacteristicConfigurationString = "2903"
/// UUID of the presentation-format descriptor; its value is `Data`.
public let CBUUIDCharacteristicFormatString = "2904"
/// UUID of the descriptor that lists several presentation formats; its value is `Data`.
public let CBUUIDCharacteristicAggregateFormatString = "2905"
/// The descriptor that says when a characteristic is observed.
public let CBUUIDCharacteristicObservationScheduleString = "2910"
