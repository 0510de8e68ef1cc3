import NearbyBluetooth
import NearbyOctets

/// Bluetooth events: a number, then the event's fields. A result is 1 and a value, or 0 and a failure.
///
/// | number | event | fields |
/// |---|---|---|
/// | 0 | state | state `u8` |
/// | 1 | restored | list of connected peers, see below, list of connecting peers, optional scan, |
/// | | | services, optional advertising |
/// | 2 | sighted | peer, advertisement, RSSI `i8`, time `u64` (ns) |
/// | 3, 12, 22 | connected, ready to write, central gone | peer |
/// | 4 | not connected | peer, failure |
/// | 5 | disconnected | peer, optional failure |
/// | 6 | discovered | peer, result: list of services |
/// | 7 | read | peer, attribute, result: value |
/// | 8 | notified | peer, attribute, value |
/// | 9 | wrote | peer, attribute, optional failure |
/// | 10 | notifying | peer, attribute, on `u8`, optional failure |
/// | 11 | RSSI | peer, result: `i8` |
/// | 13 | services changed | peer, list of attributes |
/// | 14 | name changed | peer, optional text |
/// | 15 | added | attribute, optional failure |
/// | 16 | advertising | optional failure |
/// | 17 | subscribed | peer, attribute, maximum update `u16` |
/// | 18 | unsubscribed | peer, attribute |
/// | 19 | read request | peer, attribute, request, offset `u16` |
/// | 20 | write request | peer, request, list of writes: attribute, offset `u16`, value |
/// | 21 | ready to update | |
/// | 23 | sounded | peer, result: time `u64` (ns), three optional distances `f64` (m), power `f64` (dBm), |
/// | | | good tones `u8` |
/// | 24, 25 | sounding ended, paired | peer, optional failure |
///
/// A connected peer in `restored` has an optional list of services and a list of the attributes that notify.
extension Array where Element == UInt8 {
  mutating func append(event: BluetoothEvent) {
    switch event {
    case .state(let state): self += [0, UInt8(state.rawValue)]
    case .restored(let restoration):
      append(1)
      append(restoration: restoration)
    case .sighted(let sighting):
      append(2, sighting.peer)
      append(advertisement: sighting.advertisement)
      append(UInt8(bitPattern: Int8(clamping: sighting.rssi)))
      append(time: sighting.time)
    case .connected, .notConnected, .disconnected, .discovered, .read, .notified, .wrote, .notifying, .rssi,
      .readyToWrite, .servicesChanged, .nameChanged, .sounded, .soundingEnded,
      .paired:
      append(centralEvent: event)
    case .added, .advertising, .subscribed, .unsubscribed, .readRequest, .writeRequest, .readyToUpdate,
      .centralGone:
      append(peripheralEvent: event)
    }
  }

  private mutating func append(centralEvent event: BluetoothEvent) {
    switch event {
    case .connected(let peer): append(3, peer)
    case .notConnected(let peer, let failure):
      append(4, peer)
      append(failure: failure)
    case .disconnected(let peer, let failure):
      append(5, peer)
      append(optional: failure)
    case .discovered(let peer, let result):
      append(6, peer)
      append(result: result) { $0.append(list: $1) { $0.append(service: $1) } }
    case .read(let peer, let id, let result):
      append(7, peer, id)
      append(result: result) { $0.append(value: $1) }
    case .notified(let peer, let id, let value):
      append(8, peer, id)
      append(value: value)
    case .wrote(let peer, let id, let failure):
      append(9, peer, id)
      append(optional: failure)
    case .notifying(let peer, let id, let isOn, let failure):
      append(10, peer, id)
      append(flag: isOn)
      append(optional: failure)
    case .rssi(let peer, let result):
      append(11, peer)
      append(result: result) { $0.append(UInt8(bitPattern: Int8(clamping: $1))) }
    case .readyToWrite(let peer): append(12, peer)
    case .servicesChanged(let peer, let ids):
      append(13, peer)
      append(list: ids) { $0.append(attribute: $1) }
    case .nameChanged(let peer, let name):
      append(14, peer)
      append(optional: name) { $0.append(text: $1, maximum: BluetoothLimits.text) }
    case .sounded(let peer, let result):
      append(23, peer)
      append(result: result) { $0.append(sounding: $1) }
    case .soundingEnded(let peer, let failure):
      append(24, peer)
      append(optional: failure)
    case .paired(let peer, let failure):
      append(25, peer)
      append(optional: failure)
    case .state, .restored, .sighted, .added, .advertising, .subscribed, .unsubscribed, .readRequest,
      .writeRequest, .readyToUpdate, .centralGone:
      break
    }
  }

