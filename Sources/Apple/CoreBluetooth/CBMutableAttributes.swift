import Foundation
import NearbyBluetooth
import Synchronization

/// Numbers the app's own attributes, uniquely per process because an attribute may be created before its
/// manager.
enum OwnAttributes {
  private static let last = Mutex(0)

  static func next() -> AttributeID {
    last.withLock { last in
      last += 1
      return AttributeID(last)
    }
  }

  /// Reserves the numbers of attributes restored from an earlier process.
  static func restored(_ ids: [AttributeID]) {
    last.withLock { last in last = max(last, ids.map(\.number).max() ?? 0) }
  }
}

/// A service that this app publishes.
open class CBMutableService: CBService, @unchecked Sendable {
  /// Creates a service. Set its characteristics, then pass it to `CBPeripheralManager.add(_:)`.
  public init(type UUID: CBUUID, primary isPrimary: Bool) {
    super.init(id: OwnAttributes.next(), uuid: UUID, isPrimary: isPrimary)
  }

  /// Recreates a service that an earlier process published.
  init(_ gatt: GATTService) {
    super.init(id: gatt.id, uuid: CBUUID(gatt.uuid), isPrimary: gatt.isPrimary)
    characteristics = gatt.characteristics.map(CBMutableCharacteristic.init)
  }

  /// The services this one includes; add those to the manager first.
  open override var includedServices: [CBService]? {
    get { contents.withLock { $0.included } }
    set { contents.withLock { $0.included = newValue } }
  }

  /// The characteristics of the service.
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

/// A characteristic that this app publishes.
open class CBMutableCharacteristic: CBCharacteristic, @unchecked Sendable {
  private struct Own: Sendable {
    var permissions: CBAttributePermissions
    var subscribed: [CBCentral] = []
  }

  // All mutable state is behind this lock.
  private let own: Mutex<Own>

  /// Creates a characteristic.
  ///
  /// - Parameters:
  ///   - UUID: The characteristic's type.
  ///   - properties: The operations it supports.
  ///   - value: A constant, read-only value. With `nil`, every read and write becomes a request to the app.
  ///   - permissions: What centrals may do, in addition to what `properties` allow.
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

  /// What centrals may do.
  open var permissions: CBAttributePermissions {
    get { own.withLock { $0.permissions } }
    set { own.withLock { $0.permissions = newValue } }
  }

  /// The centrals that subscribed to notifications or indications.
  open var subscribedCentrals: [CBCentral]? { own.withLock { $0.subscribed } }

  /// The operations the characteristic supports. Changes after its service was added have no effect.
  open override var properties: CBCharacteristicProperties {
    get { contents.withLock { $0.properties } }
    set { contents.withLock { $0.properties = newValue } }
  }

  /// The constant value, or `nil`. Changes after the service was added have no effect.
  open override var value: Data? {
    get { contents.withLock { $0.value } }
    set { contents.withLock { $0.value = newValue } }
  }

  /// The characteristic's descriptors. Changes after the service was added have no effect.
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

  /// - Returns: The central that was removed, or `nil` if it had not subscribed.
  func unsubscribed(_ peer: BluetoothPeer) -> CBCentral? {
    own.withLock { own in
      guard let index = own.subscribed.firstIndex(where: { $0.peer == peer }) else { return nil }
      return own.subscribed.remove(at: index)
    }
  }

  func unsubscribeAll() { own.withLock { $0.subscribed = [] } }
}

/// A descriptor that this app publishes: a user description or a presentation format.
open class CBMutableDescriptor: CBDescriptor, @unchecked Sendable {
  /// Creates a descriptor.
  ///
  /// - Parameters:
  ///   - UUID: The descriptor's type.
  ///   - value: A `String` for a user description, otherwise `Data`; an `NSNumber` becomes two octets,
  ///     little-endian.
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
  /// The service in the form the Bluetooth engine takes.
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
