import CNearbyOpenSSL
import CommonCrypto

/// One of NIST's elliptic curves. Source: FIPS 186-4, appendix D.1.2; SEC 2.
public protocol NISTCurve: Sendable {
  /// Length of a coordinate and of a private key, in octets.
  static var coordinateByteCount: Int { get }
  /// OpenSSL's name of the curve.
  static var groupName: String { get }
  /// The hash function that signatures of messages use.
  associatedtype MessageHash: HashFunction
}

/// The numbers of a key pair or public key on a curve. Apps use the keys that contain it.
public struct CurveKey<Curve: NISTCurve>: Sendable {
  let key: AsymmetricKey
  /// `nil` for a public key.
  let scalar: [UInt8]?
  /// SEC 1's uncompressed form: 4, x, y.
  let point: [UInt8]

  /// The public key alone.
  var withoutScalar: CurveKey { CurveKey(key: key, scalar: nil, point: point) }

  private init(key: AsymmetricKey, scalar: [UInt8]?, point: [UInt8]) {
    (self.key, self.scalar, self.point) = (key, scalar, point)
  }

  /// A random key pair.
  static func random() -> CurveKey {
    precondition(openSSLIsSetUp, "OpenSSL starts")
    // At least half of all numbers are below the curve's order; a hundred failures in a row do not happen by chance.
    for _ in 0..<100 {
      var octets = [UInt8](repeating: 0, count: Curve.coordinateByteCount)
      precondition(RAND_bytes(&octets, Int32(octets.count)) == 1, "OpenSSL gives random octets")
      // P-521's scalars have 521 bits in 66 octets.
      if Curve.coordinateByteCount == 66 { octets[0] &= 1 }
      if let key = try? CurveKey(scalar: octets) { return key }
    }
    preconditionFailure("OpenSSL creates no key of \(Curve.groupName)")
  }

  /// - Throws: `incorrectKeySize`; `invalidParameter` for a number that is no private key of the curve.
  init(scalar octets: [UInt8]) throws(CryptoKitError) {
    precondition(openSSLIsSetUp, "OpenSSL starts")
    guard octets.count == Curve.coordinateByteCount else { throw .incorrectKeySize }
    let group = try CurveGroup(Curve.self)
    point = try group.publicPoint(ofScalar: octets)
    scalar = octets
    key = try Self.key(point: point, scalar: octets)
  }

  /// - Parameter octets: SEC 1's uncompressed or compressed form.
  init(point octets: [UInt8]) throws(CryptoKitError) {
    precondition(openSSLIsSetUp, "OpenSSL starts")
    point = try CurveGroup(Curve.self).uncompressed(octets)
    scalar = nil
    key = try Self.key(point: point, scalar: nil)
  }

  /// Takes the numbers out of a key that OpenSSL has read.
  init(_ key: AsymmetricKey, isPrivate: Bool) throws(CryptoKitError) {
    var (name, count) = ([CChar](repeating: 0, count: 64), 0)
    guard
      EVP_PKEY_get_utf8_string_param(key.pointer, OSSL_PKEY_PARAM_GROUP_NAME, &name, name.count, &count) == 1,
      name.prefix(while: { $0 != 0 }).elementsEqual(Curve.groupName.utf8.map { CChar($0) })
    else { throw .invalidParameter }
    if isPrivate {
      var number: OpaquePointer?
      guard EVP_PKEY_get_bn_param(key.pointer, OSSL_PKEY_PARAM_PRIV_KEY, &number) == 1 else {
        throw .invalidParameter
      }
      defer { BN_clear_free(number) }
      try self.init(scalar: CurveGroup.octets(of: number, count: Curve.coordinateByteCount))
    } else {
      var octets = [UInt8](repeating: 0, count: 1 + 2 * Curve.coordinateByteCount)
      var length = 0
      guard
        EVP_PKEY_get_octet_string_param(key.pointer, OSSL_PKEY_PARAM_PUB_KEY, &octets, octets.count, &length)
          == 1
      else { throw .invalidParameter }
      try self.init(point: Array(octets.prefix(length)))
    }
  }

  private static func key(point: [UInt8], scalar: [UInt8]?) throws(CryptoKitError) -> AsymmetricKey {
    let number = scalar.flatMap { BN_bin2bn($0, Int32($0.count), nil) }
    defer { BN_clear_free(number) }
    // OpenSSL keeps the pointers to the names until the key is read.
    let result = OSSL_PKEY_PARAM_GROUP_NAME.withCString { group in
      OSSL_PKEY_PARAM_PUB_KEY.withCString { publicKey in
        OSSL_PKEY_PARAM_PRIV_KEY.withCString { privateKey in
          read(ParameterNames(group: group, publicKey: publicKey, privateKey: privateKey), point, number)
        }
      }
    }
    guard let result else { throw .invalidParameter }
    return try AsymmetricKey(owning: result)
  }

