// The hash functions of CommonCrypto, under the names and with the parameters of Apple's C functions.
//
// Source: Apple's manual page CC_crypto(3cc).

/// A count of octets.
public typealias CC_LONG = UInt32
/// A number of 64 bits.
public typealias CC_LONG64 = UInt64

// MARK: MD5

/// Length of a digest of MD5, in octets.
public let CC_MD5_DIGEST_LENGTH: Int32 = 16
/// Length of a block of MD5, in octets.
public let CC_MD5_BLOCK_BYTES: Int32 = 64

/// A computation of MD5 in parts. Pass it to the initializing function first.
public struct CC_MD5_CTX: Sendable {
  var state: DigestState?
  /// Creates a context without a computation.
  public init() {}
}

/// Computes the digest of `len` octets.
///
/// - Parameters:
///   - data: The input.
///   - len: Octets in the input.
///   - md: Receives `CC_MD5_DIGEST_LENGTH` octets.
/// - Returns: `md`.
@discardableResult
public func CC_MD5(
  _ data: UnsafeRawPointer!, _ len: CC_LONG, _ md: UnsafeMutablePointer<UInt8>!
) -> UnsafeMutablePointer<UInt8>! {
  let state = DigestState(.md5)
  state.update(buffer(data, Int(len)))
  write(state.digest, md)
  return md
}

/// Begins a computation in parts. Always returns 1.
@discardableResult
public func CC_MD5_Init(_ c: UnsafeMutablePointer<CC_MD5_CTX>!) -> Int32 {
  // The memory may be uninitialized, as a C program leaves it.
  c.initialize(to: CC_MD5_CTX())
  c.pointee.state = DigestState(.md5)
  return 1
}

/// Appends `len` octets to the input.
///
/// - Returns: 1, or 0 if no computation has begun.
@discardableResult
public func CC_MD5_Update(
  _ c: UnsafeMutablePointer<CC_MD5_CTX>!, _ data: UnsafeRawPointer!, _ len: CC_LONG
) -> Int32 { append(data, len, &c.pointee.state) }

/// Ends a computation.
///
/// - Parameters:
///   - md: Receives `CC_MD5_DIGEST_LENGTH` octets.
///   - c: The computation.
/// - Returns: 1, or 0 if no computation has begun.
@discardableResult
public func CC_MD5_Final(
  _ md: UnsafeMutablePointer<UInt8>!, _ c: UnsafeMutablePointer<CC_MD5_CTX>!
) -> Int32 { finish(&c.pointee.state, md) }

// MARK: SHA-1

/// Length of a digest of SHA-1, in octets.
public let CC_SHA1_DIGEST_LENGTH: Int32 = 20
/// Length of a block of SHA-1, in octets.
public let CC_SHA1_BLOCK_BYTES: Int32 = 64

/// A computation of SHA-1 in parts. Pass it to the initializing function first.
public struct CC_SHA1_CTX: Sendable {
  var state: DigestState?
  /// Creates a context without a computation.
  public init() {}
}

/// Computes the digest of `len` octets.
///
/// - Parameters:
///   - data: The input.
///   - len: Octets in the input.
///   - md: Receives `CC_SHA1_DIGEST_LENGTH` octets.
/// - Returns: `md`.
@discardableResult
public func CC_SHA1(
  _ data: UnsafeRawPointer!, _ len: CC_LONG, _ md: UnsafeMutablePointer<UInt8>!
) -> UnsafeMutablePointer<UInt8>! {
  let state = DigestState(.sha1)
  state.update(buffer(data, Int(len)))
  write(state.digest, md)
  return md
}

/// Begins a computation in parts. Always returns 1.
@discardableResult
public func CC_SHA1_Init(_ c: UnsafeMutablePointer<CC_SHA1_CTX>!) -> Int32 {
  // The memory may be uninitialized, as a C program leaves it.
  c.initialize(to: CC_SHA1_CTX())
  c.pointee.state = DigestState(.sha1)
  return 1
}

/// Appends `len` octets to the input.
///
/// - Returns: 1, or 0 if no computation has begun.
@discardableResult
public func CC_SHA1_Update(
  _ c: UnsafeMutablePointer<CC_SHA1_CTX>!, _ data: UnsafeRawPointer!, _ len: CC_LONG
) -> Int32 { append(data, len, &c.pointee.state) }

/// Ends a computation.
///
/// - Parameters:
///   - md: Receives `CC_SHA1_DIGEST_LENGTH` octets.
///   - c: The computation.
/// - Returns: 1, or 0 if no computation has begun.
@discardableResult
public func CC_SHA1_Final(
  _ md: UnsafeMutablePointer<UInt8>!, _ c: UnsafeMutablePointer<CC_SHA1_CTX>!
) -> Int32 { finish(&c.pointee.state, md) }

// MARK: SHA-224

