import NearbyBluetooth
import NearbyOctets

/// Bluetooth commands: a number, then the command's fields. A peer or a UUID has 16 octets, an attribute or a
/// request is a `u64`, and a value is preceded by its 16-bit count.
///
/// | number | command | fields |
/// |---|---|---|
/// | 0 | scan | optional list of services, allows duplicates `u8` |
/// | 1, 11, 13 | stop scan, remove all services, stop advertising | |
/// | 2, 3, 4, 8 | connect, disconnect, discover, read RSSI | peer |
/// | 5 | read | peer, attribute |
/// | 6 | write | peer, attribute, value, with response `u8` |
/// | 7 | set notify | peer, attribute, on `u8` |
/// | 9 | add | service |
/// | 10 | remove | attribute |
/// | 12 | advertise | advertisement, optional interval `u64` (ns) |
/// | 14 | respond | request, value |
/// | 15 | respond with an error | request, ATT error code `u8` |
/// | 16 | answer pairing | accepts `u8` |
/// | 17, 18 | start, stop Channel Sounding | peer |
/// | 19 | offer Channel Sounding | offers `u8` |
/// | 20 | show only these peers to the app | optional list of peers |
/// | 21 | pair | peer |
extension Array where Element == UInt8 {
  mutating func append(command: BluetoothCommand) {
    switch command {
    case .scan(let scan):
      append(0)
      append(scan: scan)
    case .stopScan: append(1)
    case .connect(let peer): append(2, peer)
    case .disconnect(let peer): append(3, peer)
    case .discover(let peer): append(4, peer)
    case .read(let peer, let id): append(5, peer, id)
    case .write(let peer, let id, let value, let withResponse):
      append(6, peer, id)
      append(value: value)
      append(flag: withResponse)
    case .setNotify(let peer, let id, let isOn):
      append(7, peer, id)
      append(flag: isOn)
    case .readRSSI(let peer): append(8, peer)
    case .add(let service):
      append(9)
      append(service: service)
    case .remove(let id):
      append(10)
      append(attribute: id)
    case .removeAll: append(11)
    case .advertise(let advertising):
      append(12)
      append(advertising: advertising)
    case .stopAdvertising: append(13)
    case .respond(let id, .success(let value)):
      append(14)
      append(request: id)
      append(value: value)
    case .respond(let id, .failure(let error)):
      append(15)
      append(request: id)
      append(error.code)
    case .acceptPairing(let accepts):
      append(16)
      append(flag: accepts)
    case .startSounding(let peer): append(17, peer)
    case .stopSounding(let peer): append(18, peer)
    case .offerSounding(let offers):
      append(19)
      append(flag: offers)
    case .showOnly(let peers):
      append(20)
      append(optional: peers) { $0.append(list: $1) { $0.append(peer: $1) } }
    case .pair(let peer): append(21, peer)
    }
  }

  mutating func append(_ number: UInt8, _ peer: BluetoothPeer) {
    append(number)
    append(peer: peer)
  }

  mutating func append(_ number: UInt8, _ peer: BluetoothPeer, _ id: AttributeID) {
    append(number, peer)
    append(attribute: id)
  }
}

extension WorldReader {
  mutating func takeCommand() throws(WorldProtocolError) -> BluetoothCommand {
    let number = try takeUInt8("command")
    switch number {
    case 0: return .scan(try takeScan())
    case 1: return .stopScan
    case 2: return .connect(try takePeer())
    case 3: return .disconnect(try takePeer())
    case 4: return .discover(try takePeer())
    case 5...7: return try takeAttributeCommand(number)
    case 8: return .readRSSI(try takePeer())
    case 9: return .add(try takeService())
    case 10: return .remove(try takeAttribute())
    case 11: return .removeAll
    case 12: return .advertise(try takeAdvertising())
    case 13: return .stopAdvertising
    case 14:
      let id = try takeRequest()
      return .respond(id, .success(try takeValue()))
    case 15:
      let id = try takeRequest()
      return .respond(id, .failure(ATTError(code: try takeUInt8("code"))))
    case 16: return .acceptPairing(try takeBool("accepts"))
    case 17: return .startSounding(try takePeer())
    case 18: return .stopSounding(try takePeer())
    case 19: return .offerSounding(try takeBool("offers"))
    case 20:
      return .showOnly(
        try takeOptional("peers") { (reader) throws(WorldProtocolError) in
          try reader.takeList("peers") { (reader) throws(WorldProtocolError) in try reader.takePeer() }
        })
    case 21: return .pair(try takePeer())
    default: throw error("command", back: 1, "\(number); 0 to 21 expected")
    }
  }

  private mutating func takeAttributeCommand(_ number: UInt8) throws(WorldProtocolError) -> BluetoothCommand {
    let peer = try takePeer()
    let id = try takeAttribute()
    guard number != 5 else { return .read(peer, id) }
    guard number == 6 else { return .setNotify(peer, id, try takeBool("on")) }
    let value = try takeValue()
    return .write(peer, id, value, withResponse: try takeBool("response"))
  }
}
