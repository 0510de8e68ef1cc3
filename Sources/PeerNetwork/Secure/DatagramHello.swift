// Parts of the C library come by whichever of these modules the compiler meets first.
import CAvahi
import CLinux
import COpenSSL
import Foundation

/// Looks at the datagram that waits at a socket, as far as DTLS shows it to everybody (RFC 6347, section 4.1).
enum DatagramHello {
  /// Record header, handshake header, version and random of a ClientHello.
  private static let count = 13 + 12 + 2 + 32

  /// Whether it is of a handshake without keys yet.
  static func isHandshake(at descriptor: Int32) -> Bool {
    let octets = peek(descriptor)
    return octets.count >= 14 && (20...22).contains(octets[0]) && octets[3] == 0 && octets[4] == 0
  }

  /// Whether it begins a handshake that is not the one of `connection`.
  static func waits(at descriptor: Int32, otherThan connection: OpaquePointer) -> Bool {
    let octets = peek(descriptor)
    // ClientHello, the whole or its first part.
    guard octets.count == count, octets[0] == 22, octets[3] == 0, octets[4] == 0, octets[13] == 1,
      octets[19...21].allSatisfy({ $0 == 0 })
    else { return false }
    var known = [UInt8](repeating: 0, count: 32)
    // All zero in one that has met no hello that it could read. A forged record number may have made it deaf.
    _ = SSL_get_client_random(connection, &known, known.count)
    return !octets[27...].elementsEqual(known)
  }

  private static func peek(_ descriptor: Int32) -> [UInt8] {
    var octets = [UInt8](repeating: 0, count: count)
    let got = recv(descriptor, &octets, count, Int32(MSG_PEEK))
    return Array(octets.prefix(max(0, got)))
  }
}
