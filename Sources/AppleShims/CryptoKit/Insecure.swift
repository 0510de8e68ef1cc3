import CommonCrypto

/// Hash functions that are broken, for protocols that still require them.
public enum Insecure {
  /// SHA-1. Source: FIPS 180-4.
  public struct SHA1: HashFunction {
    /// The type of the result.
    public typealias Digest = SHA1Digest
    /// 64 octets.
    public static var blockByteCount: Int { 64 }
    /// 20 octets.
    public static var byteCount: Int { Digest.byteCount }
    private var computation = Computation(.sha1)

    /// Begins a computation.
    public init() {}
    /// Appends octets to the input.
    public mutating func update(bufferPointer: UnsafeRawBufferPointer) { computation.update(bufferPointer) }
    /// The digest of the input so far. The computation can go on.
    public func finalize() -> Digest { Digest(octets: computation.digest) }
  }

  /// A digest of SHA-1.
  public struct SHA1Digest: CryptoKit.Digest {
    /// 20 octets.
    public static var byteCount: Int { 20 }
    fileprivate let octets: [UInt8]
    /// Gives access to the octets.
    public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
      try octets.withUnsafeBytes(body)
    }
  }

  /// MD5. Source: RFC 1321.
  public struct MD5: HashFunction {
    /// The type of the result.
    public typealias Digest = MD5Digest
    /// 64 octets.
    public static var blockByteCount: Int { 64 }
    /// 16 octets.
    public static var byteCount: Int { Digest.byteCount }
    private var computation = Computation(.md5)

    /// Begins a computation.
    public init() {}
    /// Appends octets to the input.
    public mutating func update(bufferPointer: UnsafeRawBufferPointer) { computation.update(bufferPointer) }
    /// The digest of the input so far. The computation can go on.
    public func finalize() -> Digest { Digest(octets: computation.digest) }
  }

  /// A digest of MD5.
  public struct MD5Digest: CryptoKit.Digest {
    /// 16 octets.
    public static var byteCount: Int { 16 }
    fileprivate let octets: [UInt8]
    /// Gives access to the octets.
    public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
      try octets.withUnsafeBytes(body)
    }
  }
}
