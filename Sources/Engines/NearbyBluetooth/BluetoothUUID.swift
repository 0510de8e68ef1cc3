import NearbyOctets

/// A UUID of 128 bits that identifies a service or an attribute's type. Most are written as the 16 or 32
/// bits that they add to the Bluetooth Base UUID.
///
/// Source: Bluetooth Core 5.4, volume 3, part B, 2.5.1.
package struct BluetoothUUID: Hashable, Comparable, Sendable {
  /// The octets in written order, most significant first, as two halves.
  package let high: UInt64
  package let low: UInt64

  /// xxxxxxxx-0000-1000-8000-00805F9B34FB.
  private static let baseHigh: UInt64 = 0x0000_0000_0000_1000
  private static let baseLow: UInt64 = 0x8000_0080_5F9B_34FB

  package init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  package init(_ short: UInt16) { self.init(UInt32(short)) }

  package init(_ short: UInt32) {
    self.init(high: UInt64(short) << 32 | Self.baseHigh, low: Self.baseLow)
  }

  /// Creates a UUID from 2, 4 or 16 octets, most significant first; `nil` for any other count.
  package init?(bigEndian octets: some Collection<UInt8>) {
    guard octets.count == 2 || octets.count == 4 || octets.count == 16 else { return nil }
    guard octets.count == 16 else {
      self.init(UInt32(bigEndianOctets: octets))
      return
    }
    self.init(
      high: UInt64(bigEndianOctets: octets.prefix(8)), low: UInt64(bigEndianOctets: octets.dropFirst(8)))
  }

  /// Parses the written form of 4, 8 or 36 characters; `nil` for anything else.
  package init?(_ text: some StringProtocol) {
    var octets: [UInt8] = []
    let digits = text.utf8.filter { $0 != UInt8(ascii: "-") }
    let hyphens = text.utf8.enumerated().filter { $0.element == UInt8(ascii: "-") }.map(\.offset)
    switch text.utf8.count {
    case 4, 8: guard hyphens.isEmpty else { return nil }
    case 36: guard hyphens == [8, 13, 18, 23] else { return nil }
    case _: return nil
    }
    for start in stride(from: 0, to: digits.count, by: 2) {
      guard let front = Self.digit(digits[start]), let back = Self.digit(digits[start + 1]) else {
        return nil
      }
      octets.append(front << 4 | back)
    }
    self.init(bigEndian: octets)
  }

  private static func digit(_ character: UInt8) -> UInt8? {
    switch character {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): character - UInt8(ascii: "A") + 10
    case _: nil
    }
  }

  /// The number added to the Base UUID; `nil` for a UUID that is not derived from it.
  package var short: UInt32? {
    low == Self.baseLow && high & 0xFFFF_FFFF == Self.baseHigh ? UInt32(high >> 32) : nil
  }

  /// The 16 octets, most significant first.
  package var octets: [UInt8] { high.bigEndianOctets + low.bigEndianOctets }

  /// The shortest form, most significant octet first: 2, 4 or 16 octets.
  package var shortestOctets: [UInt8] {
    guard let short else { return octets }
    let four = Array(octets.prefix(4))
    return short <= UInt32(UInt16.max) ? Array(four.suffix(2)) : four
  }

  package static func < (left: Self, right: Self) -> Bool { (left.high, left.low) < (right.high, right.low) }
}

extension BluetoothUUID: CustomStringConvertible {
  /// The shortest written form: 4, 8 or 36 characters, in capitals.
  package var description: String {
    let digits = shortestOctets.map { octet in
      String(octet >> 4, radix: 16, uppercase: true) + String(octet & 15, radix: 16, uppercase: true)
    }
    guard digits.count == 16 else { return digits.joined() }
    return [0..<4, 4..<6, 6..<8, 8..<10, 10..<16].map { digits[$0].joined() }.joined(separator: "-")
  }
}
