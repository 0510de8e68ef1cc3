import NearbyBluetooth
import NearbyOctets

/// Writes the values used in Bluetooth messages.
///
/// | value | layout |
/// |---|---|
/// | peer, UUID | high half `u64`, low half `u64` |
/// | attribute, request | `u64`, below 2⁴⁸ |
/// | list | count `u16`, at most 1024, then the entries |
/// | value | count `u16`, at most 1024, then the octets |
/// | advertisement | optional flags `u8`, optional name, services, solicited services, service data, |
/// | | manufacturer data, optional power `i8`, connectable `u8`, overflow services |
/// | service | attribute, UUID, primary `u8`, list of included attributes, list of characteristics |
/// | characteristic | attribute, UUID, properties `u16`, permissions `u8`, optional value, |
/// | | list of descriptors |
/// | descriptor | attribute, UUID, optional value |
/// | failure | number `u8`, 0 to 12; for 12 also the ATT error code `u8` |
extension Array where Element == UInt8 {
  mutating func append(peer: BluetoothPeer) {
    append(littleEndian: peer.high)
    append(littleEndian: peer.low)
  }

  mutating func append(uuid: BluetoothUUID) {
    append(littleEndian: uuid.high)
    append(littleEndian: uuid.low)
  }

  mutating func append(attribute: AttributeID) { append(littleEndian: Int64(attribute.number)) }
  mutating func append(request: BluetoothRequestID) { append(littleEndian: Int64(request.number)) }
  mutating func append(time: Duration) { append(littleEndian: WorldTime.nanoseconds(time)) }
  mutating func append(value: [UInt8]) { append(counted: value, maximum: BluetoothLimits.value) }

  /// Writes a list after its 16-bit count. It ends after `BluetoothLimits.list` entries, or before the entry
  /// that would make the message longer than `BluetoothLimits.message`.
  mutating func append<Value>(list: [Value], _ body: (inout Self, Value) -> Void) {
    let start = count
    append(littleEndian: UInt16(0))
    var kept: UInt16 = 0
    for value in list.prefix(BluetoothLimits.list) {
      let end = count
      body(&self, value)
      guard count <= BluetoothLimits.message else {
        removeSubrange(end...)
        break
      }
      kept &+= 1
    }
    replace(at: start, littleEndian: kept)
  }

  mutating func append(uuids: [BluetoothUUID]) { append(list: uuids) { $0.append(uuid: $1) } }

  mutating func append(scan: BluetoothScan) {
    append(optional: scan.services) { $0.append(uuids: $1) }
    append(flag: scan.allowsDuplicates)
  }

  mutating func append(advertisement: Advertisement) {
    append(optional: advertisement.flags) { $0.append($1) }
    append(optional: advertisement.name) { $0.append(text: $1, maximum: BluetoothLimits.text) }
    append(uuids: advertisement.services)
    append(uuids: advertisement.solicitedServices)
    append(list: advertisement.serviceData) { octets, data in
      octets.append(uuid: data.service)
      octets.append(value: data.octets)
    }
    append(list: advertisement.manufacturerData) { octets, data in
      octets.append(littleEndian: data.company)
      octets.append(value: data.octets)
    }
    append(optional: advertisement.transmitPower) { $0.append(UInt8(bitPattern: $1)) }
    append(flag: advertisement.isConnectable)
    append(uuids: advertisement.overflowServices)
  }

  mutating func append(advertising: BluetoothAdvertising) {
    append(advertisement: advertising.advertisement)
    append(optional: advertising.interval) { $0.append(time: $1) }
  }

  mutating func append(service: GATTService) {
    append(attribute: service.id)
    append(uuid: service.uuid)
    append(flag: service.isPrimary)
    append(list: service.includedServices) { $0.append(attribute: $1) }
    append(list: service.characteristics) { octets, it in
      octets.append(attribute: it.id)
      octets.append(uuid: it.uuid)
      octets.append(littleEndian: it.properties.rawValue)
      octets.append(it.permissions.rawValue)
      octets.append(optional: it.value) { $0.append(value: $1) }
      octets.append(list: it.descriptors) { octets, descriptor in
        octets.append(attribute: descriptor.id)
        octets.append(uuid: descriptor.uuid)
        octets.append(optional: descriptor.value) { $0.append(value: $1) }
      }
    }
  }

