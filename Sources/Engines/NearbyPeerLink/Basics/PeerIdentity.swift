import NearbyOctets

/// Identifies a peer by the fingerprint of its public key: SHA-256 of the DER SubjectPublicKeyInfo.
///
/// The shell computes it from its own key, and from the certificate that a handshake proved. This module uses
/// only its order: of two peers, the one with the lower identity leads their connection.
package struct PeerIdentity: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// Number of octets.
  package static let size = 32

  private let a: UInt64
  private let b: UInt64
  private let c: UInt64
  private let d: UInt64

  /// - Parameter octets: Exactly 32.
  package init(octets: [UInt8]) throws(PeerLinkError) {
    guard octets.count == Self.size else {
      throw octets.count < Self.size
        ? .octets(.identity, at: octets.count, .truncated(needed: Self.size, left: octets.count))
        : .octets(.identity, at: Self.size, .leftover(count: octets.count - Self.size))
    }
    let words = octets.span
    (a, b, c, d) = (
      words.bigEndian(at: 0), words.bigEndian(at: 8), words.bigEndian(at: 16), words.bigEndian(at: 24)
    )
  }

  package var octets: [UInt8] {
    var octets: [UInt8] = []
    octets.reserveCapacity(Self.size)
    for word in [a, b, c, d] { octets.append(bigEndian: word) }
    return octets
  }

  /// 64 lower-case hexadecimal digits, as in the TXT record.
  package var description: String {
    let digits = Array("0123456789abcdef")
    return String(octets.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
  }

  /// Parses what `description` returns.
  package init(hexadecimal text: some StringProtocol) throws(PeerLinkError) {
    var octets: [UInt8] = []
    var high: UInt8?
    for (index, digit) in text.utf8.enumerated() {
      let value: UInt8
      switch digit {
      case 0x30...0x39: value = digit - 0x30
      case 0x61...0x66: value = digit - 0x61 + 10
      default: throw .octets(.identity, at: index, .outOfRange(found: UInt64(digit), expected: 0x30...0x66))
      }
      if let first = high {
        octets.append(first << 4 | value)
        high = nil
      } else {
        high = value
      }
    }
    guard high == nil else { throw .octets(.identity, at: text.utf8.count, .truncated(needed: 1, left: 0)) }
    try self.init(octets: octets)
  }

  package static func < (left: Self, right: Self) -> Bool {
    if left.a != right.a { return left.a < right.a }
    if left.b != right.b { return left.b < right.b }
    if left.c != right.c { return left.c < right.c }
    return left.d < right.d
  }

  // A fingerprint is as good as random, so hashing a part of it is enough.
  package func hash(into hasher: inout Hasher) { hasher.combine(a) }
}
