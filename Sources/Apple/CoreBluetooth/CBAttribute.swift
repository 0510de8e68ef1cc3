import Foundation
import NearbyBluetooth
import Synchronization

/// What a service, a characteristic and a descriptor have in common.
open class CBAttribute: NSObject, @unchecked Sendable {
  // Immutable.
  let id: AttributeID
  /// What it is.
  public let uuid: CBUUID

  init(id: AttributeID, uuid: CBUUID) {
    self.id = id
    self.uuid = uuid
  }
}

/// A service of another device, or of the app's own as `CBMutableService`.
open class CBService: CBAttribute, @unchecked Sendable {
  struct Contents: Sendable {
    weak var peripheral: CBPeripheral?
    var included: [CBService]?
    var characteristics: [CBCharacteristic]?
  }

  // What changes is behind the lock.
  let contents = Mutex(Contents())
  /// Whether it stands for itself, not as part of another.
  public let isPrimary: Bool

  init(id: AttributeID, uuid: CBUUID, isPrimary: Bool, peripheral: CBPeripheral? = nil) {
    self.isPrimary = isPrimary
    super.init(id: id, uuid: uuid)
    contents.withLock { $0.peripheral = peripheral }
  }

  /// Whose it is; `nil` for the app's own, and once that object is gone.
  open weak var peripheral: CBPeripheral? { contents.withLock { $0.peripheral } }
  /// As far as they were discovered.
  open var includedServices: [CBService]? { contents.withLock { $0.included } }
  /// As far as they were discovered.
  open var characteristics: [CBCharacteristic]? { contents.withLock { $0.characteristics } }
}

/// A characteristic of another device, or of the app's own as `CBMutableCharacteristic`.
open class CBCharacteristic: CBAttribute, @unchecked Sendable {
  struct Contents: Sendable {
    weak var service: CBService?
    var properties: CBCharacteristicProperties
    var value: Data?
    var descriptors: [CBDescriptor]?
    var isNotifying = false
  }

  // What changes is behind the lock.
  let contents: Mutex<Contents>

  init(
    id: AttributeID, uuid: CBUUID, properties: CBCharacteristicProperties, value: Data? = nil,
    service: CBService? = nil
  ) {
    contents = Mutex(Contents(properties: properties, value: value))
    super.init(id: id, uuid: uuid)
    contents.withLock { $0.service = service }
  }

  /// Whose it is, while that object is kept.
  open weak var service: CBService? { contents.withLock { $0.service } }
  /// What can be done with it.
  open var properties: CBCharacteristicProperties { contents.withLock { $0.properties } }
  /// As it was last read or told.
  open var value: Data? { contents.withLock { $0.value } }
  /// As far as they were discovered.
  open var descriptors: [CBDescriptor]? { contents.withLock { $0.descriptors } }
  /// Whether its changes are told.
  open var isNotifying: Bool { contents.withLock { $0.isNotifying } }
}

/// A descriptor of another device, or of the app's own as `CBMutableDescriptor`.
open class CBDescriptor: CBAttribute, @unchecked Sendable {
  struct Contents: Sendable {
    weak var characteristic: CBCharacteristic?
    /// As octets; what they mean the UUID says.
    var octets: [UInt8]?
  }

  // What changes is behind the lock.
  let contents = Mutex(Contents())

  init(id: AttributeID, uuid: CBUUID, characteristic: CBCharacteristic? = nil, octets: [UInt8]? = nil) {
    super.init(id: id, uuid: uuid)
    contents.withLock {
      $0.characteristic = characteristic
      $0.octets = octets
    }
  }

  /// Whose it is, while that object is kept.
  open weak var characteristic: CBCharacteristic? { contents.withLock { $0.characteristic } }

  /// As it was last read: a `String` for a description, an `NSNumber` for configurations and extended
  /// properties, else `Data`.
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

/// What can be done with a characteristic.
public struct CBCharacteristicProperties: OptionSet, Sendable {
  /// The bits.
  public let rawValue: UInt
  /// Makes one of bits.
  public init(rawValue: UInt) { self.rawValue = rawValue }
  /// Its value can be in advertisements.
  public static let broadcast = Self(rawValue: 0x01)
  /// It can be read.
  public static let read = Self(rawValue: 0x02)
  /// It can be written without an answer.
  public static let writeWithoutResponse = Self(rawValue: 0x04)
  /// It can be written.
  public static let write = Self(rawValue: 0x08)
  /// Its changes can be told.
  public static let notify = Self(rawValue: 0x10)
  /// Its changes can be told, and are confirmed.
  public static let indicate = Self(rawValue: 0x20)
  /// It can be written with a signature.
  public static let authenticatedSignedWrites = Self(rawValue: 0x40)
  /// A descriptor says more.
  public static let extendedProperties = Self(rawValue: 0x80)
  /// Only trusted devices are told.
  public static let notifyEncryptionRequired = Self(rawValue: 0x100)
  /// Only trusted devices are told.
  public static let indicateEncryptionRequired = Self(rawValue: 0x200)
}

/// What others may do with a characteristic of the app's own.
public struct CBAttributePermissions: OptionSet, Sendable {
  /// The bits.
  public let rawValue: UInt
  /// Makes one of bits.
  public init(rawValue: UInt) { self.rawValue = rawValue }
  /// Everybody may read it.
  public static let readable = Self(rawValue: 1)
  /// Everybody may write it.
  public static let writeable = Self(rawValue: 2)
  /// Trusted devices may read it.
  public static let readEncryptionRequired = Self(rawValue: 4)
  /// Trusted devices may write it.
  public static let writeEncryptionRequired = Self(rawValue: 8)
}
