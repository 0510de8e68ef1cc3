/// A code that proves a message's origin to those who have the key.
///
/// Source: Apple's documentation of CryptoKit's `MessageAuthenticationCode`.
public protocol MessageAuthenticationCode: Hashable, ContiguousBytes, CustomStringConvertible, Sendable,
  Sequence<UInt8>
{
  /// Length of the code, in octets.
  var byteCount: Int { get }
}

extension MessageAuthenticationCode {
  /// Compares all octets, however early they differ.
  public static func == <D: DataProtocol>(left: Self, right: D) -> Bool { areEqual(left, right) }
  /// Compares all octets, however early they differ.
  public static func != <D: DataProtocol>(left: Self, right: D) -> Bool { !areEqual(left, right) }
}

/// The code that `HMAC` computes.
public struct HashedAuthenticationCode<H: HashFunction>: MessageAuthenticationCode {
  private let octets: [UInt8]

  init(_ octets: [UInt8]) { self.octets = octets }

  /// Length of the code, in octets.
  public var byteCount: Int { octets.count }
  /// Gives access to the octets.
  public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
    try octets.withUnsafeBytes(body)
  }
  /// Iterates over the octets.
  public func makeIterator() -> Array<UInt8>.Iterator { octets.makeIterator() }
  /// Compares all octets, however early they differ.
  public static func == (left: Self, right: Self) -> Bool { areEqual(left.octets, right.octets) }
  /// Hashes the octets.
  public func hash(into hasher: inout Hasher) { hasher.combine(octets) }
  /// The function's name and the octets in hexadecimal.
  public var description: String { "HMAC with \(H.self): " + hexadecimal(octets) }
}

/// Authenticates messages with a hash function and a key. Source: RFC 2104, section 2.
public struct HMAC<H: HashFunction>: Sendable {
  /// The key's type.
  public typealias Key = SymmetricKey
  /// The code's type.
  public typealias MAC = HashedAuthenticationCode<H>

  private var inner = H()
  private var outer = H()

  /// Begins a computation.
  public init(key: SymmetricKey) {
    var block = key.withUnsafeBytes { Array($0) }
    if block.count > H.blockByteCount { block = Array(H.hash(data: block)) }
    while block.count < H.blockByteCount { block.append(0) }
    inner.update(data: block.map { $0 ^ 0x36 })
    outer.update(data: block.map { $0 ^ 0x5C })
  }

  /// Appends octets to the message.
  public mutating func update<D: DataProtocol>(data: D) { inner.update(data: data) }

  /// The code of the message so far. The computation can go on.
  public func finalize() -> MAC {
    var last = outer
    last.update(data: Array(inner.finalize()))
    return MAC(Array(last.finalize()))
  }

  /// The code of a message.
  public static func authenticationCode<D: DataProtocol>(for data: D, using key: SymmetricKey) -> MAC {
    var code = Self(key: key)
    code.update(data: data)
    return code.finalize()
  }

  /// Whether a code is that of a message.
  public static func isValidAuthenticationCode<D: DataProtocol>(
    _ authenticationCode: MAC, authenticating authenticatedData: D, using key: SymmetricKey
  ) -> Bool { authenticationCode == self.authenticationCode(for: authenticatedData, using: key) }

  /// Whether a code is that of a message.
  public static func isValidAuthenticationCode<C: ContiguousBytes, D: DataProtocol>(
    _ authenticationCode: C, authenticating authenticatedData: D, using key: SymmetricKey
  ) -> Bool {
    let given = authenticationCode.withUnsafeBytes { Array($0) }
    return areEqual(given, self.authenticationCode(for: authenticatedData, using: key))
  }
}

/// Derives keys from a secret. Source: RFC 5869, section 2.
public struct HKDF<H: HashFunction>: Sendable {
  /// Derives a key in both steps.
  ///
  /// - Parameters:
  ///   - inputKeyMaterial: The secret.
  ///   - salt: Separates the protocol from others.
  ///   - info: Separates the purpose of the key from others.
  ///   - outputByteCount: Length of the key in octets, 1 to 255 digests.
  public static func deriveKey<Salt: DataProtocol, Info: DataProtocol>(
    inputKeyMaterial: SymmetricKey, salt: Salt, info: Info, outputByteCount: Int
  ) -> SymmetricKey {
    let key = extract(inputKeyMaterial: inputKeyMaterial, salt: salt)
    return expand(pseudoRandomKey: key, info: info, outputByteCount: outputByteCount)
  }

  /// Derives a key in both steps, without information about its purpose.
  public static func deriveKey<Salt: DataProtocol>(
    inputKeyMaterial: SymmetricKey, salt: Salt, outputByteCount: Int
  ) -> SymmetricKey {
    deriveKey(inputKeyMaterial: inputKeyMaterial, salt: salt, info: [], outputByteCount: outputByteCount)
  }

  /// Derives a key in both steps, without a salt.
  public static func deriveKey<Info: DataProtocol>(
    inputKeyMaterial: SymmetricKey, info: Info, outputByteCount: Int
  ) -> SymmetricKey {
    deriveKey(inputKeyMaterial: inputKeyMaterial, salt: [], info: info, outputByteCount: outputByteCount)
  }

  /// Derives a key in both steps, without a salt and information about its purpose.
  public static func deriveKey(inputKeyMaterial: SymmetricKey, outputByteCount: Int) -> SymmetricKey {
    deriveKey(inputKeyMaterial: inputKeyMaterial, salt: [], info: [], outputByteCount: outputByteCount)
  }

  /// The first step: concentrates a secret into one digest.
  public static func extract<Salt: DataProtocol>(
    inputKeyMaterial: SymmetricKey, salt: Salt?
  ) -> HashedAuthenticationCode<H> {
    let message = inputKeyMaterial.withUnsafeBytes { Array($0) }
    return HMAC<H>.authenticationCode(
      for: message, using: SymmetricKey(data: Array(salt.map { Array($0) } ?? [])))
  }

  /// The second step: derives a key from one digest.
  public static func expand<PRK: ContiguousBytes, Info: DataProtocol>(
    pseudoRandomKey prk: PRK, info: Info?, outputByteCount: Int
  ) -> SymmetricKey {
    let key = SymmetricKey(data: prk)
    var (output, block): ([UInt8], [UInt8]) = ([], [])
    var counter: UInt8 = 0
    while output.count < outputByteCount {
      precondition(counter < 255, "HKDF gives at most 255 digests, asked for \(outputByteCount) octets")
      counter += 1
      var code = HMAC<H>(key: key)
      code.update(data: block)
      if let info { code.update(data: info) }
      code.update(data: [counter])
      block = Array(code.finalize())
      output += block
    }
    return SymmetricKey(data: Array(output.prefix(max(0, outputByteCount))))
  }
}
