import NearbyBluetooth

/// A device's services, read from the daemon's objects.
///
/// The daemon derives the path of each object from the attribute's handle, which serves as the identifier
/// here:
///
///     /org/bluez/hci0/dev_…/service0010/char0011/desc0013
package enum GATTTable {
  /// The handle in the last four digits of a path.
  static func id(of path: String) -> AttributeID? {
    guard path.utf8.count > 4 else { return nil }
    return UInt16(path.suffix(4), radix: 16).map { AttributeID(Int($0)) }
  }

  /// The object of a characteristic or descriptor.
  static func attribute(
    _ id: AttributeID, of device: String, in tree: BlueZTree
  ) -> (path: String, interface: String)? {
    for interface in [BlueZName.characteristic, BlueZName.descriptor] {
      let path = tree.paths(with: interface, under: device + "/service").first { Self.id(of: $0) == id }
      if let path { return (path, interface) }
    }
    return nil
  }

  /// The complete table, sorted by handle; malformed entries are omitted.
  package static func services(of device: String, in tree: BlueZTree) -> [GATTService] {
    let services = tree.paths(with: BlueZName.gattService, under: device + "/service").compactMap { path in
      service(at: path, in: tree)
    }
    return services.sorted { $0.id < $1.id }
  }

  private static func service(at path: String, in tree: BlueZTree) -> GATTService? {
    guard let properties = tree[path, BlueZName.gattService], let id = id(of: path),
      let uuid = uuid(properties)
    else { return nil }
    let characteristics = tree.paths(with: BlueZName.characteristic, under: path + "/").compactMap {
      characteristic(at: $0, in: tree)
    }
    var service = GATTService(
      id: id, uuid: uuid, isPrimary: properties["Primary"]?.boolValue ?? true,
      characteristics: characteristics.sorted { $0.id < $1.id })
    service.includedServices = (properties["Includes"]?.elements ?? []).compactMap {
      $0.pathValue.flatMap { Self.id(of: $0) }
    }
    return service
  }

  private static func characteristic(at path: String, in tree: BlueZTree) -> GATTCharacteristic? {
    guard let properties = tree[path, BlueZName.characteristic], let id = id(of: path),
      let uuid = uuid(properties)
    else { return nil }
    let descriptors = tree.paths(with: BlueZName.descriptor, under: path + "/").compactMap { path in
      descriptor(at: path, in: tree)
    }
    return GATTCharacteristic(
      id: id, uuid: uuid, properties: CharacteristicProperties(flags: properties["Flags"]?.strings ?? []),
      descriptors: descriptors.sorted { $0.id < $1.id })
  }

  private static func descriptor(at path: String, in tree: BlueZTree) -> GATTDescriptor? {
    guard let properties = tree[path, BlueZName.descriptor], let id = id(of: path),
      let uuid = uuid(properties)
    else { return nil }
    return GATTDescriptor(id: id, uuid: uuid)
  }

  private static func uuid(_ properties: BlueZTree.Properties) -> BluetoothUUID? {
    properties["UUID"]?.stringValue.flatMap { BluetoothUUID($0) }
  }
}

extension CharacteristicProperties {
  private static let names: [(String, CharacteristicProperties)] = [
    ("broadcast", .broadcast), ("read", .read), ("write-without-response", .writeWithoutResponse),
    ("write", .write), ("notify", .notify), ("indicate", .indicate),
    ("authenticated-signed-writes", .authenticatedSignedWrites),
    ("extended-properties", .extendedProperties),
  ]

  init(flags: [String]) {
    self = []
    for (name, property) in Self.names where flags.contains(name) { insert(property) }
  }

  /// The flags of a characteristic served by us.
  func flags(_ permissions: AttributePermissions) -> [String] {
    var flags: [String] = []
    for (name, property) in Self.names where contains(property) && property != .extendedProperties {
      switch property {
      case .read where permissions.contains(.readEncryptionRequired): flags.append("encrypt-read")
      case .write where permissions.contains(.writeEncryptionRequired): flags.append("encrypt-write")
      case _: flags.append(name)
      }
    }
    if contains(.writeWithoutResponse), !contains(.write), permissions.contains(.writeEncryptionRequired) {
      flags.append("encrypt-write")
    }
    // A daemon that does not know these flags rejects the service, rather than sending values unencrypted.
    if contains(.notifyEncryptionRequired) { flags += ["notify", "encrypt-notify"] }
    if contains(.indicateEncryptionRequired) { flags += ["indicate", "encrypt-indicate"] }
    return flags
  }
}
