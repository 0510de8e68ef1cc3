import NearbyBlueZ
import NearbyBluetooth

/// Parses octets as the data of a raw HCI socket.
func fuzzHCIReports(_ octets: [UInt8]) {
  for report in AdvertisingReport.reports(in: octets) {
    precondition(
      report.address.count == 17, "an address has \(report.address.count) characters instead of 17")
    let advertisement = Advertisement(payload: report.payload.span, isConnectable: report.isConnectable)
    precondition(advertisement.isConnectable == report.isConnectable)
  }
}

/// Makes signals from octets, similar to the daemon's or not, and then reads the resulting state in every
/// way.
func fuzzBlueZSignals(_ octets: [UInt8]) {
  var reader = ValueReader(octets: octets[...])
  var tree = BlueZTree()
  for _ in 0..<12 {
    let path = reader.pick(ValueReader.paths)
    let member = reader.pick([
      "InterfacesAdded", "InterfacesRemoved", "PropertiesChanged", "PropertiesChanged",
    ])
    let interface = member.hasPrefix("Interfaces") ? BlueZName.objectManager : BlueZName.properties
    let body = reader.body(of: member, path)
    _ = tree.apply(
      BusSignal(sender: ":1.1", path: path, interface: interface, member: member, body: body))
  }
  _ = BlueZTree(managed: reader.value(3))
  for path in ValueReader.paths {
    _ = GATTTable.services(of: path, in: tree)
    if let known = tree[path, BlueZName.device] {
      let advertisement = Advertisement(told: known, known: known)
      precondition(
        Advertisement(told: known, known: known) == advertisement,
        "an advertisement differs when it is built twice from the same properties")
    }
  }
}

private struct ValueReader {
  static let device = "/org/bluez/hci0/dev_AA_BB_CC_DD_EE_FF"
  static let paths = [
    device, device + "/service0010", device + "/service0010/char0011",
    device + "/service0010/char0011/desc0013",
    device + "/servicexyz", "/", "/org/bluez/hci0",
  ]
  private static let interfaces = [
    BlueZName.device, BlueZName.gattService, BlueZName.characteristic, BlueZName.descriptor,
    BlueZName.adapter,
  ]
  private static let names = [
    "RSSI", "Address", "AddressType", "Name", "UUIDs", "ManufacturerData", "ServiceData", "AdvertisingFlags",
    "TxPower", "UUID", "Flags", "Primary", "Includes", "Value", "MTU", "Connected",
  ]
  private static let texts = [
    "random", "AA:BB", "", "180d", "0000180d-0000-1000-8000-00805f9b34fb", "read", "zz",
  ]

  var octets: ArraySlice<UInt8>

  mutating func octet() -> Int { Int(octets.popFirst() ?? 0) }
  mutating func pick<Item>(_ items: [Item]) -> Item { items[octet() % items.count] }

  mutating func body(of member: String, _ path: String) -> [BusValue] {
    switch octet() % 4 {
    case 0: (0..<octet() % 4).map { _ in value(3) }
    case _ where member == "InterfacesAdded":
      [
        .path(path),
        .dictionary(key: "s", value: "a{sv}", [BusEntry(.string(pick(Self.interfaces)), properties())]),
      ]
    case _ where member == "InterfacesRemoved": [.path(path), .strings([pick(Self.interfaces)])]
    case _: [.string(pick(Self.interfaces)), properties(), .strings([pick(Self.names)])]
    }
  }

  private mutating func properties() -> BusValue {
    .options((0..<octet() % 6).map { _ in (pick(Self.names), value(2)) })
  }

  mutating func value(_ depth: Int) -> BusValue {
    switch octet() % (depth > 0 ? 13 : 8) {
    case 0: .byte(UInt8(octet()))
    case 1: .bool(octet() % 2 == 0)
    case 2: .int16(Int16(truncatingIfNeeded: octet() << 8 | octet()))
    case 3: .uint16(UInt16(octet()))
    case 4: .string(pick(Self.texts))
    case 5: .path(pick(Self.paths))
    case 6: .bytes((0..<octet() % 30).map { _ in UInt8(octet()) })
    case 7: .uint64(UInt64(octet()))
    case 8: .strings((0..<octet() % 4).map { _ in pick(Self.texts) })
    case 9: .variant(value(depth - 1))
    case 10: .options([(pick(Self.names), value(depth - 1))])
    case 11:
      .dictionary(key: "q", value: "v", [BusEntry(.uint16(UInt16(octet())), .variant(value(depth - 1)))])
    case _: .array(of: "v", (0..<octet() % 3).map { _ in .variant(value(depth - 1)) })
    }
  }
}
