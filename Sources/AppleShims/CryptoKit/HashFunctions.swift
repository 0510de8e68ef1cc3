import CommonCrypto

/// SHA-256. Source: FIPS 180-4.
public struct SHA256: HashFunction {
  /// The type of the result.
  public typealias Digest = SHA256Digest
  /// 64 octets.
  public static var blockByteCount: Int { 64 }
  /// Length of a digest, in octets.
  public static var byteCount: Int { 32 }
  private var computation = Computation(.sha256)

  /// Begins a computation.
  public init() {}
  /// Appends octets to the input.
  public mutating func update(bufferPointer: UnsafeRawBufferPointer) { computation.update(bufferPointer) }
  /// The digest of the input so far. The computation can go on.
  public func finalize() -> SHA256Digest { SHA256Digest(computation.digest) }
}

/// A digest of SHA-256.
public struct SHA256Digest: Digest {
  /// 32 octets.
  public static var byteCount: Int { 32 }
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
  public var description: String { "SHA256 digest: " + hexadecimal(octets) }
}

/// SHA-384. Source: FIPS 180-4.
public struct SHA384: HashFunction {
  /// The type of the result.
  public typealias Digest = SHA384Digest
  /// 128 octets.
  public static var blockByteCount: Int { 128 }
  /// Length of a digest, in octets.
  public static var byteCount: Int { 48 }
  private var computation = Computation(.sha384)

  /// Begins a computation.
  public init() {}
  /// Appends octets to the input.
  public mutating func update(bufferPointer: UnsafeRawBufferPointer) { computation.update(bufferPointer) }
  /// The digest of the input so far. The computation can go on.
  public func finalize() -> SHA384Digest { SHA384Digest(computation.digest) }
}

/// A digest of SHA-384.
public struct SHA384Digest: Digest {
  /// 48 octets.
  public static var byteCount: Int { 48 }
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
  public var description: String { "SHA384 digest: " + hexadecimal(octets) }
}

/// SHA-512. Source: FIPS 180-4.
public struct SHA512: HashFunction {
  /// The type of the result.
  public typealias Digest = SHA512Digest
  /// 128 octets.
  public static var blockByteCount: Int { 128 }
  /// Length of a digest, in octets.
  public static var byteCount: Int { 64 }
  private var computation = Computation(.sha512)

  /// Begins a computation.
  public init() {}
  /// Appends octets to the input.
  public mutating func update(bufferPointer: UnsafeRawBufferPointer) { computation.update(bufferPointer) }
  /// The digest of the input so far. The computation can go on.
  public func finalize() -> SHA512Digest { SHA512Digest(computation.digest) }
}

/// A digest of SHA-512.
public struct SHA512Digest: Digest {
  /// 64 octets.
  public static var byteCount: Int { 64 }
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
  public var description: String { "SHA512 digest: " + hexadecimal(octets) }
}
