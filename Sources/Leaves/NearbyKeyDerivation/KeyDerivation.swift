import CNearbyOpenSSL

/// HKDF with SHA-256, based on OpenSSL's HMAC.
///
/// Source: RFC 5869, section 2.
package enum KeyDerivation {
  /// Length of a SHA-256 digest, in octets.
  private static let hashLength = 32

  /// Derives key material from a secret.
  ///
  /// - Parameters:
  ///   - secret: Input key material, of any length.
  ///   - salt: Identifies the protocol, of any length.
  ///   - info: Identifies the purpose of the key, of any length.
  ///   - count: Number of octets to derive, 1 to 8160.
  package static func expand(secret: [UInt8], salt: [UInt8], info: [UInt8], count: Int) -> [UInt8] {
    precondition((1...255 * hashLength).contains(count), "HKDF can derive 1 to 8160 octets, not \(count)")
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

  /// Disables OpenSSL's cleanup at exit, because a program may end while a device's queue is still deriving a
  /// key.
  private static let isSetUp = OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_ATEXIT), nil) == 1

  private static func authenticate(_ message: [UInt8], key: [UInt8]) -> [UInt8] {
    precondition(isSetUp, "OpenSSL could not be initialised")
    var digest = [UInt8](repeating: 0, count: hashLength)
    var length: UInt32 = 0
    let result = HMAC(
      EVP_sha256(), key, Int32(key.count), message, message.count, &digest, &length)
    precondition(
      result != nil && length == hashLength, "HMAC-SHA-256 failed, although OpenSSL 3 always has it")
    return digest
  }
}
