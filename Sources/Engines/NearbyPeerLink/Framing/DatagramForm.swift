import NearbyOctets

/// An unreliable message as a datagram, with sizes in octets:
///
///     0x4D (1) | low half of the connection's number, little-endian (4) | message
package enum DatagramForm {
  package static let headerSize = 5
  static let mark: UInt8 = 0x4D

  static func write(_ payload: Span<UInt8>, connection: UInt64) -> [UInt8] {
    var octets: [UInt8] = []
    octets.reserveCapacity(headerSize + payload.count)
    octets.append(mark)
    octets.append(littleEndian: UInt32(truncatingIfNeeded: connection))
    octets.append(copying: payload)
    return octets
  }

  /// Parses a datagram.
  ///
  /// - Returns: The low half of the connection's number, and the message.
  package static func parse(
    _ octets: Span<UInt8>
  ) throws(PeerLinkError) -> (connection: UInt32, payload: [UInt8]) {
    guard octets.count >= headerSize else {
      throw .octets(
        .frameHeader, at: octets.count, .truncated(needed: headerSize - octets.count, left: 0))
    }
    guard octets[0] == mark else {
      throw .octets(
        .frameHeader, at: 0, .outOfRange(found: UInt64(octets[0]), expected: UInt64(mark)...UInt64(mark)))
    }
    return (octets.littleEndian(at: 1), octets.extracting(droppingFirst: headerSize).octets)
  }
}