  private static func read(_ names: ParameterNames, _ point: [UInt8], _ number: OpaquePointer?)
    -> OpaquePointer?
  {
    guard let builder = OSSL_PARAM_BLD_new(), let context = EVP_PKEY_CTX_new_from_name(nil, "EC", nil) else {
      return nil
    }
    defer {
      EVP_PKEY_CTX_free(context)
      OSSL_PARAM_BLD_free(builder)
    }
    // The builder copies the curve's name and the point only when it is done.
    let parameters = Curve.groupName.withCString { name in
      point.withUnsafeBufferPointer { point in
        guard OSSL_PARAM_BLD_push_utf8_string(builder, names.group, name, 0) == 1,
          OSSL_PARAM_BLD_push_octet_string(builder, names.publicKey, point.baseAddress, point.count) == 1,
          number == nil || OSSL_PARAM_BLD_push_BN(builder, names.privateKey, number) == 1
        else { return UnsafeMutablePointer<OSSL_PARAM>?.none }
        return OSSL_PARAM_BLD_to_param(builder)
      }
    }
    guard let parameters else { return nil }
    defer { OSSL_PARAM_free(parameters) }
    var result: OpaquePointer?
    let parts = number == nil ? KeyParts.publicKey : KeyParts.pair
    guard EVP_PKEY_fromdata_init(context) == 1, EVP_PKEY_fromdata(context, &result, parts, parameters) == 1
    else {
      return nil
    }
    return result
  }
}

private struct ParameterNames {
  let group: UnsafePointer<CChar>
  let publicKey: UnsafePointer<CChar>
  let privateKey: UnsafePointer<CChar>
}

/// The parts of a key that OpenSSL reads, whose sums are macros that Swift can't import.
private enum KeyParts {
  static let publicKey =
    OSSL_KEYMGMT_SELECT_PUBLIC_KEY | OSSL_KEYMGMT_SELECT_DOMAIN_PARAMETERS
    | OSSL_KEYMGMT_SELECT_OTHER_PARAMETERS
  static let pair = publicKey | OSSL_KEYMGMT_SELECT_PRIVATE_KEY
}

/// A curve's arithmetic.
final class CurveGroup {
  private let group: OpaquePointer
  private let byteCount: Int

  init<Curve: NISTCurve>(_ curve: Curve.Type) throws(CryptoKitError) {
    guard let group = EC_GROUP_new_by_curve_name(OBJ_sn2nid(Curve.groupName)) else { throw .library }
    self.group = group
    byteCount = Curve.coordinateByteCount
  }

  deinit { EC_GROUP_free(group) }

  static func octets(of number: OpaquePointer?, count: Int) throws(CryptoKitError) -> [UInt8] {
    var octets = [UInt8](repeating: 0, count: count)
    guard let number, BN_bn2binpad(number, &octets, Int32(count)) == count else { throw .invalidParameter }
    return octets
  }

  /// The generator times a number from 1 to the curve's order less one.
  func publicPoint(ofScalar octets: [UInt8]) throws(CryptoKitError) -> [UInt8] {
    guard let number = BN_bin2bn(octets, Int32(octets.count), nil), let point = EC_POINT_new(group) else {
      throw .library
    }
    defer {
      BN_clear_free(number)
      EC_POINT_free(point)
    }
    guard BN_is_zero(number) == 0, BN_cmp(number, EC_GROUP_get0_order(group)) < 0,
      EC_POINT_mul(group, point, number, nil, nil, nil) == 1
    else { throw .invalidParameter }
    return try written(point)
  }

  /// Checks that a point is on the curve.
  func uncompressed(_ octets: [UInt8]) throws(CryptoKitError) -> [UInt8] {
    guard octets.count == 1 + byteCount || octets.count == 1 + 2 * byteCount else {
      throw .incorrectParameterSize
    }
    guard let point = EC_POINT_new(group) else { throw .library }
    defer { EC_POINT_free(point) }
    guard EC_POINT_oct2point(group, point, octets, octets.count, nil) == 1 else { throw .invalidParameter }
    return try written(point)
  }

  private func written(_ point: OpaquePointer) throws(CryptoKitError) -> [UInt8] {
    var octets = [UInt8](repeating: 0, count: 1 + 2 * byteCount)
    let count = EC_POINT_point2oct(group, point, POINT_CONVERSION_UNCOMPRESSED, &octets, octets.count, nil)
    guard count > 0 else { throw .library }
    return Array(octets.prefix(count))
  }
}
