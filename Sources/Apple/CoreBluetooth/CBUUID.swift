import Foundation
import NearbyBluetooth

/// Names a service, characteristic or descriptor.
///
/// A short UUID and its long form in the Bluetooth Base UUID are the same and compare so. Source:
/// `facts/corebluetooth.md`, section 3.
open class CBUUID: NSObject, NSCopying, @unchecked Sendable {
  // Immutable.
  let value: BluetoothUUID

  init(_ value: BluetoothUUID) { self.value = value }

  /// Makes one of what is written as 4, 8 or 36 characters.
  ///
  /// Apple's stops the process where it is anything else; here it becomes the UUID of all zeros, which no
  /// attribute has. Text from outside is better read as `UUID(uuidString:)` first.
  public init(string theString: String) { value = BluetoothUUID(theString) ?? Self.nobody }

  /// Makes one of 2, 4 or 16 octets, most significant first; of any other count as `init(string:)` does.
  public init(data theData: Data) { value = BluetoothUUID(bigEndian: [UInt8](theData)) ?? Self.nobody }

  /// Makes one of 128 bits.
  public init(nsuuid theUUID: UUID) {
    value = BluetoothUUID(bigEndian: withUnsafeBytes(of: theUUID.uuid) { Array($0) }) ?? Self.nobody
  }

  private static let nobody = BluetoothUUID(high: 0, low: 0)

  /// 2, 4 or 16 octets, most significant first: as few as say it.
  open var data: Data { Data(value.shortestOctets) }

  /// 4, 8 or 36 characters, in capitals: as few as say it.
  open var uuidString: String { value.description }

  open override func isEqual(_ object: Any?) -> Bool { (object as? CBUUID)?.value == value }
  open override var hash: Int { value.hashValue }
  open override var description: String { uuidString }

  /// The object itself, which never changes.
  open func copy(with zone: NSZone? = nil) -> Any { self }
}

/// Descriptor of a name for people: a `String`.
public let CBUUIDCharacteristicUserDescriptionString = "2901"
/// Descriptor of extended properties: an `NSNumber`.
public let CBUUIDCharacteristicExtendedPropertiesString = "2900"
/// Descriptor of who is notified: an `NSNumber`; the system's own.
public let CBUUIDClientCharacteristicConfigurationString = "2902"
/// Descriptor of what is broadcast: an `NSNumber`.
public let CBUUIDServerCharacteristicConfigurationString = "2903"
/// Descriptor of the form of the value: `Data`.
public let CBUUIDCharacteristicFormatString = "2904"
/// Descriptor of a list of forms: `Data`.
public let CBUUIDCharacteristicAggregateFormatString = "2905"
