import NearbyOctets

/// What kind of datagram this is, judging by the DTLS 1.2 record headers, which are not encrypted.
///
/// Only datagrams of these kinds are passed to the library. Anybody may have sent the others, and some of
/// them make the library end a connection, for example an unencrypted alert during a handshake, or a sealed
/// record shorter than its seal. The header of each record, with sizes in octets (RFC 6347, section 4.1):
///
///     type (1) | version (2), FE first | epoch (2) | sequence number (6) | size of the fragment (2)
enum DatagramShape {
  /// The start of a handshake.
  case hello
  /// Another part of a handshake, of which at least the first record is not encrypted.
  case handshake
  /// Encrypted with the connection's keys.
  case sealed

  private static let header = 13
  /// Explicit nonce and tag of AES-GCM: the smallest sealed fragment.
  private static let seal = 8 + 16
  private static let helloType: UInt8 = 1
  private static let handshakeType: UInt8 = 22
  /// ChangeCipherSpec, alert, handshake and application data.
  private static let types: ClosedRange<UInt8> = 20...23

  /// - Returns: `nil` if any record is of a kind that neither side sends.
  init?(of octets: Span<UInt8>) {
    var index = 0
    var first: DatagramShape?
    while index < octets.count {
      guard index + Self.header <= octets.count, Self.types.contains(octets[index]), octets[index + 1] == 0xFE
      else { return nil }
      let count = Int(octets.bigEndian(UInt16.self, at: index + 11))
      let isSealed = octets[index + 3] != 0 || octets[index + 4] != 0
      let body = index + Self.header
      guard body + count <= octets.count else { return nil }
      if isSealed {
        guard count >= Self.seal else { return nil }
        first = first ?? .sealed
      } else {
        // Neither side sends alerts or data unencrypted.
        let isHandshake = octets[index] == Self.handshakeType
        guard isHandshake || octets[index] == Self.types.lowerBound, count > 0 else { return nil }
        first = first ?? (isHandshake && octets[body] == Self.helloType ? .hello : .handshake)
      }
      index = body + count
    }
    guard let first else { return nil }
    self = first
  }
}
