import Foundation
import NearbyPeerNetwork

/// The key and certificates that an app gives a session, instead of the peer's own key.
///
/// Read once, and kept in one plain form: who opens connections makes `PeerKey(pem:)` of it.
package struct SessionCredentials: Hashable, Sendable {
  /// Why octets are no credentials.
  package struct Unreadable: Error, Hashable, Sendable {
    package let reason: String
  }

  /// Key and certificates in PEM, the key unencrypted: a secret.
  package let pem: [UInt8]
  /// The certificates in DER, the key's own first.
  package let chain: [[UInt8]]
  /// SHA-256 of the public key's SubjectPublicKeyInfo, 32 octets.
  package let fingerprint: [UInt8]

  /// Reads a private key and certificates in PEM, in any order; the key's own certificate first among them.
  ///
  /// - Parameter password: Of an encrypted key.
  package init(pem octets: [UInt8], password: String? = nil) throws(Unreadable) {
    try self.init { () throws(NetworkError) in
      try PeerKey(pem: octets, password: password)
    }
  }

  /// Reads a PKCS#12 container with a key, its certificate and those that vouch for it.
  package init(pkcs12 octets: [UInt8], password: String) throws(Unreadable) {
    try self.init { () throws(NetworkError) in
      try PeerKey(pkcs12: octets, password: password)
    }
  }

  /// The same with further certificates that vouch for it, in DER.
  package func adding(_ certificates: [[UInt8]]) throws(Unreadable) -> SessionCredentials {
    guard !certificates.isEmpty else { return self }
    let text = certificates.map { certificate in
      let lines = Data(certificate).base64EncodedString(options: [
        .lineLength64Characters, .endLineWithLineFeed,
      ])
      return "-----BEGIN CERTIFICATE-----\n\(lines)\n-----END CERTIFICATE-----\n"
    }
    let all = try SessionCredentials(pem: pem + text.joined().utf8)
    guard all.chain == chain + certificates else { throw Unreadable(reason: "a certificate is not in DER") }
    return all
  }

  private init(_ read: () throws(NetworkError) -> PeerKey) throws(Unreadable) {
    do throws(NetworkError) {
      let identity = try read()
      pem = try identity.pem()
      chain = try identity.chainOctets()
      fingerprint = identity.fingerprint
    } catch {
      throw Unreadable(reason: error.description)
    }
  }
}
