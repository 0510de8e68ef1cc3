import CommonCrypto

/// Hash functions that are broken, for protocols that still require them.
public enum Insecure {
  /// SHA-1. Source: FIPS 180-4.
  public struct SHA1: HashFunction {
    /// The type of the result.
    public typealias Digest = SHA1Digest
    /// 64 octets.
    public static var blockByteCount: Int { 64 }
    /// Length of a digest, in octets.
    public static var byteCount: Int { 20 }
    private var computation = Computation(.sha1)

    /// Begins a computation.
    public init() {}
    /// Appends octets to the input.
    public mutating func update(bufferPointer: UnsafeRawBufferPointer) { computation.update(bufferPointer) }
    /// The digest of the input so far. The computation can go on.
    public func finalize() -> SHA1Digest { SHA1Digest(computation.digest) }
  }

  /// A digest of SHA-1.
  public struct SHA1Digest: Digest {
    /// 20 octets.
    public static var byteCount: Int { 20 }
    private let octets: [UInt8]

    init(_ octets: [UInt8]) { self.octets = octets }

    /// Gives access to the octets.
    public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
      try octets.withUnsafeBytes(body)
    }
    /// Iterates over the octets.
    public func makeIterator() -> Array<UInt8>.Iterator { octets.makeIterator() }
    /// Compares all octets, however early they differ.
    public static func == (left: Self, right: Self) -> Bool { areEqual(left, right) }
    /// Hashes the octets.
    public func hash(into hasher: inout Hasher) { hasher.combine(octets) }
    /// The function's name and the octets in hexadecimal.
    public var description: String { "SHA1 digest: " + hexadecimal(octets) }
  }

  /// MD5. Source: RFC 1321.
  public struct MD5: HashFunction {
    /// The type of the result.
    public typealias Digest = MD5Digest
    /// 64 octets.
    public static var blockByteCount: Int { 64 }
    /// Length of a digest, in octets.
    public static var byteCount: Int { 16 }
    private var computation = Computation(.md5)

    /// Begins a computation.
    public init() {}
    /// Appends octets to the input.
    public mutating func update(bufferPointer: UnsafeRawBufferPointer) { computation.update(bufferPointer) }
    /// The digest of the input so far. The computation can go on.
    public func finalize() -> MD5Digest { MD5Digest(computation.digest) }
  }

  /// A digest of MD5.
  public struct MD5Digest: Digest {
    /// 16 octets.
    public static var byteCount: Int { 16 }
    private let octets: [UInt8]

    init(_ octets: [UInt8]) { self.octets = octets }

    /// Gives access to the octets.
    public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
      try octets.withUnsafeBytes(body)
    }
    /// Iterates over the octets.
    public func makeIterator() -> Array<UInt8>.Iterator { octets.makeIterator() }
    /// Compares all octets, however early they differ.
    public static func == (left: Self, right: Self) -> Bool { areEqual(left, right) }
    /// Hashes the octets.
    public func hash(into hasher: inout Hasher) { hasher.combine(octets) }
    /// The function's name and the octets in hexadecimal.
    public var description: String { "MD5 digest: " + hexadecimal(octets) }
  }
}
