import CNearbyOpenSSL
import Foundation

/// This side's key, with its certificate and the chain above it.
///
/// `@unchecked Sendable`: the library counts references to these objects, and nothing changes them after
/// `init`.
package final class PeerKey: @unchecked Sendable {
  let key: OpaquePointer
  let certificate: OpaquePointer
  let chain: [OpaquePointer]
  /// SHA-256 of the public key's SubjectPublicKeyInfo, 32 octets.
  package let fingerprint: [UInt8]

  /// Takes ownership of its arguments, also if it throws.
  init(key: OpaquePointer, certificate: OpaquePointer, chain: [OpaquePointer]) throws(NetworkError) {
    self.key = key
    self.certificate = certificate
    self.chain = chain
    do throws(NetworkError) {
      guard X509_check_private_key(certificate, key) == 1 else {
        ERR_clear_error()
        throw .badIdentity("the key is not the certificate's")
      }
      fingerprint = try Certificates.fingerprint(of: certificate)
    } catch {
      fingerprint = []
      throw error
    }
  }

  deinit {
    EVP_PKEY_free(key)
    X509_free(certificate)
    for certificate in chain { X509_free(certificate) }
  }

  /// Generates a P-256 key with a self-signed certificate.
  ///
  /// - Parameter name: The certificate's common name, which proves nothing; longer than 64 octets is cut.
  package static func generate(name: String = "nearby") throws(NetworkError) -> PeerKey {
    let key = try SelfSigned.key()
    guard let certificate = SelfSigned.certificate(for: key, name: name) else {
      EVP_PKEY_free(key)
      throw .badIdentity(Certificates.libraryReason())
    }
    return try PeerKey(key: key, certificate: certificate, chain: [])
  }

  /// The certificates in DER, its own first.
  package func chainOctets() throws(NetworkError) -> [[UInt8]] {
    try ([certificate] + chain).map { certificate throws(NetworkError) in
      try Certificates.octets(of: certificate)
    }
  }
}

/// Generates keys and self-signed certificates.
private enum SelfSigned {
  static func key() throws(NetworkError) -> OpaquePointer {
    try SecureLibrary.prepare()
    guard let context = EVP_PKEY_CTX_new_from_name(nil, "EC", nil) else {
      throw .badIdentity(Certificates.libraryReason())
    }
    defer { EVP_PKEY_CTX_free(context) }
    var key: OpaquePointer?
    guard EVP_PKEY_keygen_init(context) == 1, EVP_PKEY_CTX_set_group_name(context, "P-256") == 1,
      EVP_PKEY_generate(context, &key) == 1, let key
    else { throw .badIdentity(Certificates.libraryReason()) }
    return key
  }

  static func certificate(for key: OpaquePointer, name: String) -> OpaquePointer? {
    guard let certificate = X509_new() else { return nil }
    guard fill(certificate, key: key, name: Array(name.utf8.prefix(64))) else {
      X509_free(certificate)
      return nil
    }
    return certificate
  }

  private static func fill(_ certificate: OpaquePointer, key: OpaquePointer, name: [UInt8]) -> Bool {
    let serial = UInt64.random(in: 1...UInt64(Int64.max))
    guard X509_set_version(certificate, 2) == 1,
      ASN1_INTEGER_set_uint64(X509_get_serialNumber(certificate), serial) == 1,
      // Clocks of small machines may be years behind, and the identity is the key and not a date. RFC 5280,
      // section 4.1.2.5, defines this end for certificates that do not expire.
      ASN1_TIME_set_string(X509_getm_notBefore(certificate), "20000101000000Z") == 1,
      ASN1_TIME_set_string(X509_getm_notAfter(certificate), "99991231235959Z") == 1,
      X509_set_pubkey(certificate, key) == 1, let subject = X509_get_subject_name(certificate),
      X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_UTF8, name, Int32(name.count), -1, 0) == 1,
      X509_set_issuer_name(certificate, subject) == 1
    else { return false }
    return X509_sign(certificate, key, EVP_sha256()) > 0
  }
}