/// Length of a digest of SHA-224, in octets.
public let CC_SHA224_DIGEST_LENGTH: Int32 = 28
/// Length of a block of SHA-224, in octets.
public let CC_SHA224_BLOCK_BYTES: Int32 = 64

/// Computes the digest of `len` octets.
///
/// - Parameters:
///   - data: The input.
///   - len: Octets in the input.
///   - md: Receives `CC_SHA224_DIGEST_LENGTH` octets.
/// - Returns: `md`.
@discardableResult
public func CC_SHA224(
  _ data: UnsafeRawPointer!, _ len: CC_LONG, _ md: UnsafeMutablePointer<UInt8>!
) -> UnsafeMutablePointer<UInt8>! {
  let state = DigestState(.sha224)
  state.update(buffer(data, Int(len)))
  write(state.digest, md)
  return md
}

/// Begins a computation in parts. Always returns 1.
@discardableResult
public func CC_SHA224_Init(_ c: UnsafeMutablePointer<CC_SHA256_CTX>!) -> Int32 {
  // The memory may be uninitialized, as a C program leaves it.
  c.initialize(to: CC_SHA256_CTX())
  c.pointee.state = DigestState(.sha224)
  return 1
}

/// Appends `len` octets to the input.
///
/// - Returns: 1, or 0 if no computation has begun.
@discardableResult
public func CC_SHA224_Update(
  _ c: UnsafeMutablePointer<CC_SHA256_CTX>!, _ data: UnsafeRawPointer!, _ len: CC_LONG
) -> Int32 { append(data, len, &c.pointee.state) }

/// Ends a computation.
///
/// - Parameters:
///   - md: Receives `CC_SHA224_DIGEST_LENGTH` octets.
///   - c: The computation.
/// - Returns: 1, or 0 if no computation has begun.
@discardableResult
public func CC_SHA224_Final(
  _ md: UnsafeMutablePointer<UInt8>!, _ c: UnsafeMutablePointer<CC_SHA256_CTX>!
) -> Int32 { finish(&c.pointee.state, md) }

// MARK: SHA-256

/// Length of a digest of SHA-256, in octets.
public let CC_SHA256_DIGEST_LENGTH: Int32 = 32
/// Length of a block of SHA-256, in octets.
public let CC_SHA256_BLOCK_BYTES: Int32 = 64

/// A computation of SHA-224 and SHA-256 in parts. Pass it to the initializing function first.
public struct CC_SHA256_CTX: Sendable {
  var state: DigestState?
  /// Creates a context without a computation.
  public init() {}
}

/// Computes the digest of `len` octets.
///
/// - Parameters:
///   - data: The input.
///   - len: Octets in the input.
///   - md: Receives `CC_SHA256_DIGEST_LENGTH` octets.
/// - Returns: `md`.
@discardableResult
public func CC_SHA256(
  _ data: UnsafeRawPointer!, _ len: CC_LONG, _ md: UnsafeMutablePointer<UInt8>!
) -> UnsafeMutablePointer<UInt8>! {
  let state = DigestState(.sha256)
  state.update(buffer(data, Int(len)))
  write(state.digest, md)
  return md
}

/// Begins a computation in parts. Always returns 1.
@discardableResult
public func CC_SHA256_Init(_ c: UnsafeMutablePointer<CC_SHA256_CTX>!) -> Int32 {
  // The memory may be uninitialized, as a C program leaves it.
  c.initialize(to: CC_SHA256_CTX())
  c.pointee.state = DigestState(.sha256)
  return 1
}

/// Appends `len` octets to the input.
///
/// - Returns: 1, or 0 if no computation has begun.
@discardableResult
public func CC_SHA256_Update(
  _ c: UnsafeMutablePointer<CC_SHA256_CTX>!, _ data: UnsafeRawPointer!, _ len: CC_LONG
) -> Int32 { append(data, len, &c.pointee.state) }

/// Ends a computation.
///
/// - Parameters:
///   - md: Receives `CC_SHA256_DIGEST_LENGTH` octets.
///   - c: The computation.
/// - Returns: 1, or 0 if no computation has begun.
@discardableResult
public func CC_SHA256_Final(
  _ md: UnsafeMutablePointer<UInt8>!, _ c: UnsafeMutablePointer<CC_SHA256_CTX>!
) -> Int32 { finish(&c.pointee.state, md) }

// MARK: SHA-384

/// Length of a digest of SHA-384, in octets.
public let CC_SHA384_DIGEST_LENGTH: Int32 = 48
/// Length of a block of SHA-384, in octets.
public let CC_SHA384_BLOCK_BYTES: Int32 = 128

/// Computes the digest of `len` octets.
///
/// - Parameters:
///   - data: The input.
///   - len: Octets in the input.
///   - md: Receives `CC_SHA384_DIGEST_LENGTH` octets.
/// - Returns: `md`.
@discardableResult
public func CC_SHA384(
  _ data: UnsafeRawPointer!, _ len: CC_LONG, _ md: UnsafeMutablePointer<UInt8>!
) -> UnsafeMutablePointer<UInt8>! {
  let state = DigestState(.sha384)
  state.update(buffer(data, Int(len)))
  write(state.digest, md)
  return md
}

