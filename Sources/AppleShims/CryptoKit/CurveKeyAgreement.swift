import CommonCrypto
import Foundation

/// Agreement on secrets by Diffie-Hellman on a curve. Apps use the names of the curves, such as `P256.KeyAgreement`.
///
/// Source: Apple's documentation of `P256.KeyAgreement`; SEC 1, section 3.3.1.
public enum CurveKeyAgreement<Curve: NISTCurve> {
  /// A private key.
  public struct PrivateKey: CurvePrivateKey {
    /// The key's numbers.
    public let pair: CurveKey<Curve>

    /// Creates a key from its numbers.
    public init(pair: CurveKey<Curve>) { self.pair = pair }

    /// Creates a random key.
    public init(compactRepresentable: Bool = true) { pair = .random() }

    /// The public key.
    public var publicKey: PublicKey { PublicKey(pair: pair.withoutScalar) }

    /// The secret that this key and another party's public key agree on: the x coordinate of their product.
    public func sharedSecretFromKeyAgreement(with publicKeyShare: PublicKey) throws -> SharedSecret {
      try pair.key.agree(with: publicKeyShare.pair.key)
    }
  }

  /// A public key.
  public struct PublicKey: CurvePublicKey {
    /// The key's numbers.
    public let pair: CurveKey<Curve>

    /// Creates a key from its numbers.
    public init(pair: CurveKey<Curve>) { self.pair = pair }
  }
}

/// The curve P-256, also called secp256r1 and prime256v1.
public enum P256: NISTCurve {
  /// Signatures.
  public typealias Signing = CurveSigning<P256>
  /// Agreement on secrets.
  public typealias KeyAgreement = CurveKeyAgreement<P256>
  /// SHA-256.
  public typealias MessageHash = SHA256
  /// 32 octets.
  public static var coordinateByteCount: Int { 32 }
  /// OpenSSL's name of the curve.
  public static var groupName: String { "prime256v1" }
}

/// The curve P-384, also called secp384r1.
public enum P384: NISTCurve {
  /// Signatures.
  public typealias Signing = CurveSigning<P384>
  /// Agreement on secrets.
  public typealias KeyAgreement = CurveKeyAgreement<P384>
  /// SHA-384.
  public typealias MessageHash = SHA384
  /// 48 octets.
  public static var coordinateByteCount: Int { 48 }
  /// OpenSSL's name of the curve.
  public static var groupName: String { "secp384r1" }
}

/// The curve P-521, also called secp521r1.
public enum P521: NISTCurve {
  /// Signatures.
  public typealias Signing = CurveSigning<P521>
  /// Agreement on secrets.
  public typealias KeyAgreement = CurveKeyAgreement<P521>
  /// SHA-512.
  public typealias MessageHash = SHA512
  /// 66 octets.
  public static var coordinateByteCount: Int { 66 }
  /// OpenSSL's name of the curve.
  public static var groupName: String { "secp521r1" }
}
