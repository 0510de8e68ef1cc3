import CNearbyOpenSSL
import CommonCrypto

/// A private or public key in OpenSSL.
final class AsymmetricKey: @unchecked Sendable {
  // `@unchecked Sendable`: nothing changes the key after `init`.
  let pointer: OpaquePointer

  /// Takes ownership of a key of OpenSSL.
  init(owning pointer: OpaquePointer?) throws(CryptoKitError) {
    guard let pointer else { throw .invalidParameter }
    self.pointer = pointer
  }

  deinit { EVP_PKEY_free(pointer) }

  /// The secret that two keys agree on.
  func agree(with other: AsymmetricKey) throws(CryptoKitError) -> SharedSecret {
    guard let context = EVP_PKEY_CTX_new(pointer, nil) else { throw .library }
    defer { EVP_PKEY_CTX_free(context) }
    var count = 0
    guard EVP_PKEY_derive_init(context) == 1, EVP_PKEY_derive_set_peer(context, other.pointer) == 1,
      EVP_PKEY_derive(context, nil, &count) == 1
    else { throw .invalidParameter }
    var octets = [UInt8](repeating: 0, count: count)
    // Fails for points of small order, which give no secret.
    guard EVP_PKEY_derive(context, &octets, &count) == 1 else { throw .invalidParameter }
    return SharedSecret(octets: Array(octets.prefix(count)))
  }

  /// Signs a message, hashed by `hash` first unless the algorithm does that itself.
  func signature(of message: [UInt8], hash: OpaquePointer?) throws(CryptoKitError) -> [UInt8] {
    guard let context = EVP_MD_CTX_new() else { throw .library }
    defer { EVP_MD_CTX_free(context) }
    var count = 0
    guard EVP_DigestSignInit(context, nil, hash, nil, pointer) == 1,
      EVP_DigestSign(context, nil, &count, message, message.count) == 1
    else { throw .library }
    var octets = [UInt8](repeating: 0, count: count)
    guard EVP_DigestSign(context, &octets, &count, message, message.count) == 1 else { throw .library }
    return Array(octets.prefix(count))
  }

  func isSignature(_ signature: [UInt8], of message: [UInt8], hash: OpaquePointer?) -> Bool {
    guard let context = EVP_MD_CTX_new() else { return false }
    defer { EVP_MD_CTX_free(context) }
    return EVP_DigestVerifyInit(context, nil, hash, nil, pointer) == 1
      && EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
  }
}

/// A secret that two parties have agreed on. Derive keys from it.
///
/// Source: Apple's documentation of `SharedSecret`.
public struct SharedSecret: ContiguousBytes, CustomStringConvertible, Hashable, Sendable {
  private let octets: [UInt8]

  init(octets: [UInt8]) { self.octets = octets }

  /// Gives access to the octets.
  public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
    try octets.withUnsafeBytes(body)
  }

  /// The length, without the secret.
  public var description: String { "SharedSecret of \(octets.count) octets" }

  /// Compares all octets, however early they differ.
  public static func == (left: Self, right: Self) -> Bool { areEqual(left.octets, right.octets) }
  /// Compares all octets, however early they differ.
  public static func == <D: DataProtocol>(left: Self, right: D) -> Bool { areEqual(left.octets, right) }

  /// Derives a key by HKDF. Source: RFC 5869.
  ///
  /// - Parameters:
  ///   - hashFunction: The hash function.
  ///   - salt: Separates the protocol from others.
  ///   - sharedInfo: Separates the purpose of the key from others.
  ///   - outputByteCount: Length of the key, in octets.
  public func hkdfDerivedSymmetricKey<H: HashFunction, Salt: DataProtocol, SharedInfo: DataProtocol>(
    using hashFunction: H.Type, salt: Salt, sharedInfo: SharedInfo, outputByteCount: Int
  ) -> SymmetricKey {
    HKDF<H>.deriveKey(
      inputKeyMaterial: SymmetricKey(data: octets), salt: salt, info: sharedInfo,
      outputByteCount: outputByteCount)
  }

  /// Derives a key as ANSI X9.63 does. Source: SEC 1, section 3.6.1.
  ///
  /// - Parameters:
  ///   - hashFunction: The hash function.
  ///   - sharedInfo: Separates the purpose of the key from others.
  ///   - outputByteCount: Length of the key, in octets.
  public func x963DerivedSymmetricKey<H: HashFunction, SharedInfo: DataProtocol>(
    using hashFunction: H.Type, sharedInfo: SharedInfo, outputByteCount: Int
  ) -> SymmetricKey {
    var (output, counter): ([UInt8], UInt32) = ([], 0)
    while output.count < outputByteCount {
      counter += 1  // Bounded: each digest adds 16 octets or more, and memory ends before 2^32 of them.
      var function = H()
      function.update(data: octets)
      function.update(data: Swift.withUnsafeBytes(of: counter.bigEndian) { Array($0) })
      function.update(data: sharedInfo)
      output += Array(function.finalize())
    }
    return SymmetricKey(data: Array(output.prefix(max(0, outputByteCount))))
  }
}
