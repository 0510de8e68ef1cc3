import CNearbyOpenSSL
import CommonCrypto

/// A cipher of OpenSSL that encrypts a message and authenticates it together with other data.
///
/// Sources: NIST SP 800-38D (AES-GCM), RFC 8439 (ChaCha20-Poly1305).
struct AuthenticatedCipher {
  private let implementation: OpaquePointer?
  private let key: [UInt8]

  init(_ algorithm: AuthenticatedAlgorithm, key: SymmetricKey) throws(CryptoKitError) {
    implementation =
      switch (algorithm, key.bitCount) {
      case (.aesGCM, 128): EVP_aes_128_gcm()
      case (.aesGCM, 192): EVP_aes_192_gcm()
      case (.aesGCM, 256): EVP_aes_256_gcm()
      case (.chaChaPoly, 256): EVP_chacha20_poly1305()
      case (_, _): throw .incorrectKeySize
      }
    self.key = key.octets
  }

  func seal(
    _ message: [UInt8], nonce: [UInt8], authenticating other: [UInt8]
  ) throws(CryptoKitError) -> SealedOctets {
    let context = try Context(implementation, key: key, nonce: nonce, isSealing: true)
    guard context.authenticate(other), let ciphertext = context.convert(message), context.finish(),
      let tag = context.tag
    else { throw .library }
    return SealedOctets(nonce: nonce, ciphertext: ciphertext, tag: tag)
  }

  /// - Throws: `authenticationFailure` if the tag does not belong to the octets and the key.
  func open(_ sealed: SealedOctets, authenticating other: [UInt8]) throws(CryptoKitError) -> Data {
    let context = try Context(implementation, key: key, nonce: sealed.nonce, isSealing: false)
    guard context.setTag(sealed.tag), context.authenticate(other),
      let message = context.convert(sealed.ciphertext)
    else { throw .library }
    guard context.finish() else { throw .authenticationFailure }
    return Data(message)
  }

  /// One run of a cipher.
  private final class Context {
    private let pointer: OpaquePointer
    /// Maximum number of octets that OpenSSL is given in one call.
    private static let most = 1 << 30

    init(
      _ cipher: OpaquePointer?, key: [UInt8], nonce: [UInt8], isSealing: Bool
    ) throws(CryptoKitError) {
      precondition(openSSLIsSetUp, "OpenSSL starts")
      guard let pointer = EVP_CIPHER_CTX_new() else { throw .library }
      self.pointer = pointer
      let direction: Int32 = isSealing ? 1 : 0
      guard EVP_CipherInit_ex(pointer, cipher, nil, nil, nil, direction) == 1,
        EVP_CIPHER_CTX_ctrl(pointer, EVP_CTRL_AEAD_SET_IVLEN, Int32(clamping: nonce.count), nil) == 1,
        EVP_CipherInit_ex(pointer, nil, nil, key, nonce, direction) == 1
      else { throw .library }
    }

    deinit { EVP_CIPHER_CTX_free(pointer) }

    func authenticate(_ octets: [UInt8]) -> Bool {
      for part in parts(octets) where !update(nil, part) { return false }
      return true
    }

    func convert(_ octets: [UInt8]) -> [UInt8]? {
      var output = [UInt8](repeating: 0, count: octets.count)
      let isDone = output.withUnsafeMutableBufferPointer { buffer in
        for part in parts(octets) {
          guard update(buffer.baseAddress.map { $0 + part.startIndex }, part) else { return false }
        }
        return true
      }
      return isDone ? output : nil
    }

    private func parts(_ octets: [UInt8]) -> [ArraySlice<UInt8>] {
      stride(from: 0, to: octets.count, by: Self.most).map {
        octets[$0..<min(octets.count, $0 + Self.most)]  // Bounded: `stride` ends before the count.
      }
    }

    private func update(_ output: UnsafeMutablePointer<UInt8>?, _ input: ArraySlice<UInt8>) -> Bool {
      var written: Int32 = 0
      return input.withUnsafeBufferPointer {
        EVP_CipherUpdate(pointer, output, &written, $0.baseAddress, Int32(clamping: $0.count)) == 1
      }
    }

    func finish() -> Bool {
      // These ciphers hold nothing back; OpenSSL still asks for a place to write to.
      var (rest, count): ([UInt8], Int32) = ([UInt8](repeating: 0, count: 16), 0)
      return EVP_CipherFinal_ex(pointer, &rest, &count) == 1
    }

    var tag: [UInt8]? {
      var tag = [UInt8](repeating: 0, count: SealedOctets.tagCount)
      return EVP_CIPHER_CTX_ctrl(pointer, EVP_CTRL_AEAD_GET_TAG, Int32(tag.count), &tag) == 1 ? tag : nil
    }

    func setTag(_ tag: [UInt8]) -> Bool {
      var tag = tag
      return EVP_CIPHER_CTX_ctrl(pointer, EVP_CTRL_AEAD_SET_TAG, Int32(clamping: tag.count), &tag) == 1
    }
  }
}

/// The parts of a sealed message.
struct SealedOctets: Sendable {
  /// Length of a tag, in octets.
  static let tagCount = 16
  /// Length of a nonce that can be part of a combined message, in octets.
  static let nonceCount = 12

  let nonce: [UInt8]
  let ciphertext: [UInt8]
  let tag: [UInt8]

  var combined: Data { Data(nonce + ciphertext + tag) }
}

extension SealedOctets {
  /// Splits a combined message.
  init(combined octets: [UInt8]) throws(CryptoKitError) {
    guard octets.count >= Self.nonceCount + Self.tagCount else { throw .incorrectParameterSize }
    self.init(
      nonce: Array(octets.prefix(Self.nonceCount)),
      ciphertext: Array(octets.dropFirst(Self.nonceCount).dropLast(Self.tagCount)),
      tag: Array(octets.suffix(Self.tagCount)))
  }
}
