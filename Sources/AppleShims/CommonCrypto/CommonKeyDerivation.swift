import CNearbyOpenSSL

/// A way to derive a key from a password; only `kCCPBKDF2`.
public typealias CCPBKDFAlgorithm = UInt32
/// The pseudo-random function of a derivation; one of `kCCPRFHmacAlg…`.
public typealias CCPseudoRandomAlgorithm = UInt32
/// The result of the random generator.
public typealias CCRNGStatus = Int32

/// PBKDF2.
public let kCCPBKDF2 = 2
/// HMAC with SHA-1.
public let kCCPRFHmacAlgSHA1 = 1
/// HMAC with SHA-224.
public let kCCPRFHmacAlgSHA224 = 2
/// HMAC with SHA-256.
public let kCCPRFHmacAlgSHA256 = 3
/// HMAC with SHA-384.
public let kCCPRFHmacAlgSHA384 = 4
/// HMAC with SHA-512.
public let kCCPRFHmacAlgSHA512 = 5

/// Derives a key from a password by PBKDF2. Source: RFC 8018, section 5.2.
///
/// - Parameters:
///   - algorithm: `kCCPBKDF2`.
///   - password: The password.
///   - passwordLen: Octets in the password.
///   - salt: The salt.
///   - saltLen: Octets in the salt.
///   - prf: One of `kCCPRFHmacAlg…`.
///   - rounds: At least 1.
///   - derivedKey: Receives the key.
///   - derivedKeyLen: Octets in the key, at least 1.
/// - Returns: `kCCSuccess`, or `kCCParamError`.
@discardableResult
public func CCKeyDerivationPBKDF(
  _ algorithm: CCPBKDFAlgorithm, _ password: UnsafePointer<CChar>!, _ passwordLen: Int,
  _ salt: UnsafePointer<UInt8>!, _ saltLen: Int, _ prf: CCPseudoRandomAlgorithm, _ rounds: UInt32,
  _ derivedKey: UnsafeMutablePointer<UInt8>!, _ derivedKeyLen: Int
) -> Int32 {
  precondition(openSSLIsSetUp, "OpenSSL starts")
  let functions: [Int: DigestState.Function] = [
    kCCPRFHmacAlgSHA1: .sha1, kCCPRFHmacAlgSHA224: .sha224, kCCPRFHmacAlgSHA256: .sha256,
    kCCPRFHmacAlgSHA384: .sha384, kCCPRFHmacAlgSHA512: .sha512,
  ]
  guard Int(algorithm) == kCCPBKDF2, let function = functions[Int(prf)], rounds > 0, derivedKey != nil,
    let passwordCount = Int32(exactly: passwordLen), passwordCount >= 0,
    passwordCount == 0 || password != nil,
    let saltCount = Int32(exactly: saltLen), saltCount >= 0, saltCount == 0 || salt != nil,
    let keyCount = Int32(exactly: derivedKeyLen), keyCount > 0, let rounds = Int32(exactly: rounds)
  else { return Int32(kCCParamError) }
  let result = PKCS5_PBKDF2_HMAC(
    password, passwordCount, salt, saltCount, rounds, function.implementation, keyCount, derivedKey)
  return Int32(result == 1 ? kCCSuccess : kCCUnspecifiedError)
}

/// Fills memory with random octets from the system.
///
/// - Returns: `kCCSuccess`, or `kCCParamError`.
@discardableResult
public func CCRandomGenerateBytes(_ bytes: UnsafeMutableRawPointer!, _ count: Int) -> CCRNGStatus {
  guard count >= 0, count == 0 || bytes != nil else { return CCRNGStatus(kCCParamError) }
  var generator = SystemRandomNumberGenerator()
  var octets: [UInt8] = []
  while octets.count < count { octets.append(UInt8.random(in: 0...255, using: &generator)) }
  write(octets, bytes)
  return CCRNGStatus(kCCSuccess)
}
