import CommonCrypto
@_exported import NearbyFoundation

/// The result of a hash function: a sequence of octets.
///
/// Source: Apple's documentation of CryptoKit's `Digest`.
public protocol Digest: Hashable, ContiguousBytes, CustomStringConvertible, Sendable, Sequence<UInt8> {
  /// Length of the digest, in octets.
  static var byteCount: Int { get }
}

/// A hash function, computed at once or in parts.
///
/// Source: Apple's documentation of CryptoKit's `HashFunction`.
public protocol HashFunction: Sendable {
  /// The type of the result.
  associatedtype Digest: CryptoKit.Digest
  /// Length of the function's blocks, in octets.
  static var blockByteCount: Int { get }
  /// Begins a computation.
  init()
  /// Appends octets to the input.
  mutating func update(bufferPointer: UnsafeRawBufferPointer)
  /// The digest of the input so far. The computation can go on.
  func finalize() -> Digest
}

extension HashFunction {
  /// Appends octets to the input.
  public mutating func update<D: DataProtocol>(data: D) {
    for region in data.regions {
      region.withUnsafeBytes { update(bufferPointer: $0) }
    }
  }

  /// The digest of some octets.
  public static func hash<D: DataProtocol>(data: D) -> Digest {
    var function = Self()
    function.update(data: data)
    return function.finalize()
  }
}

extension Digest {
  /// Iterates over the octets.
  public func makeIterator() -> Array<UInt8>.Iterator { octets.makeIterator() }
  /// Compares all octets, however early they differ.
  public static func == (left: Self, right: Self) -> Bool { areEqual(left, right) }
  /// Hashes the octets.
  public func hash(into hasher: inout Hasher) { hasher.combine(octets) }
  /// The function's name and the octets in hexadecimal.
  public var description: String {
    let name = String(describing: Self.self)
    return "\(name.hasSuffix("Digest") ? String(name.dropLast(6)) : name) digest: " + hexadecimal(octets)
  }
  /// Compares all octets, however early they differ.
  public static func == <D: DataProtocol>(left: Self, right: D) -> Bool { areEqual(left, right) }
  /// Compares all octets, however early they differ.
  public static func != <D: DataProtocol>(left: Self, right: D) -> Bool { !areEqual(left, right) }
}

/// Compares without revealing by its duration where the octets differ.
func areEqual<A: Sequence<UInt8>, B: Sequence<UInt8>>(_ a: A, _ b: B) -> Bool {
  let (a, b) = (Array(a), Array(b))
  guard a.count == b.count else { return false }
  return zip(a, b).reduce(0) { $0 | $1.0 ^ $1.1 } == 0
}

func hexadecimal<S: Sequence<UInt8>>(_ octets: S) -> String {
  octets.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}

/// A value that changes only if no copy shares it.
struct Computation: Sendable {
  private var state: DigestState

  init(_ function: DigestState.Function) { state = DigestState(function) }

  mutating func update(_ octets: UnsafeRawBufferPointer) {
    if !isKnownUniquelyReferenced(&state) { state = DigestState(copying: state) }
    state.update(octets)
  }

  var digest: [UInt8] { state.digest }
}