  private mutating func append(peripheralEvent event: BluetoothEvent) {
    switch event {
    case .added(let id, let failure):
      append(15)
      append(attribute: id)
      append(optional: failure)
    case .advertising(let failure):
      append(16)
      append(optional: failure)
    case .subscribed(let peer, let id, let maximum):
      append(17, peer, id)
      append(littleEndian: UInt16(clamping: maximum))
    case .unsubscribed(let peer, let id): append(18, peer, id)
    case .readRequest(let request, let peer, let id, let offset):
      append(19, peer, id)
      append(request: request)
      append(littleEndian: UInt16(clamping: offset))
    case .writeRequest(let request, let peer, let writes):
      append(20, peer)
      append(request: request)
      append(list: writes) { octets, write in
        octets.append(attribute: write.attribute)
        octets.append(littleEndian: UInt16(clamping: write.offset))
        octets.append(value: write.value)
      }
    case .readyToUpdate: append(21)
    case .centralGone(let peer): append(22, peer)
    case .state, .restored, .sighted, .connected, .notConnected, .disconnected, .discovered, .read,
      .notified, .wrote, .notifying, .rssi, .readyToWrite, .servicesChanged, .nameChanged, .sounded,
      .soundingEnded, .paired:
      break
    }
  }

  /// Writes a peer's services; returns `nil` if they are unknown or the message has no room for them.
  private static func table(_ services: [GATTService]?, after octets: Int) -> [UInt8]? {
    guard let services else { return nil }
    var table: [UInt8] = []
    table.append(list: services) { $0.append(service: $1) }
    return octets + table.count <= BluetoothLimits.restoredTables ? table : nil
  }

  private mutating func append(restoration: BluetoothRestoration) {
    append(list: restoration.connected) { octets, peer in
      octets.append(peer: peer)
      octets.append(optional: Self.table(restoration.tables[peer], after: octets.count)) { $0 += $1 }
      octets.append(list: restoration.notifying[peer] ?? []) { $0.append(attribute: $1) }
    }
    append(list: restoration.connecting) { $0.append(peer: $1) }
    append(optional: restoration.scan) { $0.append(scan: $1) }
    append(list: restoration.services) { $0.append(service: $1) }
    append(optional: restoration.advertising) { $0.append(advertising: $1) }
  }
}

extension WorldReader {
  mutating func takeEvent() throws(WorldProtocolError) -> BluetoothEvent {
    let number = try takeUInt8("event")
    switch number {
    case 0:
      let state = try takeUInt8("state")
      guard let state = BluetoothState(rawValue: Int(state)) else {
        throw error("state", back: 1, "\(state); 0 to 5 expected")
      }
      return .state(state)
    case 1: return .restored(try takeRestoration())
    case 15:
      let id = try takeAttribute()
      return .added(id, try takeOptionalFailure())
    case 16: return .advertising(try takeOptionalFailure())
    case 21: return .readyToUpdate
    case 2...14, 17...20, 22...25: return try takeEvent(number, of: try takePeer())
    default: throw error("event", back: 1, "\(number); 0 to 25 expected")
    }
  }

  private mutating func takeEvent(
    _ number: UInt8, of peer: BluetoothPeer
  ) throws(WorldProtocolError) -> BluetoothEvent {
    switch number {
    case 2:
      let advertisement = try takeAdvertisement()
      let rssi = Int(Int8(bitPattern: try takeUInt8("RSSI")))
      return .sighted(
        BluetoothSighting(
          peer: peer, advertisement: advertisement, rssi: rssi, time: try takeTime("time")))
    case 3: return .connected(peer)
    case 4: return .notConnected(peer, try takeFailure())
    case 5: return .disconnected(peer, try takeOptionalFailure())
    case 6:
      return .discovered(
        peer, try takeResult { (reader) throws(WorldProtocolError) in try reader.takeServices() })
    case 11:
      return .rssi(
        peer,
        try takeResult { (reader) throws(WorldProtocolError) in
          Int(Int8(bitPattern: try reader.takeUInt8("RSSI")))
        })
    case 12: return .readyToWrite(peer)
    case 13:
      return .servicesChanged(
        peer,
        try takeList("attributes") { (reader) throws(WorldProtocolError) in try reader.takeAttribute() })
    case 14:
      return .nameChanged(
        peer,
        try takeOptional("name") { (reader) throws(WorldProtocolError) in
          try reader.takeText("name", maximum: BluetoothLimits.text)
        })
    case 20: return try takeWriteRequest(of: peer)
    case 22: return .centralGone(peer)
    case 23:
      return .sounded(
        peer, try takeResult { (reader) throws(WorldProtocolError) in try reader.takeSounding() })
    case 24: return .soundingEnded(peer, try takeOptionalFailure())
    case 25: return .paired(peer, try takeOptionalFailure())
    default: return try takeEvent(number, of: peer, try takeAttribute())
    }
  }

