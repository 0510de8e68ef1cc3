import CNearbyOpenSSL

/// The result of an operation; one of `kCC…`.
public typealias CCStatus = Int32
/// The result of `CCCrypt`; one of `kCC…`.
public typealias CCCryptorStatus = Int32
/// Whether to encrypt or decrypt.
public typealias CCOperation = UInt32
/// A block cipher; one of `kCCAlgorithm…`.
public typealias CCAlgorithm = UInt32
/// `kCCOption…`, combined by `|`.
public typealias CCOptions = UInt32

/// The operation succeeded.
public let kCCSuccess = 0
/// A parameter is invalid.
public let kCCParamError = -4300
/// The output buffer is too small.
public let kCCBufferTooSmall = -4301
/// Memory could not be allocated.
public let kCCMemoryFailure = -4302
/// The input is not a whole number of blocks.
public let kCCAlignmentError = -4303
/// The input could not be decrypted: its padding is wrong.
public let kCCDecodeError = -4304
/// The requested algorithm is not available.
public let kCCUnimplemented = -4305
/// The random generator failed.
public let kCCRNGFailure = -4307
/// The operation failed for another reason.
public let kCCUnspecifiedError = -4308
/// The algorithm has no keys of this length.
public let kCCKeySizeError = -4310

/// Encrypts.
public let kCCEncrypt = 0
/// Decrypts.
public let kCCDecrypt = 1

/// AES; the key's length chooses AES-128, AES-192 or AES-256.
public let kCCAlgorithmAES = 0
/// AES, under its older name.
public let kCCAlgorithmAES128 = 0
/// DES; not supported here.
public let kCCAlgorithmDES = 1
/// Triple DES with a key of 24 octets.
public let kCCAlgorithm3DES = 2

/// Fills the last block by PKCS #7 (RFC 5652, section 6.3).
public let kCCOptionPKCS7Padding = 1
/// Encrypts each block by itself, in place of chaining.
public let kCCOptionECBMode = 2

/// Length of a key of AES-128, in octets.
public let kCCKeySizeAES128 = 16
/// Length of a key of AES-192, in octets.
public let kCCKeySizeAES192 = 24
/// Length of a key of AES-256, in octets.
public let kCCKeySizeAES256 = 32
/// Length of a key of triple DES, in octets.
public let kCCKeySize3DES = 24
/// Length of a block of AES, in octets.
public let kCCBlockSizeAES128 = 16
/// Length of a block of triple DES, in octets.
public let kCCBlockSize3DES = 8

/// Encrypts or decrypts a message in one call, in CBC or ECB mode.
///
/// - Parameters:
///   - op: `kCCEncrypt` or `kCCDecrypt`.
///   - alg: `kCCAlgorithmAES` or `kCCAlgorithm3DES`; another one returns `kCCUnimplemented`.
///   - options: `kCCOptionPKCS7Padding`, `kCCOptionECBMode`, both or neither (0).
///   - key: The key.
///   - keyLength: Octets in the key.
///   - iv: One block, for CBC; `nil` means zeros.
///   - dataIn: The input.
///   - dataInLength: Octets in the input, at most 2^30.
///   - dataOut: Receives the output.
///   - dataOutAvailable: Octets that fit there.
///   - dataOutMoved: Receives the count of octets written or, with `kCCBufferTooSmall`, needed.
/// - Returns: `kCCSuccess`, or one of the errors above.
@discardableResult
public func CCCrypt(
  _ op: CCOperation, _ alg: CCAlgorithm, _ options: CCOptions, _ key: UnsafeRawPointer!, _ keyLength: Int,
  _ iv: UnsafeRawPointer!, _ dataIn: UnsafeRawPointer!, _ dataInLength: Int,
  _ dataOut: UnsafeMutableRawPointer!, _ dataOutAvailable: Int, _ dataOutMoved: UnsafeMutablePointer<Int>!
) -> CCCryptorStatus {
  precondition(openSSLIsSetUp, "OpenSSL starts")
  let isPadded = Int(options) & kCCOptionPKCS7Padding != 0
  let isChained = Int(options) & kCCOptionECBMode == 0
  guard op <= 1, options <= 3, key != nil, (0...1 << 30).contains(dataInLength),
    dataInLength == 0 || dataIn != nil
  else { return CCCryptorStatus(kCCParamError) }
  let cipher: Cipher
  switch Cipher.choose(alg, keyLength: keyLength, isChained: isChained) {
  case .success(let found): cipher = found
  case .failure(let failure): return failure.status
  }
  let needsWholeBlocks = !isPadded || Int(op) == kCCDecrypt
  if needsWholeBlocks, dataInLength % cipher.blockCount != 0 { return CCCryptorStatus(kCCAlignmentError) }
  let result = cipher.run(
    isEncrypting: Int(op) == kCCEncrypt, isPadded: isPadded, key: buffer(key, keyLength),
    vector: buffer(iv, cipher.blockCount), buffer(dataIn, dataInLength))
  guard let result else {
    return CCCryptorStatus(Int(op) == kCCDecrypt ? kCCDecodeError : kCCUnspecifiedError)
  }
  dataOutMoved?.pointee = result.count
  guard result.count <= dataOutAvailable, result.isEmpty || dataOut != nil else {
    return CCCryptorStatus(kCCBufferTooSmall)
  }
  write(result, dataOut)
  return CCCryptorStatus(kCCSuccess)
}

