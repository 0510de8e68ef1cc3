import NearbyOctets

/// What a datagram is, as far as DTLS 1.2 shows it to everybody (RFC 6347, section 4.1).
///
/// What has none of these shapes never gets to the library: anybody may have sent it, and the library ends a
/// connection over some of it, as over a clear alert in a handshake, or over a sealed record shorter than its
/// seal, which it takes for a fault of its own.
enum DatagramShape {
  /// Begins a handshake.
  case hello
  /// Another part of a handshake, as its first record at least has no keys yet.
  case handshake
  /// Sealed with keys.
  case sealed

  private static let header = 13
  /// Explicit nonce and tag of AES-GCM: the least that is sealed.
  private static let seal = 8 + 16
  private static let helloType: UInt8 = 1
  private static let handshakeType: UInt8 = 22
  /// ChangeCipherSpec, alert, handshake and application data.
  private static let types: ClosedRange<UInt8> = 20...23

  /// - Returns: `nil` where any record is one that neither side sends.
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
        // Alerts in the clear are nobody's, and data in the clear even less.
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
