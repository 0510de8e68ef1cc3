import CommonCrypto

/// A secret that two parties have agreed on. Derive keys from it.
///
/// Source: Apple's documentation of `SharedSecret`.
public struct SharedSecret: ContiguousBytes, CustomStringConvertible, Hashable, Sendable {
  private let octets: [UInt8]

  init(octets: [UInt8]) { self.octets = octets }

  /// Gives access to the octets.
  public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
    try octets.withUnsafeBytes(body)
  }

  /// The length, without the secret.
  public var description: String { "SharedSecret of \(octets.count) octets" }

  /// Compares all octets, however early they differ.
  public static func == (left: Self, right: Self) -> Bool { areEqual(left.octets, right.octets) }
  /// Compares all octets, however early they differ.
  public static func == <D: DataProtocol>(left: Self, right: D) -> Bool { areEqual(left.octets, right) }

  /// Derives a key by HKDF. Source: RFC 5869.
  ///
  /// - Parameters:
  ///   - hashFunction: The hash function.
  ///   - salt: Separates the protocol from others.
  ///   - sharedInfo: Separates the purpose of the key from others.
  ///   - outputByteCount: Length of the key, in octets.
  public func hkdfDerivedSymmetricKey<H: HashFunction, Salt: DataProtocol, SharedInfo: DataProtocol>(
    using hashFunction: H.Type, salt: Salt, sharedInfo: SharedInfo, outputByteCount: Int
  ) -> SymmetricKey {
    HKDF<H>.deriveKey(
      inputKeyMaterial: SymmetricKey(data: octets), salt: salt, info: sharedInfo,
      outputByteCount: outputByteCount)
  }

  /// Derives a key as ANSI X9.63 does. Source: SEC 1, section 3.6.1.
  ///
  /// - Parameters:
  ///   - hashFunction: The hash function.
  ///   - sharedInfo: Separates the purpose of the key from others.
  ///   - outputByteCount: Length of the key, in octets.
  public func x963DerivedSymmetricKey<H: HashFunction, SharedInfo: DataProtocol>(
    using hashFunction: H.Type, sharedInfo: SharedInfo, outputByteCount: Int
  ) -> SymmetricKey {
    var (output, counter): ([UInt8], UInt32) = ([], 0)
    while output.count < outputByteCount {
      counter += 1  // Bounded: each digest adds 16 octets or more, and memory ends before 2^32 of them.
      var function = H()
      function.update(data: octets)
      function.update(data: Swift.withUnsafeBytes(of: counter.bigEndian) { Array($0) })
      function.update(data: sharedInfo)
      output += Array(function.finalize())
    }
    return SymmetricKey(data: Array(output.prefix(max(0, outputByteCount))))
  }
}
