import Foundation

/// Stores octets in an archive as text with a checksum, so that a corrupted token is rejected rather than
/// read as a different one.
///
///     Base64( octets | FNV-1a checksum of the octets: 32 bits, little-endian )
///
/// Property lists store this text as ASCII.
package enum SealedOctets {
  package static func text(_ octets: [UInt8]) -> String {
    let sum = checkSum(octets)
    return Data(octets + (0..<4).map { UInt8(truncatingIfNeeded: sum >> (8 * $0)) }).base64EncodedString()
  }

  /// Returns `nil` for text that `text(_:)` did not produce.
  package static func octets(_ text: String) -> [UInt8]? {
    guard let all = Data(base64Encoded: text), all.count >= 4 else { return nil }
    let octets = Array(all.dropLast(4))
    return Self.text(octets) == text ? octets : nil
  }

  private static func checkSum(_ octets: [UInt8]) -> UInt32 {
    octets.reduce(0x811C_9DC5) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
  }
}
