import CommonCrypto
import Foundation

/// A private key on a curve, with its external forms.
public protocol CurvePrivateKey: Sendable {
  /// The curve.
  associatedtype Curve: NISTCurve
  /// The key's numbers.
  var pair: CurveKey<Curve> { get }
  /// Creates a key from its numbers.
  init(pair: CurveKey<Curve>)
}

extension CurvePrivateKey {
  /// Creates a key from its number, big-endian, as long as a coordinate.
  ///
  /// - Throws: `CryptoKitError.incorrectKeySize`; `invalidParameter` for a number that is no private key of the curve.
  public init<D: ContiguousBytes>(rawRepresentation: D) throws {
    self.init(pair: try CurveKey(scalar: rawRepresentation.octets))
  }

  /// Creates a key from ANSI X9.63's form: the public point without compression, then the private number.
  ///
  /// - Throws: `CryptoKitError.incorrectKeySize`; `invalidParameter` if the numbers do not belong together.
  public init<D: ContiguousBytes>(x963Representation: D) throws {
    let octets = x963Representation.octets
    let count = Curve.coordinateByteCount
    guard octets.count == 1 + 3 * count else { throw CryptoKitError.incorrectKeySize }
    let pair = try CurveKey<Curve>(scalar: Array(octets.suffix(count)))
    guard pair.point.elementsEqual(octets.dropLast(count)) else { throw CryptoKitError.invalidParameter }
    self.init(pair: pair)
  }

  /// Creates a key from PKCS #8 or SEC 1 in DER.
  ///
  /// - Throws: `CryptoKitError.invalidParameter`.
  public init<Octets: RandomAccessCollection<UInt8>>(derRepresentation: Octets) throws {
    self.init(
      pair: try CurveKey(
        AsymmetricKey.reading(der: Array(derRepresentation), isPrivate: true), isPrivate: true))
  }

  /// Creates a key from PEM text labelled `PRIVATE KEY` or `EC PRIVATE KEY`.
  ///
  /// - Throws: `CryptoKitError.invalidParameter`.
  public init(pemRepresentation: String) throws {
    try self.init(
      derRepresentation: PEM.octets(of: pemRepresentation, labels: ["PRIVATE KEY", "EC PRIVATE KEY"]))
  }

  /// The key's number, big-endian, as long as a coordinate.
  public var rawRepresentation: Data { Data(pair.scalar ?? []) }
  /// ANSI X9.63's form: the public point without compression, then the private number.
  public var x963Representation: Data { Data(pair.point + (pair.scalar ?? [])) }
  /// PKCS #8 in DER.
  public var derRepresentation: Data { Data(pair.key.der(isPrivate: true)) }
  /// PKCS #8 as PEM text.
  public var pemRepresentation: String { PEM.text(pair.key.der(isPrivate: true), label: "PRIVATE KEY") }
}

/// A public key on a curve, with its external forms.
public protocol CurvePublicKey: Hashable, Sendable {
  /// The curve.
  associatedtype Curve: NISTCurve
  /// The key's numbers.
  var pair: CurveKey<Curve> { get }
  /// Creates a key from its numbers.
  init(pair: CurveKey<Curve>)
}

extension CurvePublicKey {
  /// Creates a key from its coordinates x and y.
  ///
  /// - Throws: `CryptoKitError.incorrectParameterSize`; `invalidParameter` for a point that is not on the curve.
  public init<D: ContiguousBytes>(rawRepresentation: D) throws {
    let octets = rawRepresentation.octets
    guard octets.count == 2 * Curve.coordinateByteCount else { throw CryptoKitError.incorrectParameterSize }
    self.init(pair: try CurveKey(point: [4] + octets))
  }

  /// Creates a key from ANSI X9.63's form without compression: 4, x, y.
  ///
  /// - Throws: `CryptoKitError.incorrectParameterSize`; `invalidParameter` for a point that is not on the curve.
  public init<D: ContiguousBytes>(x963Representation: D) throws {
    let octets = x963Representation.octets
    guard octets.count == 1 + 2 * Curve.coordinateByteCount else {
      throw CryptoKitError.incorrectParameterSize
    }
    self.init(pair: try CurveKey(point: octets))
  }

  /// Creates a key from the compressed form: 2 or 3, x.
  ///
  /// - Throws: `CryptoKitError.incorrectParameterSize`; `invalidParameter` if no point has this x.
  public init<D: ContiguousBytes>(compressedRepresentation: D) throws {
    let octets = compressedRepresentation.octets
    guard octets.count == 1 + Curve.coordinateByteCount else { throw CryptoKitError.incorrectParameterSize }
    self.init(pair: try CurveKey(point: octets))
  }

  /// Creates a key from SubjectPublicKeyInfo in DER.
  ///
  /// - Throws: `CryptoKitError.invalidParameter`.
  public init<Octets: RandomAccessCollection<UInt8>>(derRepresentation: Octets) throws {
    self.init(
      pair: try CurveKey(
        AsymmetricKey.reading(der: Array(derRepresentation), isPrivate: false), isPrivate: false))
  }

  /// Creates a key from PEM text labelled `PUBLIC KEY`.
  ///
  /// - Throws: `CryptoKitError.invalidParameter`.
  public init(pemRepresentation: String) throws {
    try self.init(derRepresentation: PEM.octets(of: pemRepresentation, labels: ["PUBLIC KEY"]))
  }

  /// The coordinates x and y.
  public var rawRepresentation: Data { Data(pair.point.dropFirst()) }
  /// ANSI X9.63's form without compression: 4, x, y.
  public var x963Representation: Data { Data(pair.point) }
  /// The compressed form: 2 or 3 for an even or odd y, then x.
  public var compressedRepresentation: Data {
    Data([2 + (pair.point.last ?? 0) % 2] + pair.point.dropFirst().prefix(Curve.coordinateByteCount))
  }
  /// SubjectPublicKeyInfo in DER.
  public var derRepresentation: Data { Data(pair.key.der(isPrivate: false)) }
  /// SubjectPublicKeyInfo as PEM text.
  public var pemRepresentation: String { PEM.text(pair.key.der(isPrivate: false), label: "PUBLIC KEY") }

  /// Whether both are the same point.
  public static func == (left: Self, right: Self) -> Bool { left.pair.point == right.pair.point }
  /// Hashes the point.
  public func hash(into hasher: inout Hasher) { hasher.combine(pair.point) }
}

/// Text around octets in base 64. Source: RFC 7468.
private enum PEM {
  /// Octets of base 64 in a line.
  private static let width = 64

  static func text(_ octets: [UInt8], label: String) -> String {
    let digits = Array(Data(octets).base64EncodedString())
    let lines = stride(from: 0, to: digits.count, by: width).map {
      String(digits[$0..<min(digits.count, $0 + width)])
    }
    return (["-----BEGIN \(label)-----"] + lines + ["-----END \(label)-----"]).joined(separator: "\n")
  }

  static func octets(of text: String, labels: [String]) throws(CryptoKitError) -> Data {
    let lines = text.split(whereSeparator: \.isNewline).map { $0.trimmingCharacters(in: .whitespaces) }
    guard
      let start = lines.firstIndex(where: { line in labels.contains { line == "-----BEGIN \($0)-----" } }),
      let end = lines[start...].firstIndex(of: lines[start].replacingOccurrences(of: "BEGIN", with: "END")),
      let octets = Data(base64Encoded: lines[(start + 1)..<end].joined())
    else { throw .invalidParameter }
    return octets
  }
}
