import NearbyBluetooth

/// An advertisement as the controller reported it to the kernel.
///
/// Source: Bluetooth Core 5.4 Vol 4 Part E §7.7.65.2 (LE Advertising Report event) and §7.7.65.13 (LE
/// Extended Advertising Report event).
package struct AdvertisingReport: Equatable, Sendable {
  /// Upper-case hexadecimal with colons, as BlueZ writes it.
  package var address: String
  /// Whether the address is a resolvable private one: it changes, and only holders of its key can recognize
  /// it.
  package var isResolvable: Bool
  package var isConnectable: Bool
  /// Whether this is the response to an active scan rather than an advertisement.
  package var isScanResponse: Bool
  package var rssi: Int
  package var payload: [UInt8]

  private static let legacy: UInt8 = 0x02
  private static let extended: UInt8 = 0x0D

  /// Parses all reports of a packet from a raw HCI socket. Returns the reports before the first truncated
  /// one, and none for any other kind of packet.
  ///
  /// Octets of the packet; numbers are little-endian:
  ///
  ///     0  H4 packet type, 0x04 (event)
  ///     1  event code, 0x3E (LE meta event)
  ///     2  number of octets that follow
  ///     3  subevent code, 0x02 (legacy) or 0x0D (extended)
  ///     4  number of reports
  ///     5  reports, one after another
  ///
  /// A legacy report:
  ///
  ///     0  event type: 0 and 1 connectable, 4 scan response
  ///     1  address type: 0 public, 1 random
  ///     2  address, 6 octets
  ///     8  data length n
  ///     9  data, n octets, then RSSI in dBm, signed
  ///
  /// An extended report; the octets not listed are skipped:
  ///
  ///     0   event type, 2 octets: bit 0 connectable, bit 3 scan response
  ///     2   address type
  ///     3   address, 6 octets
  ///     13  RSSI in dBm, signed
  ///     23  data length n
  ///     24  data, n octets
  package static func reports(in packet: [UInt8]) -> [AdvertisingReport] {
    // Packet type, event code, length, subevent code, number of reports.
    guard packet.count > 4, packet[0] == 0x04, packet[1] == 0x3E, Int(packet[2]) == packet.count - 3 else {
      return []
    }
    var rest = packet[5...]
    var reports: [AdvertisingReport] = []
    for _ in 0..<packet[4] {
      let report: AdvertisingReport? =
        switch packet[3] {
        case legacy: takeLegacy(&rest)
        case extended: takeExtended(&rest)
        case _: nil
        }
      guard let report else { break }
      reports.append(report)
    }
    return reports
  }

  private static func takeLegacy(_ rest: inout ArraySlice<UInt8>) -> AdvertisingReport? {
    guard let head = popOctets(9, from: &rest), let data = popOctets(Int(head[8]), from: &rest),
      let strength = popOctets(1, from: &rest)
    else { return nil }
    return AdvertisingReport(
      addressType: head[1], address: head[2..<8], isConnectable: head[0] <= 1, isScanResponse: head[0] == 4,
      strength: strength[0], payload: data)
  }

  private static func takeExtended(_ rest: inout ArraySlice<UInt8>) -> AdvertisingReport? {
    guard let head = popOctets(24, from: &rest), let data = popOctets(Int(head[23]), from: &rest) else {
      return nil
    }
    return AdvertisingReport(
      addressType: head[2], address: head[3..<9], isConnectable: head[0] & 1 != 0,
      isScanResponse: head[0] & 8 != 0, strength: head[13], payload: data)
  }

  private static func popOctets(_ count: Int, from rest: inout ArraySlice<UInt8>) -> [UInt8]? {
    guard rest.count >= count else { return nil }
    defer { rest = rest.dropFirst(count) }
    return Array(rest.prefix(count))
  }

  /// - Parameter address: Six octets, little-endian.
  private init(
    addressType: UInt8, address: ArraySlice<UInt8>, isConnectable: Bool, isScanResponse: Bool,
    strength: UInt8,
    payload: [UInt8]
  ) {
    self.address = address.reversed().map { octet in
      (octet < 16 ? "0" : "") + String(octet, radix: 16, uppercase: true)
    }.joined(separator: ":")
    isResolvable = addressType == 1 && (address.last ?? 0) >> 6 == 1
    self.isConnectable = isConnectable
    self.isScanResponse = isScanResponse
    rssi = Int(Int8(bitPattern: strength))
    self.payload = payload
  }
}
