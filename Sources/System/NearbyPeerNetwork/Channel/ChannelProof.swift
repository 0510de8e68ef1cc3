import CNearbyOpenSSL
import NearbyOctets

/// Proves inside an encrypted channel that a side has another key besides the channel's own: certificates,
/// and a signature that is valid only on this channel and only from this side.
///
/// | octets | |
/// |---|---|
/// | 0 | version, 1 |
/// | 1–2 | size of the signature, big-endian |
/// | then | the signature, with SHA-256 if the kind of key leaves a choice |
/// | then | each certificate after its size in 3 octets, big-endian; the key's own first |
///
/// The signature covers `nearby certificate`, a zero octet, 0 for the side that began the channel or 1 for
/// the other, and 32 octets exported from its TLS with `EXPORTER-nearby-certificate`. RFC 9261 has the same
/// idea, but OpenSSL does not implement it.
package enum ChannelProof {
  package static let exportLabel = "EXPORTER-nearby-certificate"
  package static let exportCount = 32
  private static let version: UInt8 = 1
  private static let maximumCertificates = 16

  private static func message(_ exported: [UInt8], _ role: PeerChannel.Role) -> [UInt8] {
    Array("nearby certificate".utf8) + [0, role == .initiator ? 0 : 1] + exported
  }

  /// Creates the proof for the other side to check.
  ///
  /// - Parameters:
  ///   - exported: Octets that the channel exported with `exportLabel`.
  ///   - role: This side's role.
  package static func make(
    of identity: PeerKey, exported: [UInt8], role: PeerChannel.Role
  ) throws(NetworkError) -> [UInt8] {
    let signature = try sign(message(exported, role), with: identity.key)
    var octets = [version]
    octets.append(bigEndian: UInt16(truncatingIfNeeded: signature.count))
    octets += signature
    for certificate in try identity.chainOctets() {
      octets += UInt32(truncatingIfNeeded: certificate.count).bigEndianOctets.dropFirst()
      octets += certificate
    }
    return octets
  }

  /// Checks a proof from the other side.
  ///
  /// - Parameter role: The other side's role.
  /// - Returns: The certificates in DER, the key's own first.
  /// - Throws: `.badIdentity` if the proof is malformed or its signature is wrong.
  package static func check(
    _ octets: [UInt8], exported: [UInt8], role: PeerChannel.Role
  ) throws(NetworkError) -> [[UInt8]] {
    try SecureLibrary.prepare()
    var rest = octets[...]
    guard rest.popFirst() == version, let signature = popCounted(&rest, countOctets: 2) else {
      throw .badIdentity("a proof that cannot be read")
    }
    var chain: [[UInt8]] = []
    while !rest.isEmpty {
      guard chain.count < maximumCertificates, let certificate = popCounted(&rest, countOctets: 3) else {
        throw .badIdentity("a proof with certificates that cannot be read")
      }
      chain.append(certificate)
    }
    guard let leaf = chain.first, isSigned(message(exported, role), signature, by: leaf) else {
      throw .badIdentity("the key of the certificate is not there")
    }
    return chain
  }

  private static func popCounted(_ rest: inout ArraySlice<UInt8>, countOctets: Int) -> [UInt8]? {
    guard rest.count >= countOctets else { return nil }
    let count = Int(UInt32(bigEndianOctets: rest.prefix(countOctets)))
    rest = rest.dropFirst(countOctets)
    guard count > 0, rest.count >= count else { return nil }
    defer { rest = rest.dropFirst(count) }
    return Array(rest.prefix(count))
  }

  /// Keys on Edwards curves have their own digest.
  private static func digest(of key: OpaquePointer) -> OpaquePointer? {
    let kind = EVP_PKEY_get_id(key)
    return kind == NID_ED25519 || kind == NID_ED448 ? nil : EVP_sha256()
  }

  private static func sign(_ message: [UInt8], with key: OpaquePointer) throws(NetworkError) -> [UInt8] {
    guard let context = EVP_MD_CTX_new() else { throw .badIdentity("no memory") }
    defer { EVP_MD_CTX_free(context) }
    var count = 0
    guard EVP_DigestSignInit(context, nil, digest(of: key), nil, key) == 1,
      EVP_DigestSign(context, nil, &count, message, message.count) == 1
    else { throw .badIdentity(Certificates.libraryReason()) }
    var signature = [UInt8](repeating: 0, count: count)
    guard EVP_DigestSign(context, &signature, &count, message, message.count) == 1, count <= 65_535 else {
      throw .badIdentity(Certificates.libraryReason())
    }
    return Array(signature.prefix(count))
  }

  private static func isSigned(_ message: [UInt8], _ signature: [UInt8], by certificate: [UInt8]) -> Bool {
    defer { ERR_clear_error() }
    let leaf = certificate.withUnsafeBufferPointer { raw in
      var start = raw.baseAddress
      return d2i_X509(nil, &start, raw.count)
    }
    guard let leaf else { return false }
    defer { X509_free(leaf) }
    guard let key = X509_get0_pubkey(leaf), let context = EVP_MD_CTX_new() else { return false }
    defer { EVP_MD_CTX_free(context) }
    return EVP_DigestVerifyInit(context, nil, digest(of: key), nil, key) == 1
      && EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
  }
}
