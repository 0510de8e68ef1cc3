import Foundation
import NearbyBluetooth
import Synchronization

/// Gives the app's own attributes numbers: distinct in the process, since an object may be made before its manager.
enum OwnAttributes {
  private static let last = Mutex(0)

  static func next() -> AttributeID {
    last.withLock { last in
      last += 1
      return AttributeID(last)
    }
  }

  /// These belong to an earlier process; no others get them.
  static func restored(_ ids: [AttributeID]) {
    last.withLock { last in last = max(last, ids.map(\.number).max() ?? 0) }
  }
}

/// A service that the app serves.
open class CBMutableService: CBService, @unchecked Sendable {
  /// Makes a service; give it characteristics, then `add` it.
  public init(type UUID: CBUUID, primary isPrimary: Bool) {
    super.init(id: OwnAttributes.next(), uuid: UUID, isPrimary: isPrimary)
  }

  /// What an earlier process served.
  init(_ gatt: GATTService) {
    super.init(id: gatt.id, uuid: CBUUID(gatt.uuid), isPrimary: gatt.isPrimary)
    characteristics = gatt.characteristics.map(CBMutableCharacteristic.init)
  }

  /// Services that are part of it; they are to be added before.
  open override var includedServices: [CBService]? {
    get { contents.withLock { $0.included } }
    set { contents.withLock { $0.included = newValue } }
  }

  /// What it holds.
  open override var characteristics: [CBCharacteristic]? {
    get { contents.withLock { $0.characteristics } }
    set {
      contents.withLock { $0.characteristics = newValue }
      for characteristic in newValue ?? [] {
        characteristic.contents.withLock { $0.service = self }
      }
    }
  }
}

/// A characteristic that the app serves.
open class CBMutableCharacteristic: CBCharacteristic, @unchecked Sendable {
  private struct Own: Sendable {
    var permissions: CBAttributePermissions
    var subscribed: [CBCentral] = []
  }

  // What changes is behind the lock.
  private let own: Mutex<Own>

  /// Makes a characteristic.
  ///
  /// - Parameters:
  ///   - UUID: What kind of value it is.
  ///   - properties: What can be done with it.
  ///   - value: Served as it is, and then it can only be read; with `nil` every read and write is a request.
  ///   - permissions: What others may do, beside what `properties` say that can be done.
  public init(
    type UUID: CBUUID, properties: CBCharacteristicProperties, value: Data?,
    permissions: CBAttributePermissions
  ) {
    own = Mutex(Own(permissions: permissions))
    super.init(id: OwnAttributes.next(), uuid: UUID, properties: properties, value: value)
  }

  init(_ gatt: GATTCharacteristic) {
    own = Mutex(Own(permissions: CBAttributePermissions(rawValue: UInt(gatt.permissions.rawValue))))
    super.init(
      id: gatt.id, uuid: CBUUID(gatt.uuid),
      properties: CBCharacteristicProperties(rawValue: UInt(gatt.properties.rawValue)),
      value: gatt.value.map { Data($0) })
    descriptors = gatt.descriptors.map(CBMutableDescriptor.init)
  }

  /// What others may do.
  open var permissions: CBAttributePermissions {
    get { own.withLock { $0.permissions } }
    set { own.withLock { $0.permissions = newValue } }
  }

  /// Who has its changes told.
  open var subscribedCentrals: [CBCentral]? { own.withLock { $0.subscribed } }

  /// What can be done with it; what it is when the service is added counts.
  open override var properties: CBCharacteristicProperties {
    get { contents.withLock { $0.properties } }
    set { contents.withLock { $0.properties = newValue } }
  }

  /// What it is when the service is added counts.
  open override var value: Data? {
    get { contents.withLock { $0.value } }
    set { contents.withLock { $0.value = newValue } }
  }

  /// What it is when the service is added counts.
  open override var descriptors: [CBDescriptor]? {
    get { contents.withLock { $0.descriptors } }
    set {
      contents.withLock { $0.descriptors = newValue }
      for descriptor in newValue ?? [] { descriptor.contents.withLock { $0.characteristic = self } }
    }
  }

  func subscribed(_ central: CBCentral) {
    own.withLock { own in
      if !own.subscribed.contains(where: { $0.peer == central.peer }) { own.subscribed.append(central) }
    }
  }

  /// - Returns: Who it was.
  func unsubscribed(_ peer: BluetoothPeer) -> CBCentral? {
    own.withLock { own in
      guard let index = own.subscribed.firstIndex(where: { $0.peer == peer }) else { return nil }
      return own.subscribed.remove(at: index)
    }
  }

  func unsubscribeAll() { own.withLock { $0.subscribed = [] } }
}

/// A descriptor that the app serves: a description or a format.
open class CBMutableDescriptor: CBDescriptor, @unchecked Sendable {
  /// Makes a descriptor.
  ///
  /// - Parameters:
  ///   - UUID: What kind of value it is.
  ///   - value: A `String` for a description, else `Data`; an `NSNumber` counts as two octets.
  public init(type UUID: CBUUID, value: Any?) {
    super.init(id: OwnAttributes.next(), uuid: UUID, octets: Self.octets(of: value))
  }

  init(_ gatt: GATTDescriptor) { super.init(id: gatt.id, uuid: CBUUID(gatt.uuid), octets: gatt.value) }

  private static func octets(of value: Any?) -> [UInt8]? {
    switch value {
    case let data as Data: return [UInt8](data)
    case let text as String: return Array(text.utf8)
    case let number as NSNumber:
      let number = UInt16(truncatingIfNeeded: number.intValue)
      return [UInt8(number & 0xFF), UInt8(number >> 8)]
    case _: return nil
    }
  }
}

extension CBMutableService {
  /// As the device's Bluetooth takes it.
  var gatt: GATTService {
    var service = GATTService(
      id: id, uuid: uuid.value, isPrimary: isPrimary,
      characteristics: (characteristics ?? []).compactMap { ($0 as? CBMutableCharacteristic)?.gatt })
    service.includedServices = (includedServices ?? []).map(\.id)
    return service
  }
}

extension CBMutableCharacteristic {
  fileprivate var gatt: GATTCharacteristic {
    GATTCharacteristic(
      id: id, uuid: uuid.value,
      properties: CharacteristicProperties(rawValue: UInt16(truncatingIfNeeded: properties.rawValue)),
      permissions: AttributePermissions(rawValue: UInt8(truncatingIfNeeded: permissions.rawValue)),
      value: value.map { [UInt8]($0) },
      descriptors: (descriptors ?? []).map {
        GATTDescriptor(id: $0.id, uuid: $0.uuid.value, value: $0.contents.withLock { $0.octets })
      })
  }
}
