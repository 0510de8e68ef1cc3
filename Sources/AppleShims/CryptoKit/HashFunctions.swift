import CommonCrypto

/// SHA-256. Source: FIPS 180-4.
public struct SHA256: HashFunction {
  /// The type of the result.
  public typealias Digest = SHA256Digest
  /// 64 octets.
  public static var blockByteCount: Int { 64 }
  /// 32 octets.
  public static var byteCount: Int { Digest.byteCount }
  private var computation = Computation(.sha256)

  /// Begins a computation.
  public init() {}
  /// Appends octets to the input.
  public mutating func update(bufferPointer: UnsafeRawBufferPointer) { computation.update(bufferPointer) }
  /// The digest of the input so far. The computation can go on.
  public func finalize() -> Digest { Digest(octets: computation.digest) }
}

/// A digest of SHA-256.
public struct SHA256Digest: CryptoKit.Digest {
  /// 32 octets.
  public static var byteCount: Int { 32 }
  fileprivate let octets: [UInt8]
  /// Gives access to the octets.
  public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
    try octets.withUnsafeBytes(body)
  }
}

/// SHA-384. Source: FIPS 180-4.
public struct SHA384: HashFunction {
  /// The type of the result.
  public typealias Digest = SHA384Digest
  /// 128 octets.
  public static var blockByteCount: Int { 128 }
  /// 48 octets.
  public static var byteCount: Int { Digest.byteCount }
  private var computation = Computation(.sha384)

  /// Begins a computation.
  public init() {}
  /// Appends octets to the input.
  public mutating func update(bufferPointer: UnsafeRawBufferPointer) { computation.update(bufferPointer) }
  /// The digest of the input so far. The computation can go on.
  public func finalize() -> Digest { Digest(octets: computation.digest) }
}

/// A digest of SHA-384.
public struct SHA384Digest: CryptoKit.Digest {
  /// 48 octets.
  public static var byteCount: Int { 48 }
  fileprivate let octets: [UInt8]
  /// Gives access to the octets.
  public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
    try octets.withUnsafeBytes(body)
  }
}

/// SHA-512. Source: FIPS 180-4.
public struct SHA512: HashFunction {
  /// The type of the result.
  public typealias Digest = SHA512Digest
  /// 128 octets.
  public static var blockByteCount: Int { 128 }
  /// 64 octets.
  public static var byteCount: Int { Digest.byteCount }
  private var computation = Computation(.sha512)

  /// Begins a computation.
  public init() {}
  /// Appends octets to the input.
  public mutating func update(bufferPointer: UnsafeRawBufferPointer) { computation.update(bufferPointer) }
  /// The digest of the input so far. The computation can go on.
  public func finalize() -> Digest { Digest(octets: computation.digest) }
}

/// A digest of SHA-512.
public struct SHA512Digest: CryptoKit.Digest {
  /// 64 octets.
  public static var byteCount: Int { 64 }
  fileprivate let octets: [UInt8]
  /// Gives access to the octets.
  public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
    try octets.withUnsafeBytes(body)
  }
}
