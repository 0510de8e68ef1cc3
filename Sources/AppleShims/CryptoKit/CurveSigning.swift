import CNearbyOpenSSL
import CommonCrypto
import Foundation

/// Signatures by ECDSA. Apps use the names of the curves, such as `P256.Signing`.
///
/// Source: Apple's documentation of `P256.Signing`; FIPS 186-4, section 6.
public enum CurveSigning<Curve: NISTCurve> {
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

    /// Signs a message, hashed by the curve's function: SHA-256 for P-256, SHA-384 for P-384, SHA-512 for P-521.
    public func signature<D: DataProtocol>(for data: D) throws -> ECDSASignature {
      try signature(for: Curve.MessageHash.hash(data: data))
    }

    /// Signs a digest.
    public func signature<D: Digest>(for digest: D) throws -> ECDSASignature {
      try ECDSASignature(derRepresentation: pair.key.signature(ofDigest: digest.octets))
    }
  }

  /// A public key.
  public struct PublicKey: CurvePublicKey {
    /// The key's numbers.
    public let pair: CurveKey<Curve>

    /// Creates a key from its numbers.
    public init(pair: CurveKey<Curve>) { self.pair = pair }

    /// Whether a signature is that of a message.
    public func isValidSignature<D: DataProtocol>(_ signature: ECDSASignature, for data: D) -> Bool {
      isValidSignature(signature, for: Curve.MessageHash.hash(data: data))
    }

    /// Whether a signature is that of a digest.
    public func isValidSignature<D: Digest>(_ signature: ECDSASignature, for digest: D) -> Bool {
      pair.key.isSignature(Array(signature.derRepresentation), ofDigest: digest.octets)
    }
  }

  /// A signature: two numbers, r and s.
  public struct ECDSASignature: ContiguousBytes, Hashable, Sendable {
    /// r and s, each as long as a coordinate of the curve.
    public let rawRepresentation: Data

    /// Creates a signature from r and s.
    ///
    /// - Throws: `CryptoKitError.incorrectParameterSize`.
    public init<D: DataProtocol>(rawRepresentation: D) throws {
      guard rawRepresentation.count == 2 * Curve.coordinateByteCount else {
        throw CryptoKitError.incorrectParameterSize
      }
      self.rawRepresentation = Data(rawRepresentation)
    }

    /// Creates a signature from its DER form: a sequence of two integers.
    ///
    /// - Throws: `CryptoKitError.invalidParameter`.
    public init<D: DataProtocol>(derRepresentation: D) throws {
      let octets = Array(derRepresentation)
      let (signature, used) = octets.withUnsafeBufferPointer { buffer in
        var place = buffer.baseAddress
        let signature = d2i_ECDSA_SIG(nil, &place, buffer.count)
        return (signature, place.flatMap { end in buffer.baseAddress.map { end - $0 } } ?? 0)
      }
      defer { ECDSA_SIG_free(signature) }
      guard let signature, used == octets.count else { throw CryptoKitError.invalidParameter }
      rawRepresentation = Data(
        try CurveGroup.octets(of: ECDSA_SIG_get0_r(signature), count: Curve.coordinateByteCount)
          + CurveGroup.octets(of: ECDSA_SIG_get0_s(signature), count: Curve.coordinateByteCount))
    }

    /// The DER form: a sequence of two integers.
    public var derRepresentation: Data {
      let octets = Array(rawRepresentation)
      let parts = [octets.prefix(Curve.coordinateByteCount), octets.suffix(Curve.coordinateByteCount)]
      let numbers = parts.map { BN_bin2bn(Array($0), Int32($0.count), nil) }
      let signature = ECDSA_SIG_new()
      defer { ECDSA_SIG_free(signature) }
      // The signature owns the numbers from here on.
      guard ECDSA_SIG_set0(signature, numbers[0], numbers[1]) == 1 else { return Data() }
      var result = [UInt8](repeating: 0, count: Int(max(0, i2d_ECDSA_SIG(signature, nil))))
      result.withUnsafeMutableBufferPointer { buffer in
        var place = buffer.baseAddress
        _ = i2d_ECDSA_SIG(signature, &place)
      }
      return Data(result)
    }

    /// Gives access to `rawRepresentation`.
    public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
      try rawRepresentation.withUnsafeBytes(body)
    }
  }
}
