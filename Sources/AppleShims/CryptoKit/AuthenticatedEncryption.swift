// What AES.GCM and ChaChaPoly have in common. These types have no names of their own in Apple's CryptoKit; apps reach them
// as `AES.GCM.SealedBox`, `ChaChaPoly.Nonce` and so on.

/// The Advanced Encryption Standard. Source: FIPS 197.
public enum AES {
  /// AES in Galois/Counter Mode, with keys of 128, 192 or 256 bits. Source: NIST SP 800-38D.
  public enum GCM: AuthenticatedEncryption {
    /// AES-GCM.
    public static var algorithm: AuthenticatedAlgorithm { .aesGCM }
  }
}

/// ChaCha20 with Poly1305, with keys of 256 bits. Source: RFC 8439.
public enum ChaChaPoly: AuthenticatedEncryption {
  /// ChaCha20-Poly1305.
  public static var algorithm: AuthenticatedAlgorithm { .chaChaPoly }
}

/// An algorithm that encrypts and authenticates.
public enum AuthenticatedAlgorithm: Sendable {
  /// AES-GCM.
  case aesGCM
  /// ChaCha20-Poly1305.
  case chaChaPoly
}

/// Encrypts messages and authenticates them together with other data.
public protocol AuthenticatedEncryption {
  /// The algorithm.
  static var algorithm: AuthenticatedAlgorithm { get }
}

extension AuthenticatedEncryption {
  /// A number that is used for one message only.
  public typealias Nonce = MessageNonce<Self>
  /// An encrypted message with its nonce and tag.
  public typealias SealedBox = SealedMessage<Self>

  /// Encrypts a message and authenticates it together with other data.
  ///
  /// - Parameters:
  ///   - message: The message.
  ///   - key: The key.
  ///   - nonce: Must differ for each message with the same key; `nil` creates one.
  ///   - authenticatedData: Data that `open` must be given, too.
  /// - Throws: `CryptoKitError.incorrectKeySize`.
  public static func seal<Plaintext: DataProtocol, AuthenticatedData: DataProtocol>(
    _ message: Plaintext, using key: SymmetricKey, nonce: Nonce? = nil,
    authenticating authenticatedData: AuthenticatedData
  ) throws -> SealedBox {
    let cipher = try AuthenticatedCipher(algorithm, key: key)
    return SealedBox(
      try cipher.seal(
        Array(message), nonce: (nonce ?? Nonce()).octets, authenticating: Array(authenticatedData)))
  }

  /// Encrypts a message and authenticates it.
  public static func seal<Plaintext: DataProtocol>(
    _ message: Plaintext, using key: SymmetricKey, nonce: Nonce? = nil
  ) throws -> SealedBox {
    try seal(message, using: key, nonce: nonce, authenticating: [UInt8]())
  }

  /// Decrypts a message.
  ///
  /// - Throws: `CryptoKitError.authenticationFailure` if the box, the data or the key is not the one that was used;
  ///   `incorrectKeySize`.
  public static func open<AuthenticatedData: DataProtocol>(
    _ sealedBox: SealedBox, using key: SymmetricKey, authenticating authenticatedData: AuthenticatedData
  ) throws -> Data {
    try AuthenticatedCipher(algorithm, key: key).open(
      sealedBox.sealed, authenticating: Array(authenticatedData))
  }

  /// Decrypts a message that was sealed without other data.
  public static func open(_ sealedBox: SealedBox, using key: SymmetricKey) throws -> Data {
    try open(sealedBox, using: key, authenticating: [UInt8]())
  }
}

/// A number that is used for one message only: `AES.GCM.Nonce` or `ChaChaPoly.Nonce`.
public struct MessageNonce<Encryption: AuthenticatedEncryption>: ContiguousBytes, Sequence, Sendable {
  let octets: [UInt8]

  /// Creates a random nonce of 12 octets.
  public init() { octets = SymmetricKey(size: SymmetricKeySize(bitCount: 96)).octets }

  /// Creates a nonce from octets: 12, or for AES-GCM also more.
  ///
  /// - Throws: `CryptoKitError.incorrectParameterSize`.
  public init<D: DataProtocol>(data: D) throws {
    let isLonger = data.count > SealedOctets.nonceCount
    guard data.count >= SealedOctets.nonceCount, !isLonger || Encryption.algorithm == .aesGCM else {
      throw CryptoKitError.incorrectParameterSize
    }
    octets = Array(data)
  }

  init(octets: [UInt8]) { self.octets = octets }

  /// Gives access to the octets.
  public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
    try octets.withUnsafeBytes(body)
  }
  /// Iterates over the octets.
  public func makeIterator() -> Array<UInt8>.Iterator { octets.makeIterator() }
}

/// An encrypted message with its nonce and tag: `AES.GCM.SealedBox` or `ChaChaPoly.SealedBox`.
public struct SealedMessage<Encryption: AuthenticatedEncryption>: Sendable {
  let sealed: SealedOctets

  /// The nonce.
  public var nonce: MessageNonce<Encryption> { MessageNonce(octets: sealed.nonce) }
  /// The encrypted message.
  public var ciphertext: Data { Data(sealed.ciphertext) }
  /// The tag: 16 octets.
  public var tag: Data { Data(sealed.tag) }

  /// Creates a box from its parts.
  ///
  /// - Throws: `CryptoKitError.incorrectParameterSize` if the tag does not have 16 octets.
  public init<C: DataProtocol, T: DataProtocol>(
    nonce: MessageNonce<Encryption>, ciphertext: C, tag: T
  ) throws {
    guard tag.count == SealedOctets.tagCount else { throw CryptoKitError.incorrectParameterSize }
    sealed = SealedOctets(nonce: nonce.octets, ciphertext: Array(ciphertext), tag: Array(tag))
  }

  /// Splits nonce, ciphertext and tag in one.
  ///
  /// - Throws: `CryptoKitError.incorrectParameterSize` if there are fewer than 28 octets.
  public init<D: DataProtocol>(combined: D) throws { sealed = try SealedOctets(combined: Array(combined)) }

  init(_ sealed: SealedOctets) { self.sealed = sealed }
}

extension SealedMessage where Encryption == AES.GCM {
  /// Nonce, ciphertext and tag in one, or `nil` if the nonce does not have 12 octets.
  public var combined: Data? { sealed.nonce.count == SealedOctets.nonceCount ? sealed.combined : nil }
}

extension SealedMessage where Encryption == ChaChaPoly {
  /// Nonce, ciphertext and tag in one.
  public var combined: Data { sealed.combined }
}