  mutating func append(failure: BluetoothFailure) {
    switch failure {
    case .notConnected: append(0)
    case .connectionTimeout: append(1)
    case .peripheralDisconnected: append(2)
    case .connectionFailed: append(3)
    case .connectionLimitReached: append(4)
    case .unknownPeer: append(5)
    case .operationCancelled: append(6)
    case .pairingFailed: append(7)
    case .encryptionTimedOut: append(8)
    case .notSupported: append(9)
    case .alreadyAdvertising: append(10)
    case .invalidParameters: append(11)
    case .att(let error): self += [12, error.code]
    case .soundingConfigurationFailed: append(13)
    case .soundingProcedureFailed: append(14)
    }
  }

  mutating func append(optional failure: BluetoothFailure?) {
    append(optional: failure) { $0.append(failure: $1) }
  }

  /// Writes 1 and a value, or 0 and a failure.
  mutating func append<Value>(
    result: Result<Value, BluetoothFailure>, _ body: (inout Self, Value) -> Void
  ) {
    switch result {
    case .success(let value):
      append(1)
      body(&self, value)
    case .failure(let failure):
      append(0)
      append(failure: failure)
    }
  }
}

/// Reads the values used in Bluetooth messages.
extension WorldReader {
  mutating func takePeer() throws(WorldProtocolError) -> BluetoothPeer {
    let high = try takeUInt64("peer")
    return BluetoothPeer(high: high, low: try takeUInt64("peer"))
  }

  mutating func takeUUID() throws(WorldProtocolError) -> BluetoothUUID {
    let high = try takeUInt64("UUID")
    return BluetoothUUID(high: high, low: try takeUInt64("UUID"))
  }

  /// Rejects numbers that no program reaches by counting, so that incrementing one cannot overflow.
  mutating func takeNumber(_ field: String) throws(WorldProtocolError) -> Int {
    let value = try takeUInt64(field)
    guard value < 1 << 48 else { throw error(field, back: 8, "\(value); under 2⁴⁸ expected") }
    return Int(value)
  }

  mutating func takeAttribute() throws(WorldProtocolError) -> AttributeID {
    AttributeID(try takeNumber("attribute"))
  }

  mutating func takeRequest() throws(WorldProtocolError) -> BluetoothRequestID {
    BluetoothRequestID(number: try takeNumber("request"))
  }

  mutating func takeTime(_ field: String) throws(WorldProtocolError) -> Duration {
    let nanoseconds = try takeUInt64(field)
    guard nanoseconds <= WorldTime.latestNanoseconds else {
      throw error(field, back: 8, "\(nanoseconds) ns; at most 10¹⁸ expected")
    }
    return .nanoseconds(Int64(nanoseconds))
  }

  mutating func takeValue() throws(WorldProtocolError) -> [UInt8] {
    try takeCounted("value", maximum: BluetoothLimits.value)
  }

  mutating func takeList<Value>(
    _ field: String, _ body: (inout WorldReader) throws(WorldProtocolError) -> Value
  ) throws(WorldProtocolError) -> [Value] {
    let count = Int(try takeUInt16(field))
    guard count <= BluetoothLimits.list else {
      throw error(field, back: 2, "\(count); at most \(BluetoothLimits.list)")
    }
    // Reserve nothing, because the peer's count need not be true.
    var list: [Value] = []
    for _ in 0..<count { list.append(try body(&self)) }
    return list
  }

  mutating func takeUUIDs(_ field: String) throws(WorldProtocolError) -> [BluetoothUUID] {
    try takeList(field) { (reader) throws(WorldProtocolError) in try reader.takeUUID() }
  }

  mutating func takeScan() throws(WorldProtocolError) -> BluetoothScan {
    let services = try takeOptional("services") { (reader) throws(WorldProtocolError) in
      try reader.takeUUIDs("services")
    }
    return BluetoothScan(services: services, allowsDuplicates: try takeBool("duplicates"))
  }

