import NearbyOctets

/// The contents of an advertisement, parsed into fields.
package struct Advertisement: Hashable, Sendable {
  package struct ServiceData: Hashable, Sendable {
    package var service: BluetoothUUID
    package var octets: [UInt8]
    package init(service: BluetoothUUID, octets: [UInt8]) {
      self.service = service
      self.octets = octets
    }
  }

  package struct ManufacturerData: Hashable, Sendable {
    /// The company identifier assigned by the Bluetooth SIG; Apple's is 0x004C.
    package var company: UInt16
    /// The octets after the company identifier.
    package var octets: [UInt8]
    package init(company: UInt16, octets: [UInt8]) {
      self.company = company
      self.octets = octets
    }
  }

  package var flags: UInt8?
  package var name: String?
  package var services: [BluetoothUUID] = []
  package var solicitedServices: [BluetoothUUID] = []
  package var serviceData: [ServiceData] = []
  package var manufacturerData: [ManufacturerData] = []
  /// The transmit power at the antenna, in dBm. A beacon's measured power at 1 m is a different value.
  package var transmitPower: Int8?
  package var isConnectable = false
  /// The requested services that an app in the background advertises in the overflow area. Only a scan that
  /// names a service can detect it there. Not part of any payload.
  package var overflowServices: [BluetoothUUID] = []

  package init() {}

  /// The capacity of a legacy advertisement, and again of its scan response, in octets.
  package static let legacyPayload = 31
}

extension Advertisement {
  /// Parses an advertising payload. As in real receivers, structures of other types are skipped, and those
  /// before a structure that exceeds the payload are kept.
  package init(payload: Span<UInt8>, isConnectable: Bool) {
    self.init()
    self.isConnectable = isConnectable
    add(payload)
  }

  /// Adds the fields of a scan response.
  package mutating func add(_ payload: Span<UInt8>) {
    try? AdvertisingStructures.forEach(in: payload) { type, range in
      var data: [UInt8] = []
      data.reserveCapacity(range.count)
      for index in range { data.append(payload[index]) }
      add(data, type: type)
    }
  }

  private mutating func add(_ data: [UInt8], type: UInt8) {
    typealias Kind = AdvertisingStructures.Kind
    switch type {
    case Kind.flags: flags = data.first
    case Kind.shortName where name == nil, Kind.completeName: name = String(decoding: data, as: UTF8.self)
    case Kind.someServices16, Kind.allServices16: add(Self.uuids(data, size: 2), to: \.services)
    case Kind.someServices32, Kind.allServices32: add(Self.uuids(data, size: 4), to: \.services)
    case Kind.someServices128, Kind.allServices128: add(Self.uuids(data, size: 16), to: \.services)
    case Kind.solicited16: add(Self.uuids(data, size: 2), to: \.solicitedServices)
    case Kind.solicited128: add(Self.uuids(data, size: 16), to: \.solicitedServices)
    case Kind.transmitPower: transmitPower = data.first.map(Int8.init(bitPattern:))
    case Kind.serviceData16: addServiceData(data, size: 2)
    case Kind.serviceData32: addServiceData(data, size: 4)
    case Kind.serviceData128: addServiceData(data, size: 16)
    case Kind.manufacturerData where data.count >= 2:
      let company = UInt16(littleEndianOctets: data.prefix(2))
      manufacturerData.append(ManufacturerData(company: company, octets: Array(data.dropFirst(2))))
    case _: break
    }
  }

  private mutating func add(_ uuids: [BluetoothUUID], to list: WritableKeyPath<Self, [BluetoothUUID]>) {
    for uuid in uuids where !self[keyPath: list].contains(uuid) { self[keyPath: list].append(uuid) }
  }

  private mutating func addServiceData(_ data: [UInt8], size: Int) {
    guard data.count >= size, let uuid = BluetoothUUID(bigEndian: data[..<size].reversed()) else { return }
    serviceData.append(ServiceData(service: uuid, octets: Array(data[size...])))
  }

  private static func uuids(_ data: [UInt8], size: Int) -> [BluetoothUUID] {
    stride(from: 0, to: data.count - data.count % size, by: size).compactMap {
      BluetoothUUID(bigEndian: data[$0..<$0 + size].reversed())
    }
  }

  /// The advertisement as AD structures, of any length. The sender must check whether they fit into its
  /// packets.
  package var payload: [UInt8] {
    typealias Kind = AdvertisingStructures.Kind
    var octets: [UInt8] = []
    func append(_ type: UInt8, _ data: [UInt8]) {
      // A structure's length field is one octet, which also counts the type.
      let data = data.prefix(254)
      octets += [UInt8(data.count + 1), type] + data
    }
    func append(_ uuids: [BluetoothUUID], _ types: [Int: UInt8]) {
      for (size, type) in types.sorted(by: { $0.key < $1.key }) {
        let fitting = uuids.filter { $0.shortestOctets.count == size }
        guard !fitting.isEmpty else { continue }
        append(type, fitting.flatMap { $0.shortestOctets.reversed() })
      }
    }
    if let flags { append(Kind.flags, [flags]) }
    for data in manufacturerData {
      append(Kind.manufacturerData, data.company.littleEndianOctets + data.octets)
    }
    append(services, [2: Kind.allServices16, 4: Kind.allServices32, 16: Kind.allServices128])
    append(
      solicitedServices.filter { $0.shortestOctets.count != 4 },
      [2: Kind.solicited16, 16: Kind.solicited128])
    for data in serviceData {
      let uuid = data.service.shortestOctets
      let type =
        uuid.count == 2 ? Kind.serviceData16 : uuid.count == 4 ? Kind.serviceData32 : Kind.serviceData128
      append(type, uuid.reversed() + data.octets)
    }
    if let transmitPower { append(Kind.transmitPower, [UInt8(bitPattern: transmitPower)]) }
    if let name { append(Kind.completeName, Array(name.utf8)) }
    return octets
  }
}