  /// Parses events 7 to 10 and 17 to 19, whose fields begin with a peer and an attribute.
  private mutating func takeEvent(
    _ number: UInt8, of peer: BluetoothPeer, _ id: AttributeID
  ) throws(WorldProtocolError) -> BluetoothEvent {
    switch number {
    case 7:
      return .read(
        peer, id, try takeResult { (reader) throws(WorldProtocolError) in try reader.takeValue() })
    case 8: return .notified(peer, id, try takeValue())
    case 9: return .wrote(peer, id, try takeOptionalFailure())
    case 10:
      let isOn = try takeBool("on")
      return .notifying(peer, id, isOn, try takeOptionalFailure())
    case 17: return .subscribed(peer, id, maximumUpdate: Int(try takeUInt16("maximum")))
    case 18: return .unsubscribed(peer, id)
    default:
      let request = try takeRequest()
      return .readRequest(request, peer, id, offset: Int(try takeUInt16("offset")))
    }
  }

  private mutating func takeWriteRequest(
    of peer: BluetoothPeer
  ) throws(WorldProtocolError) -> BluetoothEvent {
    let request = try takeRequest()
    let writes = try takeList("writes") { (reader) throws(WorldProtocolError) in
      let attribute = try reader.takeAttribute()
      let offset = Int(try reader.takeUInt16("offset"))
      return BluetoothWrite(attribute: attribute, offset: offset, value: try reader.takeValue())
    }
    return .writeRequest(request, peer, writes)
  }

  private mutating func takeRestoration() throws(WorldProtocolError) -> BluetoothRestoration {
    var it = BluetoothRestoration()
    let count = Int(try takeUInt16("connected"))
    guard count <= BluetoothLimits.list else {
      throw error("connected", back: 2, "\(count); at most \(BluetoothLimits.list)")
    }
    for _ in 0..<count {
      let peer = try takePeer()
      it.connected.append(peer)
      it.tables[peer] = try takeOptional("table") { (reader) throws(WorldProtocolError) in
        try reader.takeServices()
      }
      let notifying = try takeList("notifying") { (reader) throws(WorldProtocolError) in
        try reader.takeAttribute()
      }
      if !notifying.isEmpty { it.notifying[peer] = notifying }
    }
    it.connecting = try takeList("connecting") { (reader) throws(WorldProtocolError) in
      try reader.takePeer()
    }
    it.scan = try takeOptional("scan") { (reader) throws(WorldProtocolError) in try reader.takeScan() }
    it.services = try takeServices()
    it.advertising = try takeOptional("advertising") { (reader) throws(WorldProtocolError) in
      try reader.takeAdvertising()
    }
    return it
  }
}

extension Array where Element == UInt8 {
  fileprivate mutating func append(sounding: BluetoothSounding) {
    append(time: sounding.time)
    for distance in [sounding.impulseResponse, sounding.phaseSlope, sounding.roundTrip] {
      append(optional: distance) { $0.append(number: $1) }
    }
    append(number: sounding.power)
    append(flag: sounding.hasGoodTones)
  }
}

extension WorldReader {
  fileprivate mutating func takeSounding() throws(WorldProtocolError) -> BluetoothSounding {
    let time = try takeTime("time")
    let impulseResponse = try takeDistance("impulse response")
    let phaseSlope = try takeDistance("phase slope")
    let roundTrip = try takeDistance("round trip")
    return BluetoothSounding(
      time: time, impulseResponse: impulseResponse, phaseSlope: phaseSlope, roundTrip: roundTrip,
      power: try takeDouble("power", limit: 1000), hasGoodTones: try takeBool("good tones"))
  }

  private mutating func takeDistance(_ name: String) throws(WorldProtocolError) -> Double? {
    try takeOptional(name) { (reader) throws(WorldProtocolError) in
      try reader.takeDouble(name, limit: 1e6)
    }
  }
}