  mutating func takeAdvertisement() throws(WorldProtocolError) -> Advertisement {
    var it = Advertisement()
    it.flags = try takeOptional("flags") { (reader) throws(WorldProtocolError) in
      try reader.takeUInt8("flags")
    }
    it.name = try takeOptional("name") { (reader) throws(WorldProtocolError) in
      try reader.takeText("name", maximum: BluetoothLimits.text)
    }
    it.services = try takeUUIDs("services")
    it.solicitedServices = try takeUUIDs("solicited services")
    it.serviceData = try takeList("service data") { (reader) throws(WorldProtocolError) in
      let service = try reader.takeUUID()
      return Advertisement.ServiceData(service: service, octets: try reader.takeValue())
    }
    it.manufacturerData = try takeList("manufacturer data") { (reader) throws(WorldProtocolError) in
      let company = try reader.takeUInt16("company")
      return Advertisement.ManufacturerData(company: company, octets: try reader.takeValue())
    }
    it.transmitPower = try takeOptional("power") { (reader) throws(WorldProtocolError) in
      Int8(bitPattern: try reader.takeUInt8("power"))
    }
    it.isConnectable = try takeBool("connectable")
    it.overflowServices = try takeUUIDs("overflow services")
    return it
  }

  mutating func takeAdvertising() throws(WorldProtocolError) -> BluetoothAdvertising {
    let advertisement = try takeAdvertisement()
    let interval = try takeOptional("interval") { (reader) throws(WorldProtocolError) in
      try reader.takeTime("interval")
    }
    return BluetoothAdvertising(advertisement, interval: interval)
  }

  mutating func takeServices() throws(WorldProtocolError) -> [GATTService] {
    try takeList("services") { (reader) throws(WorldProtocolError) in try reader.takeService() }
  }

  mutating func takeService() throws(WorldProtocolError) -> GATTService {
    let id = try takeAttribute()
    let uuid = try takeUUID()
    let isPrimary = try takeBool("primary")
    let included = try takeList("included services") { (reader) throws(WorldProtocolError) in
      try reader.takeAttribute()
    }
    let characteristics = try takeList("characteristics") { (reader) throws(WorldProtocolError) in
      try reader.takeCharacteristic()
    }
    var service = GATTService(id: id, uuid: uuid, isPrimary: isPrimary, characteristics: characteristics)
    service.includedServices = included
    return service
  }

  private mutating func takeCharacteristic() throws(WorldProtocolError) -> GATTCharacteristic {
    let id = try takeAttribute()
    let uuid = try takeUUID()
    let properties = CharacteristicProperties(rawValue: try takeUInt16("properties"))
    let permissions = AttributePermissions(rawValue: try takeUInt8("permissions"))
    let value = try takeOptionalValue()
    let descriptors = try takeList("descriptors") { (reader) throws(WorldProtocolError) in
      let id = try reader.takeAttribute()
      let uuid = try reader.takeUUID()
      return GATTDescriptor(id: id, uuid: uuid, value: try reader.takeOptionalValue())
    }
    return GATTCharacteristic(
      id: id, uuid: uuid, properties: properties, permissions: permissions, value: value,
      descriptors: descriptors)
  }

  private mutating func takeOptionalValue() throws(WorldProtocolError) -> [UInt8]? {
    try takeOptional("value") { (reader) throws(WorldProtocolError) in try reader.takeValue() }
  }

  mutating func takeFailure() throws(WorldProtocolError) -> BluetoothFailure {
    let number = try takeUInt8("failure")
    let plain: [BluetoothFailure] = [
      .notConnected, .connectionTimeout, .peripheralDisconnected, .connectionFailed,
      .connectionLimitReached, .unknownPeer, .operationCancelled, .pairingFailed, .encryptionTimedOut,
      .notSupported, .alreadyAdvertising, .invalidParameters,
    ]
    if plain.indices.contains(Int(number)) { return plain[Int(number)] }
    if number == 13 { return .soundingConfigurationFailed }
    if number == 14 { return .soundingProcedureFailed }
    guard Int(number) == plain.count else {
      throw error("failure", back: 1, "\(number); 0 to 14 expected")
    }
    return .att(ATTError(code: try takeUInt8("code")))
  }

  mutating func takeOptionalFailure() throws(WorldProtocolError) -> BluetoothFailure? {
    try takeOptional("failure") { (reader) throws(WorldProtocolError) in try reader.takeFailure() }
  }

  mutating func takeResult<Value>(
    _ body: (inout WorldReader) throws(WorldProtocolError) -> Value
  ) throws(WorldProtocolError) -> Result<Value, BluetoothFailure> {
    try takeBool("success") ? .success(try body(&self)) : .failure(try takeFailure())
  }
}
