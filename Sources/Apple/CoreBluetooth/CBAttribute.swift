import Foundation
import NearbyBluetooth
import Synchronization

/// The common base class of services, characteristics and descriptors.
open class CBAttribute: NSObject, @unchecked Sendable {
  // All stored properties are immutable; subclasses keep mutable state behind locks.
  let id: AttributeID
  private let type: CBUUID

  init(id: AttributeID, uuid: CBUUID) {
    self.id = id
    type = uuid
  }

  /// The attribute's type.
  open var uuid: CBUUID { type }
}

/// A service of another device, or one this app serves (`CBMutableService`).
open class CBService: CBAttribute, @unchecked Sendable {
  struct Contents: Sendable {
    weak var peripheral: CBPeripheral?
    var included: [CBService]?
    var characteristics: [CBCharacteristic]?
  }

  // All mutable state is behind this lock.
  let contents = Mutex(Contents())
  private let isOfItsOwn: Bool

  init(id: AttributeID, uuid: CBUUID, isPrimary: Bool, peripheral: CBPeripheral? = nil) {
    isOfItsOwn = isPrimary
    super.init(id: id, uuid: uuid)
    contents.withLock { $0.peripheral = peripheral }
  }

  /// Whether this is a primary service rather than one that only other services include.
  open var isPrimary: Bool { isOfItsOwn }

  /// The peripheral that offers the service; `nil` for the app's own service, and after that object was
  /// released.
  open weak var peripheral: CBPeripheral? { contents.withLock { $0.peripheral } }
  /// The included services discovered so far.
  open var includedServices: [CBService]? { contents.withLock { $0.included } }
  /// The characteristics discovered so far.
  open var characteristics: [CBCharacteristic]? { contents.withLock { $0.characteristics } }
}

/// A characteristic of another device, or one this app serves (`CBMutableCharacteristic`).
open class CBCharacteristic: CBAttribute, @unchecked Sendable {
  struct Contents: Sendable {
    weak var service: CBService?
    var properties: CBCharacteristicProperties
    var value: Data?
    var descriptors: [CBDescriptor]?
    var isNotifying = false
  }

  // All mutable state is behind this lock.
  let contents: Mutex<Contents>

  init(
    id: AttributeID, uuid: CBUUID, properties: CBCharacteristicProperties, value: Data? = nil,
    service: CBService? = nil
  ) {
    contents = Mutex(Contents(properties: properties, value: value))
    super.init(id: id, uuid: uuid)
    contents.withLock { $0.service = service }
  }

  /// The service this characteristic belongs to; `nil` after that object was released.
  open weak var service: CBService? { contents.withLock { $0.service } }
  /// The operations the characteristic supports.
  open var properties: CBCharacteristicProperties { contents.withLock { $0.properties } }
  /// The value from the last read or notification.
  open var value: Data? { contents.withLock { $0.value } }
  /// The descriptors discovered so far.
  open var descriptors: [CBDescriptor]? { contents.withLock { $0.descriptors } }
  /// Whether notifications or indications of the value are enabled.
  open var isNotifying: Bool { contents.withLock { $0.isNotifying } }
}

/// A descriptor of another device, or one this app serves (`CBMutableDescriptor`).
open class CBDescriptor: CBAttribute, @unchecked Sendable {
  struct Contents: Sendable {
    weak var characteristic: CBCharacteristic?
    /// The raw value; the UUID determines its format.
    var octets: [UInt8]?
  }

  // All mutable state is behind this lock.
  let contents = Mutex(Contents())

  init(id: AttributeID, uuid: CBUUID, characteristic: CBCharacteristic? = nil, octets: [UInt8]? = nil) {
    super.init(id: id, uuid: uuid)
    contents.withLock {
      $0.characteristic = characteristic
      $0.octets = octets
    }
  }

  /// The characteristic this descriptor belongs to; `nil` after that object was released.
  open weak var characteristic: CBCharacteristic? { contents.withLock { $0.characteristic } }

  /// The value from the last read: a `String` for a user description, an `NSNumber` for the configuration and
  /// extended-properties descriptors, and `Data` for every other type.
  open var value: Any? {
    guard let octets = contents.withLock({ $0.octets }) else { return nil }
    switch uuid.uuidString {
    case CBUUIDCharacteristicUserDescriptionString: return String(decoding: octets, as: UTF8.self)
    case CBUUIDCharacteristicExtendedPropertiesString, CBUUIDClientCharacteristicConfigurationString,
      CBUUIDServerCharacteristicConfigurationString:
      return NSNumber(value: octets.reversed().reduce(UInt16(0)) { $0 << 8 | UInt16($1) })
    default: return Data(octets)
    }
  }
}

/// The operations a characteristic supports.
public struct CBCharacteristicProperties: OptionSet, Sendable {
  /// The bit mask.
  public let rawValue: UInt
  /// Creates a set from a bit mask.
  public init(rawValue: UInt) { self.rawValue = rawValue }
  /// The value can be broadcast in advertisements.
  public static let broadcast = Self(rawValue: 0x01)
  /// The value can be read.
  public static let read = Self(rawValue: 0x02)
  /// The value can be written without a response.
  public static let writeWithoutResponse = Self(rawValue: 0x04)
  /// The value can be written with a response.
  public static let write = Self(rawValue: 0x08)
  /// The server can notify centrals of changes, without acknowledgement.
  public static let notify = Self(rawValue: 0x10)
  /// The server can notify centrals of changes, with acknowledgement.
  public static let indicate = Self(rawValue: 0x20)
  /// The value can be written with a signature.
  public static let authenticatedSignedWrites = Self(rawValue: 0x40)
  /// An extended-properties descriptor lists further properties.
  public static let extendedProperties = Self(rawValue: 0x80)
  /// Only trusted devices can enable notifications.
  public static let notifyEncryptionRequired = Self(rawValue: 0x100)
  /// Only trusted devices can enable indications.
  public static let indicateEncryptionRequired = Self(rawValue: 0x200)
}

/// What centrals may do with one of the app's own attributes.
public struct CBAttributePermissions: OptionSet, Sendable {
  /// The bit mask.
  public let rawValue: UInt
  /// Creates a set from a bit mask.
  public init(rawValue: UInt) { self.rawValue = rawValue }
  /// Any central may read the value.
  public static let readable = Self(rawValue: 1)
  /// Any central may write the value.
  public static let writeable = Self(rawValue: 2)
  /// Only trusted devices may read the value.
  public static let readEncryptionRequired = Self(rawValue: 4)
  /// Only trusted devices may write the value.
  public static let writeEncryptionRequired = Self(rawValue: 8)
}
