import CNearbyOpenSSL

/// HKDF with SHA-256, by OpenSSL's HMAC.
///
/// Source: RFC 5869, section 2.
package enum KeyDerivation {
  /// Octets of one SHA-256 output.
  private static let hashLength = 32

  /// Derives key material from a secret.
  ///
  /// - Parameters:
  ///   - secret: Input key material, any length.
  ///   - salt: Names the protocol that asks, any length.
  ///   - info: Names the use of the key, any length.
  ///   - count: Octets wanted, 1 to 8160.
  package static func expand(secret: [UInt8], salt: [UInt8], info: [UInt8], count: Int) -> [UInt8] {
    precondition((1...255 * hashLength).contains(count), "HKDF gives 1 to 8160 octets, asked for \(count)")
    let key = authenticate(secret, key: salt)
    var output: [UInt8] = []
    var block: [UInt8] = []
    var counter: UInt8 = 1
    while output.count < count {
      block = authenticate(block + info + [counter], key: key)
      output += block
      counter &+= 1
    }
    return Array(output.prefix(count))
  }

  /// Without OpenSSL's clean-up at exit: a program may end while a device's queue still derives a key.
  private static let isSetUp = OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_ATEXIT), nil) == 1

  private static func authenticate(_ message: [UInt8], key: [UInt8]) -> [UInt8] {
    precondition(isSetUp, "OpenSSL starts")
    var digest = [UInt8](repeating: 0, count: hashLength)
    var length: UInt32 = 0
    let result = HMAC(
      EVP_sha256(), key, Int32(key.count), message, message.count, &digest, &length)
    precondition(result != nil && length == hashLength, "HMAC-SHA-256 is always there in OpenSSL 3")
    return digest
  }
}