/// A block cipher of OpenSSL with its mode.
private struct Cipher {
  struct Failure: Error { let status: CCCryptorStatus }

  let implementation: OpaquePointer?
  let blockCount: Int

  static func choose(_ algorithm: CCAlgorithm, keyLength: Int, isChained: Bool) -> Result<Cipher, Failure> {
    switch (Int(algorithm), keyLength) {
    case (kCCAlgorithmAES, 16):
      .success(Cipher(implementation: isChained ? EVP_aes_128_cbc() : EVP_aes_128_ecb(), blockCount: 16))
    case (kCCAlgorithmAES, 24):
      .success(Cipher(implementation: isChained ? EVP_aes_192_cbc() : EVP_aes_192_ecb(), blockCount: 16))
    case (kCCAlgorithmAES, 32):
      .success(Cipher(implementation: isChained ? EVP_aes_256_cbc() : EVP_aes_256_ecb(), blockCount: 16))
    case (kCCAlgorithm3DES, 24):
      .success(Cipher(implementation: isChained ? EVP_des_ede3_cbc() : EVP_des_ede3_ecb(), blockCount: 8))
    case (kCCAlgorithmAES, _), (kCCAlgorithm3DES, _):
      .failure(Failure(status: CCCryptorStatus(kCCKeySizeError)))
    case (_, _): .failure(Failure(status: CCCryptorStatus(kCCUnimplemented)))
    }
  }

  /// - Returns: `nil` if the padding is wrong, or OpenSSL fails.
  func run(
    isEncrypting: Bool, isPadded: Bool, key: UnsafeRawBufferPointer, vector: UnsafeRawBufferPointer,
    _ input: UnsafeRawBufferPointer
  ) -> [UInt8]? {
    guard let context = EVP_CIPHER_CTX_new() else { return nil }
    defer { EVP_CIPHER_CTX_free(context) }
    let start = vector.isEmpty ? [UInt8](repeating: 0, count: blockCount) : Array(vector)
    guard EVP_CipherInit_ex(context, implementation, nil, Array(key), start, isEncrypting ? 1 : 0) == 1 else {
      return nil
    }
    EVP_CIPHER_CTX_set_padding(context, isPadded ? 1 : 0)
    var output = [UInt8](repeating: 0, count: input.count + blockCount)
    let octets = input.bindMemory(to: UInt8.self)
    var (written, rest): (Int32, Int32) = (0, 0)
    // Bounded: `CCCrypt` admits at most 2^30 octets.
    let length = Int32(octets.count)
    let isDone = output.withUnsafeMutableBufferPointer { buffer in
      EVP_CipherUpdate(context, buffer.baseAddress, &written, octets.baseAddress, length) == 1
        && EVP_CipherFinal_ex(context, buffer.baseAddress.map { $0 + Int(written) }, &rest) == 1
    }
    guard isDone else { return nil }
    output.removeLast(output.count - Int(written) - Int(rest))
    return output
  }
}
