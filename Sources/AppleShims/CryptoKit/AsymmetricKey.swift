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

  // MARK: Digests

  /// Signs a digest; returns the signature in DER.
  func signature(ofDigest digest: [UInt8]) throws(CryptoKitError) -> [UInt8] {
    guard let context = EVP_PKEY_CTX_new(pointer, nil) else { throw .library }
    defer { EVP_PKEY_CTX_free(context) }
    var count = 0
    guard EVP_PKEY_sign_init(context) == 1, EVP_PKEY_sign(context, nil, &count, digest, digest.count) == 1
    else {
      throw .library
    }
    var octets = [UInt8](repeating: 0, count: count)
    guard EVP_PKEY_sign(context, &octets, &count, digest, digest.count) == 1 else { throw .library }
    return Array(octets.prefix(count))
  }

  func isSignature(_ signature: [UInt8], ofDigest digest: [UInt8]) -> Bool {
    guard let context = EVP_PKEY_CTX_new(pointer, nil) else { return false }
    defer { EVP_PKEY_CTX_free(context) }
    return EVP_PKEY_verify_init(context) == 1
      && EVP_PKEY_verify(context, signature, signature.count, digest, digest.count) == 1
  }

  // MARK: DER

  /// The key as PKCS #8 or, for a public key, as SubjectPublicKeyInfo.
  func der(isPrivate: Bool) -> [UInt8] {
    let info = isPrivate ? EVP_PKEY2PKCS8(pointer) : nil
    defer { PKCS8_PRIV_KEY_INFO_free(info) }
    func write(_ place: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?) -> Int32 {
      isPrivate ? i2d_PKCS8_PRIV_KEY_INFO(info, place) : i2d_PUBKEY(pointer, place)
    }
    var octets = [UInt8](repeating: 0, count: Int(max(0, write(nil))))
    octets.withUnsafeMutableBufferPointer { buffer in
      var place = buffer.baseAddress
      if place != nil { _ = write(&place) }
    }
    return octets
  }

  static func reading(der octets: [UInt8], isPrivate: Bool) throws(CryptoKitError) -> AsymmetricKey {
    precondition(openSSLIsSetUp, "OpenSSL starts")
    let pointer = octets.withUnsafeBufferPointer { buffer in
      var place = buffer.baseAddress
      return isPrivate ? d2i_AutoPrivateKey(nil, &place, buffer.count) : d2i_PUBKEY(nil, &place, buffer.count)
    }
    return try AsymmetricKey(owning: pointer)
  }
}
