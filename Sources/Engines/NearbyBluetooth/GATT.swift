/// Identifies an attribute in a device's current table: its handle.
package struct AttributeID: Hashable, Comparable, Sendable {
  package let number: Int
  package init(_ number: Int) { self.number = number }
  package static func < (left: Self, right: Self) -> Bool { left.number < right.number }
}

/// The operations that a characteristic offers to clients. Source of the raw values: Bluetooth Core 5.4, volume 3, part
/// G, 3.3.1.1; those beyond one octet are CoreBluetooth's own.
package struct CharacteristicProperties: OptionSet, Hashable, Sendable {
  package let rawValue: UInt16
  package init(rawValue: UInt16) { self.rawValue = rawValue }
  package static let broadcast = Self(rawValue: 0x01)
  package static let read = Self(rawValue: 0x02)
  package static let writeWithoutResponse = Self(rawValue: 0x04)
  package static let write = Self(rawValue: 0x08)
  package static let notify = Self(rawValue: 0x10)
  package static let indicate = Self(rawValue: 0x20)
  package static let authenticatedSignedWrites = Self(rawValue: 0x40)
  package static let extendedProperties = Self(rawValue: 0x80)
  package static let notifyEncryptionRequired = Self(rawValue: 0x100)
  package static let indicateEncryptionRequired = Self(rawValue: 0x200)
}

/// How a server allows an attribute to be used. Clients learn this only when a request is rejected.
package struct AttributePermissions: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }
  package static let readable = Self(rawValue: 1)
  package static let writeable = Self(rawValue: 2)
  package static let readEncryptionRequired = Self(rawValue: 4)
  package static let writeEncryptionRequired = Self(rawValue: 8)
}

/// A service in a device's attribute table, either published here or discovered on a peer.
package struct GATTService: Hashable, Sendable {
  package var id: AttributeID
  package var uuid: BluetoothUUID
  package var isPrimary: Bool
  package var includedServices: [AttributeID] = []
  package var characteristics: [GATTCharacteristic]

  package init(
    id: AttributeID, uuid: BluetoothUUID, isPrimary: Bool = true, characteristics: [GATTCharacteristic]
  ) {
    self.id = id
    self.uuid = uuid
    self.isPrimary = isPrimary
    self.characteristics = characteristics
  }
}

package struct GATTCharacteristic: Hashable, Sendable {
  package var id: AttributeID
  package var uuid: BluetoothUUID
  package var properties: CharacteristicProperties
  /// The permissions of a published characteristic; empty if it was discovered.
  package var permissions: AttributePermissions
  /// The fixed value of a published characteristic, which is served without asking the program; `nil` if
  /// the program answers each read.
  package var value: [UInt8]?
  package var descriptors: [GATTDescriptor]

  package init(
    id: AttributeID, uuid: BluetoothUUID, properties: CharacteristicProperties,
    permissions: AttributePermissions = [], value: [UInt8]? = nil, descriptors: [GATTDescriptor] = []
  ) {
    self.id = id
    self.uuid = uuid
    self.properties = properties
    self.permissions = permissions
    self.value = value
    self.descriptors = descriptors
  }
}

package struct GATTDescriptor: Hashable, Sendable {
  package var id: AttributeID
  package var uuid: BluetoothUUID
  package var value: [UInt8]?

  package init(id: AttributeID, uuid: BluetoothUUID, value: [UInt8]? = nil) {
    self.id = id
    self.uuid = uuid
    self.value = value
  }
}

/// Why a server rejected a request. Source: Bluetooth Core 5.4, volume 3, part F, 3.4.1.1.
package struct ATTError: Error, Hashable, Sendable {
  package let code: UInt8
  package init(code: UInt8) { self.code = code }
  package static let invalidHandle = Self(code: 0x01)
  package static let readNotPermitted = Self(code: 0x02)
  package static let writeNotPermitted = Self(code: 0x03)
  package static let invalidPDU = Self(code: 0x04)
  package static let insufficientAuthentication = Self(code: 0x05)
  package static let requestNotSupported = Self(code: 0x06)
  package static let invalidOffset = Self(code: 0x07)
  package static let insufficientAuthorization = Self(code: 0x08)
  package static let prepareQueueFull = Self(code: 0x09)
  package static let attributeNotFound = Self(code: 0x0A)
  package static let attributeNotLong = Self(code: 0x0B)
  package static let insufficientEncryptionKeySize = Self(code: 0x0C)
  package static let invalidAttributeValueLength = Self(code: 0x0D)
  package static let unlikelyError = Self(code: 0x0E)
  package static let insufficientEncryption = Self(code: 0x0F)
  package static let unsupportedGroupType = Self(code: 0x10)
  package static let insufficientResources = Self(code: 0x11)
}
