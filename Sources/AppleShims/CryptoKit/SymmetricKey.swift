/// The length of a symmetric key.
public struct SymmetricKeySize: Sendable {
  /// The length, in bits.
  public let bitCount: Int
  /// Creates a length in bits, a multiple of 8.
  public init(bitCount: Int) {
    precondition(bitCount > 0 && bitCount.isMultiple(of: 8), "a key of \(bitCount) bits is no whole octets")
    self.bitCount = bitCount
  }
  /// 128 bits.
  public static let bits128 = SymmetricKeySize(bitCount: 128)
  /// 192 bits.
  public static let bits192 = SymmetricKeySize(bitCount: 192)
  /// 256 bits.
  public static let bits256 = SymmetricKeySize(bitCount: 256)
}

/// A secret that both sides have.
public struct SymmetricKey: ContiguousBytes, Equatable, Sendable {
  private let octets: [UInt8]

  /// Creates a key from octets.
  public init<D: ContiguousBytes>(data: D) { octets = data.withUnsafeBytes { Array($0) } }

  /// Creates a random key.
  public init(size: SymmetricKeySize) {
    var generator = SystemRandomNumberGenerator()
    octets = (0..<size.bitCount / 8).map { _ in UInt8.random(in: 0...255, using: &generator) }
  }

  /// The key's length, in bits.
  public var bitCount: Int { octets.count * 8 }

  /// Gives access to the octets.
  public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
    try octets.withUnsafeBytes(body)
  }

  /// Compares all octets, however early they differ.
  public static func == (left: Self, right: Self) -> Bool { areEqual(left.octets, right.octets) }
}
