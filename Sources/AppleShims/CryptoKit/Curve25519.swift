import CNearbyOpenSSL
import CommonCrypto

/// The elliptic curve of RFC 7748, for agreeing on secrets (X25519) and for signatures (Ed25519, RFC 8032).
public enum Curve25519 {
  /// Agreement on secrets.
  public enum KeyAgreement {
    /// A private key.
    public struct PrivateKey: Sendable {
      private let key: RawKey

      /// Creates a random key.
      public init() { key = .random(.agreement) }
      /// Creates a key from its 32 octets.
      ///
      /// - Throws: `CryptoKitError.incorrectKeySize`.
      public init<D: ContiguousBytes>(rawRepresentation data: D) throws {
        key = try RawKey(.agreement, privateOctets: data.octets)
      }

      /// The public key.
      public var publicKey: PublicKey { PublicKey(octets: key.publicOctets) }
      /// The key's 32 octets.
      public var rawRepresentation: Data { Data(key.privateOctets) }

      /// The secret that this key and another party's public key agree on.
      ///
      /// - Throws: `CryptoKitError.invalidParameter` for a public key of small order.
      public func sharedSecretFromKeyAgreement(with publicKeyShare: PublicKey) throws -> SharedSecret {
        try key.pair.agree(with: RawKey.publicKey(.agreement, publicKeyShare.octets))
      }
    }

    /// A public key.
    public struct PublicKey: Hashable, Sendable {
      let octets: [UInt8]

      init(octets: [UInt8]) { self.octets = octets }
      /// Creates a key from its 32 octets.
      ///
      /// - Throws: `CryptoKitError.incorrectKeySize`.
      public init<D: ContiguousBytes>(rawRepresentation: D) throws {
        octets = try RawKey.checked(rawRepresentation.octets)
      }
      /// The key's 32 octets.
      public var rawRepresentation: Data { Data(octets) }
    }
  }

  /// Signatures.
  public enum Signing {
    /// A private key.
    public struct PrivateKey: Sendable {
      private let key: RawKey

      /// Creates a random key.
      public init() { key = .random(.signing) }
      /// Creates a key from its 32 octets.
      ///
      /// - Throws: `CryptoKitError.incorrectKeySize`.
      public init<D: ContiguousBytes>(rawRepresentation data: D) throws {
        key = try RawKey(.signing, privateOctets: data.octets)
      }

      /// The public key.
      public var publicKey: PublicKey { PublicKey(octets: key.publicOctets) }
      /// The key's 32 octets.
      public var rawRepresentation: Data { Data(key.privateOctets) }

      /// Signs a message; returns 64 octets.
      public func signature<D: DataProtocol>(for data: D) throws -> Data {
        Data(try key.pair.signature(of: Array(data), hash: nil))
      }
    }

    /// A public key.
    public struct PublicKey: Hashable, Sendable {
      private let octets: [UInt8]

      init(octets: [UInt8]) { self.octets = octets }
      /// Creates a key from its 32 octets.
      ///
      /// - Throws: `CryptoKitError.incorrectKeySize`.
      public init<D: ContiguousBytes>(rawRepresentation: D) throws {
        octets = try RawKey.checked(rawRepresentation.octets)
      }
      /// The key's 32 octets.
      public var rawRepresentation: Data { Data(octets) }

      /// Whether a signature is that of a message.
      public func isValidSignature<S: DataProtocol, D: DataProtocol>(_ signature: S, for data: D) -> Bool {
        guard let key = try? RawKey.publicKey(.signing, octets) else { return false }
        return key.isSignature(Array(signature), of: Array(data), hash: nil)
      }
    }
  }
}

/// A private key that consists of 32 octets.
private struct RawKey: Sendable {
  enum Purpose { case agreement, signing }

  let pair: AsymmetricKey
  let privateOctets: [UInt8]
  let publicOctets: [UInt8]

  private static let count = 32

  init(_ purpose: Purpose, privateOctets: [UInt8]) throws(CryptoKitError) {
    precondition(openSSLIsSetUp, "OpenSSL starts")
    let octets = try Self.checked(privateOctets)
    pair = try AsymmetricKey(
      owning: EVP_PKEY_new_raw_private_key(Self.kind(purpose), nil, octets, octets.count))
    self.privateOctets = octets
    var (result, count) = ([UInt8](repeating: 0, count: Self.count), Self.count)
    guard EVP_PKEY_get_raw_public_key(pair.pointer, &result, &count) == 1 else { throw .library }
    publicOctets = result
  }

  static func random(_ purpose: Purpose) -> RawKey {
    guard let key = try? RawKey(purpose, privateOctets: SymmetricKey(size: .bits256).octets) else {
      preconditionFailure("any 32 octets are a private key")
    }
    return key
  }

  static func publicKey(_ purpose: Purpose, _ octets: [UInt8]) throws(CryptoKitError) -> AsymmetricKey {
    precondition(openSSLIsSetUp, "OpenSSL starts")
    return try AsymmetricKey(
      owning: EVP_PKEY_new_raw_public_key(kind(purpose), nil, octets, octets.count))
  }

  static func checked(_ octets: [UInt8]) throws(CryptoKitError) -> [UInt8] {
    guard octets.count == count else { throw .incorrectKeySize }
    return octets
  }

  private static func kind(_ purpose: Purpose) -> Int32 {
    switch purpose {
    case .agreement: NID_X25519
    case .signing: NID_ED25519
    }
  }
}
