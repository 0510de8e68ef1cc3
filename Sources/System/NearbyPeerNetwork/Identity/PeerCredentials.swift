import CNearbyOpenSSL

/// What the other side of an encrypted channel has proved about itself.
package struct PeerCredentials: Hashable, Sendable {
  /// SHA-256 of the public key's SubjectPublicKeyInfo, 32 octets: the peer's identity.
  ///
  /// It stays the same if a new certificate is issued for the same key.
  package let fingerprint: [UInt8]
  /// The certificates in DER as the peer sent them, its own first.
  package let chain: [[UInt8]]

  init(fingerprint: [UInt8], chain: [[UInt8]]) {
    self.fingerprint = fingerprint
    self.chain = chain
  }

  /// - Throws: `.badIdentity` if there is no certificate, or its key cannot be read.
  init(leaf: OpaquePointer, chain: [OpaquePointer]) throws(NetworkError) {
    fingerprint = try Certificates.fingerprint(of: leaf)
    self.chain = try ([leaf] + chain).map { certificate throws(NetworkError) in
      try Certificates.octets(of: certificate)
    }
  }
}

/// Reads X.509 certificates.
enum Certificates {
  static func octets(of certificate: OpaquePointer) throws(NetworkError) -> [UInt8] {
    var start: UnsafeMutablePointer<UInt8>?
    let count = i2d_X509(certificate, &start)
    return try copyAndFree(start, count, of: "a certificate that cannot be written")
  }

  static func fingerprint(of certificate: OpaquePointer) throws(NetworkError) -> [UInt8] {
    var start: UnsafeMutablePointer<UInt8>?
    let count = i2d_X509_PUBKEY(X509_get_X509_PUBKEY(certificate), &start)
    let key = try copyAndFree(start, count, of: "a public key that cannot be written")
    var digest = [UInt8](repeating: 0, count: 32)
    guard EVP_Digest(key, key.count, &digest, nil, EVP_sha256(), nil) == 1 else {
      throw .badIdentity("no digest of the public key")
    }
    return digest
  }

  /// The reason that the library recorded last; clears all recorded errors.
  static func libraryReason() -> String {
    let code = ERR_peek_last_error()
    ERR_clear_error()
    guard code != 0, let text = ERR_reason_error_string(code) else { return "unknown" }
    return String(cString: text)
  }

  private static func copyAndFree(
    _ start: UnsafeMutablePointer<UInt8>?, _ count: Int32, of what: String
  ) throws(NetworkError) -> [UInt8] {
    guard let start, count > 0 else { throw .badIdentity(what) }
    defer { CRYPTO_free(start, #file, #line) }
    return Array(UnsafeBufferPointer(start: start, count: Int(count)))
  }
}