/// Begins a computation in parts. Always returns 1.
@discardableResult
public func CC_SHA384_Init(_ c: UnsafeMutablePointer<CC_SHA512_CTX>!) -> Int32 {
  // The memory may be uninitialized, as a C program leaves it.
  c.initialize(to: CC_SHA512_CTX())
  c.pointee.state = DigestState(.sha384)
  return 1
}

/// Appends `len` octets to the input.
///
/// - Returns: 1, or 0 if no computation has begun.
@discardableResult
public func CC_SHA384_Update(
  _ c: UnsafeMutablePointer<CC_SHA512_CTX>!, _ data: UnsafeRawPointer!, _ len: CC_LONG
) -> Int32 { append(data, len, &c.pointee.state) }

/// Ends a computation.
///
/// - Parameters:
///   - md: Receives `CC_SHA384_DIGEST_LENGTH` octets.
///   - c: The computation.
/// - Returns: 1, or 0 if no computation has begun.
@discardableResult
public func CC_SHA384_Final(
  _ md: UnsafeMutablePointer<UInt8>!, _ c: UnsafeMutablePointer<CC_SHA512_CTX>!
) -> Int32 { finish(&c.pointee.state, md) }

// MARK: SHA-512

/// Length of a digest of SHA-512, in octets.
public let CC_SHA512_DIGEST_LENGTH: Int32 = 64
/// Length of a block of SHA-512, in octets.
public let CC_SHA512_BLOCK_BYTES: Int32 = 128

/// A computation of SHA-384 and SHA-512 in parts. Pass it to the initializing function first.
public struct CC_SHA512_CTX: Sendable {
  var state: DigestState?
  /// Creates a context without a computation.
  public init() {}
}

/// Computes the digest of `len` octets.
///
/// - Parameters:
///   - data: The input.
///   - len: Octets in the input.
///   - md: Receives `CC_SHA512_DIGEST_LENGTH` octets.
/// - Returns: `md`.
@discardableResult
public func CC_SHA512(
  _ data: UnsafeRawPointer!, _ len: CC_LONG, _ md: UnsafeMutablePointer<UInt8>!
) -> UnsafeMutablePointer<UInt8>! {
  let state = DigestState(.sha512)
  state.update(buffer(data, Int(len)))
  write(state.digest, md)
  return md
}

/// Begins a computation in parts. Always returns 1.
@discardableResult
public func CC_SHA512_Init(_ c: UnsafeMutablePointer<CC_SHA512_CTX>!) -> Int32 {
  // The memory may be uninitialized, as a C program leaves it.
  c.initialize(to: CC_SHA512_CTX())
  c.pointee.state = DigestState(.sha512)
  return 1
}

/// Appends `len` octets to the input.
///
/// - Returns: 1, or 0 if no computation has begun.
@discardableResult
public func CC_SHA512_Update(
  _ c: UnsafeMutablePointer<CC_SHA512_CTX>!, _ data: UnsafeRawPointer!, _ len: CC_LONG
) -> Int32 { append(data, len, &c.pointee.state) }

/// Ends a computation.
///
/// - Parameters:
///   - md: Receives `CC_SHA512_DIGEST_LENGTH` octets.
///   - c: The computation.
/// - Returns: 1, or 0 if no computation has begun.
@discardableResult
public func CC_SHA512_Final(
  _ md: UnsafeMutablePointer<UInt8>!, _ c: UnsafeMutablePointer<CC_SHA512_CTX>!
) -> Int32 { finish(&c.pointee.state, md) }

// MARK: Shared

/// Writes all octets; the caller of Apple's functions provides the room for them.
func write(_ octets: [UInt8], _ target: UnsafeMutableRawPointer?) {
  guard let target else { return }
  UnsafeMutableRawBufferPointer(start: target, count: octets.count).copyBytes(from: octets)
}

/// A buffer of `count` octets; empty if the pointer is `nil`.
func buffer(_ start: UnsafeRawPointer?, _ count: Int) -> UnsafeRawBufferPointer {
  UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : max(0, count))
}

private func append(_ data: UnsafeRawPointer?, _ count: CC_LONG, _ state: inout DigestState?) -> Int32 {
  guard var own = state else { return 0 }
  // A copy of the context shares the computation until one of them changes it.
  state = nil
  if !isKnownUniquelyReferenced(&own) { own = DigestState(copying: own) }
  own.update(buffer(data, Int(count)))
  state = own
  return 1
}

private func finish(_ state: inout DigestState?, _ target: UnsafeMutablePointer<UInt8>?) -> Int32 {
  guard let digest = state?.digest else { return 0 }
  state = nil
  write(digest, target)
  return 1
}
