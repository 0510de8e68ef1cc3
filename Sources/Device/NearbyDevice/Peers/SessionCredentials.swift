import Foundation
import NearbyPeerNetwork

/// A key and certificates that an app gives a session, to be used instead of the local peer's own key.
///
/// They are parsed once and kept as PEM, from which each owner of connections creates its `PeerKey(pem:)`.
package struct SessionCredentials: Hashable, Sendable {
  /// The octets could not be parsed, for this reason.
  package struct Unreadable: Error, Hashable, Sendable {
    package let reason: String
  }

  /// The unencrypted key and the certificates in PEM: a secret.
  package let pem: [UInt8]
  /// The certificates in DER, the key's own first.
  package let chain: [[UInt8]]
  /// SHA-256 of the public key's SubjectPublicKeyInfo, 32 octets.
  package let fingerprint: [UInt8]

  /// Reads a private key and certificates in PEM, in any order, with the key's own certificate before the
  /// others.
  ///
  /// - Parameter password: The password of an encrypted key.
  package init(pem octets: [UInt8], password: String? = nil) throws(Unreadable) {
    try self.init { () throws(NetworkError) in
      try PeerKey(pem: octets, password: password)
    }
  }

  /// Reads a PKCS#12 container with a key, its certificate and its chain.
  package init(pkcs12 octets: [UInt8], password: String) throws(Unreadable) {
    try self.init { () throws(NetworkError) in
      try PeerKey(pkcs12: octets, password: password)
    }
  }

  /// Returns a copy with further certificates in DER appended to the chain.
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
