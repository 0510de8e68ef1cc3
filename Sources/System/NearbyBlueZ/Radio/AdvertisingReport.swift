import NearbyBluetooth

/// One advertisement as a controller reported it to the kernel.
///
/// Source: Bluetooth Core 5.4, volume 4, part E, 7.7.65.2 and 7.7.65.13.
package struct AdvertisingReport: Equatable, Sendable {
  /// As BlueZ writes it, capitals with colons.
  package var address: String
  /// A random address that changes, and that only those who hold its key can tell from others.
  package var isResolvable: Bool
  package var isConnectable: Bool
  /// An answer to a scan's question rather than an advertisement.
  package var isScanResponse: Bool
  package var rssi: Int
  package var payload: [UInt8]

  private static let legacy: UInt8 = 0x02
  private static let extended: UInt8 = 0x0D

  /// All reports of one packet of a raw HCI socket; none where it is something else, and those before the first
  /// that is cut short.
  package static func reports(in packet: [UInt8]) -> [AdvertisingReport] {
    // H4's type of an event, the event's code, its length, its subevent, how many.
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
    guard let head = take(9, from: &rest), let data = take(Int(head[8]), from: &rest),
      let strength = take(1, from: &rest)
    else { return nil }
    return AdvertisingReport(
      addressType: head[1], address: head[2..<8], isConnectable: head[0] <= 1, isScanResponse: head[0] == 4,
      strength: strength[0], payload: data)
  }

  private static func takeExtended(_ rest: inout ArraySlice<UInt8>) -> AdvertisingReport? {
    guard let head = take(24, from: &rest), let data = take(Int(head[23]), from: &rest) else { return nil }
    return AdvertisingReport(
      addressType: head[2], address: head[3..<9], isConnectable: head[0] & 1 != 0,
      isScanResponse: head[0] & 8 != 0, strength: head[13], payload: data)
  }

  private static func take(_ count: Int, from rest: inout ArraySlice<UInt8>) -> [UInt8]? {
    guard rest.count >= count else { return nil }
    defer { rest = rest.dropFirst(count) }
    return Array(rest.prefix(count))
  }

  /// - Parameter address: Least significant octet first.
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
