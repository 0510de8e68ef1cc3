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
public struct CC_MD5_CTX: DigestContext, Sendable {
  var state: DigestState?
  /// Creates a context without a computation.
  public init() {}
}

/// Writes the digest of `len` octets, `CC_MD5_DIGEST_LENGTH` octets, to `md`, and returns `md`.
@discardableResult
public func CC_MD5(
  _ data: UnsafeRawPointer!, _ len: CC_LONG, _ md: UnsafeMutablePointer<UInt8>!
) -> UnsafeMutablePointer<UInt8>! { digest(.md5, data, len, md) }

/// Begins a computation in parts. Returns 1, or 0 without a context.
@discardableResult
public func CC_MD5_Init(_ c: UnsafeMutablePointer<CC_MD5_CTX>!) -> Int32 { begin(c, .md5) }

/// Appends `len` octets to the input. Returns 1, or 0 if no computation has begun.
@discardableResult
public func CC_MD5_Update(
  _ c: UnsafeMutablePointer<CC_MD5_CTX>!, _ data: UnsafeRawPointer!, _ len: CC_LONG
) -> Int32 { append(data, len, c) }

/// Ends a computation and writes `CC_MD5_DIGEST_LENGTH` octets to `md`. Returns 1, or 0 if no computation has begun.
@discardableResult
public func CC_MD5_Final(
  _ md: UnsafeMutablePointer<UInt8>!, _ c: UnsafeMutablePointer<CC_MD5_CTX>!
) -> Int32 { finish(c, md) }

// MARK: SHA-1

/// Length of a digest of SHA-1, in octets.
public let CC_SHA1_DIGEST_LENGTH: Int32 = 20
/// Length of a block of SHA-1, in octets.
public let CC_SHA1_BLOCK_BYTES: Int32 = 64

/// A computation of SHA-1 in parts. Pass it to the initializing function first.
public struct CC_SHA1_CTX: DigestContext, Sendable {
  var state: DigestState?
  /// Creates a context without a computation.
  public init() {}
}

/// Writes the digest of `len` octets, `CC_SHA1_DIGEST_LENGTH` octets, to `md`, and returns `md`.
@discardableResult
public func CC_SHA1(
  _ data: UnsafeRawPointer!, _ len: CC_LONG, _ md: UnsafeMutablePointer<UInt8>!
) -> UnsafeMutablePointer<UInt8>! { digest(.sha1, data, len, md) }

/// Begins a computation in parts. Returns 1, or 0 without a context.
@discardableResult
public func CC_SHA1_Init(_ c: UnsafeMutablePointer<CC_SHA1_CTX>!) -> Int32 { begin(c, .sha1) }

/// Appends `len` octets to the input. Returns 1, or 0 if no computation has begun.
@discardableResult
public func CC_SHA1_Update(
  _ c: UnsafeMutablePointer<CC_SHA1_CTX>!, _ data: UnsafeRawPointer!, _ len: CC_LONG
) -> Int32 { append(data, len, c) }

/// Ends a computation and writes `CC_SHA1_DIGEST_LENGTH` octets to `md`. Returns 1, or 0 if no computation has begun.
@discardableResult
public func CC_SHA1_Final(
  _ md: UnsafeMutablePointer<UInt8>!, _ c: UnsafeMutablePointer<CC_SHA1_CTX>!
) -> Int32 { finish(c, md) }

// MARK: SHA-224

/// Length of a digest of SHA-224, in octets.
public let CC_SHA224_DIGEST_LENGTH: Int32 = 28
/// Length of a block of SHA-224, in octets.
public let CC_SHA224_BLOCK_BYTES: Int32 = 64

/// Writes the digest of `len` octets, `CC_SHA224_DIGEST_LENGTH` octets, to `md`, and returns `md`.
@discardableResult
public func CC_SHA224(
  _ data: UnsafeRawPointer!, _ len: CC_LONG, _ md: UnsafeMutablePointer<UInt8>!
) -> UnsafeMutablePointer<UInt8>! { digest(.sha224, data, len, md) }

/// Begins a computation in parts. Returns 1, or 0 without a context.
@discardableResult
public func CC_SHA224_Init(_ c: UnsafeMutablePointer<CC_SHA256_CTX>!) -> Int32 { begin(c, .sha224) }

/// Appends `len` octets to the input. Returns 1, or 0 if no computation has begun.
@discardableResult
public func CC_SHA224_Update(
  _ c: UnsafeMutablePointer<CC_SHA256_CTX>!, _ data: UnsafeRawPointer!, _ len: CC_LONG
) -> Int32 { append(data, len, c) }

/// Ends a computation and writes `CC_SHA224_DIGEST_LENGTH` octets to `md`. Returns 1, or 0 if no computation has begun.
@discardableResult
public func CC_SHA224_Final(
  _ md: UnsafeMutablePointer<UInt8>!, _ c: UnsafeMutablePointer<CC_SHA256_CTX>!
) -> Int32 { finish(c, md) }

// MARK: SHA-256

/// Length of a digest of SHA-256, in octets.
public let CC_SHA256_DIGEST_LENGTH: Int32 = 32
/// Length of a block of SHA-256, in octets.
public let CC_SHA256_BLOCK_BYTES: Int32 = 64

/// A computation of SHA-224 or SHA-256 in parts. Pass it to the initializing function first.
public struct CC_SHA256_CTX: DigestContext, Sendable {
  var state: DigestState?
  /// Creates a context without a computation.
  public init() {}
}

/// Writes the digest of `len` octets, `CC_SHA256_DIGEST_LENGTH` octets, to `md`, and returns `md`.
@discardableResult
public func CC_SHA256(
  _ data: UnsafeRawPointer!, _ len: CC_LONG, _ md: UnsafeMutablePointer<UInt8>!
) -> UnsafeMutablePointer<UInt8>! { digest(.sha256, data, len, md) }

/// Begins a computation in parts. Returns 1, or 0 without a context.
@discardableResult
public func CC_SHA256_Init(_ c: UnsafeMutablePointer<CC_SHA256_CTX>!) -> Int32 { begin(c, .sha256) }

/// Appends `len` octets to the input. Returns 1, or 0 if no computation has begun.
@discardableResult
public func CC_SHA256_Update(
  _ c: UnsafeMutablePointer<CC_SHA256_CTX>!, _ data: UnsafeRawPointer!, _ len: CC_LONG
) -> Int32 { append(data, len, c) }

/// Ends a computation and writes `CC_SHA256_DIGEST_LENGTH` octets to `md`. Returns 1, or 0 if no computation has begun.
@discardableResult
public func CC_SHA256_Final(
  _ md: UnsafeMutablePointer<UInt8>!, _ c: UnsafeMutablePointer<CC_SHA256_CTX>!
) -> Int32 { finish(c, md) }

// MARK: SHA-384

/// Length of a digest of SHA-384, in octets.
public let CC_SHA384_DIGEST_LENGTH: Int32 = 48
/// Length of a block of SHA-384, in octets.
public let CC_SHA384_BLOCK_BYTES: Int32 = 128

/// Writes the digest of `len` octets, `CC_SHA384_DIGEST_LENGTH` octets, to `md`, and returns `md`.
@discardableResult
public func CC_SHA384(
  _ data: UnsafeRawPointer!, _ len: CC_LONG, _ md: UnsafeMutablePointer<UInt8>!
) -> UnsafeMutablePointer<UInt8>! { digest(.sha384, data, len, md) }

/// Begins a computation in parts. Returns 1, or 0 without a context.
@discardableResult
public func CC_SHA384_Init(_ c: UnsafeMutablePointer<CC_SHA512_CTX>!) -> Int32 { begin(c, .sha384) }

/// Appends `len` octets to the input. Returns 1, or 0 if no computation has begun.
@discardableResult
public func CC_SHA384_Update(
  _ c: UnsafeMutablePointer<CC_SHA512_CTX>!, _ data: UnsafeRawPointer!, _ len: CC_LONG
) -> Int32 { append(data, len, c) }

/// Ends a computation and writes `CC_SHA384_DIGEST_LENGTH` octets to `md`. Returns 1, or 0 if no computation has begun.
@discardableResult
public func CC_SHA384_Final(
  _ md: UnsafeMutablePointer<UInt8>!, _ c: UnsafeMutablePointer<CC_SHA512_CTX>!
) -> Int32 { finish(c, md) }

// MARK: SHA-512

/// Length of a digest of SHA-512, in octets.
public let CC_SHA512_DIGEST_LENGTH: Int32 = 64
/// Length of a block of SHA-512, in octets.
public let CC_SHA512_BLOCK_BYTES: Int32 = 128

/// A computation of SHA-384 or SHA-512 in parts. Pass it to the initializing function first.
public struct CC_SHA512_CTX: DigestContext, Sendable {
  var state: DigestState?
  /// Creates a context without a computation.
  public init() {}
}

/// Writes the digest of `len` octets, `CC_SHA512_DIGEST_LENGTH` octets, to `md`, and returns `md`.
@discardableResult
public func CC_SHA512(
  _ data: UnsafeRawPointer!, _ len: CC_LONG, _ md: UnsafeMutablePointer<UInt8>!
) -> UnsafeMutablePointer<UInt8>! { digest(.sha512, data, len, md) }

/// Begins a computation in parts. Returns 1, or 0 without a context.
@discardableResult
public func CC_SHA512_Init(_ c: UnsafeMutablePointer<CC_SHA512_CTX>!) -> Int32 { begin(c, .sha512) }

/// Appends `len` octets to the input. Returns 1, or 0 if no computation has begun.
@discardableResult
public func CC_SHA512_Update(
  _ c: UnsafeMutablePointer<CC_SHA512_CTX>!, _ data: UnsafeRawPointer!, _ len: CC_LONG
) -> Int32 { append(data, len, c) }

/// Ends a computation and writes `CC_SHA512_DIGEST_LENGTH` octets to `md`. Returns 1, or 0 if no computation has begun.
@discardableResult
public func CC_SHA512_Final(
  _ md: UnsafeMutablePointer<UInt8>!, _ c: UnsafeMutablePointer<CC_SHA512_CTX>!
) -> Int32 { finish(c, md) }

// MARK: Shared

/// Writes all octets; the caller of Apple's functions provides the room for them.
func write(_ octets: [UInt8], _ target: UnsafeMutableRawPointer?) {
  guard let target else { return }
  octets.withUnsafeBytes { source in
    guard let start = source.baseAddress else { return }
    target.copyMemory(from: start, byteCount: source.count)
  }
}

/// A buffer of `count` octets; empty if the pointer is `nil`.
func buffer(_ start: UnsafeRawPointer?, _ count: Int) -> UnsafeRawBufferPointer {
  guard let start, count > 0 else { return UnsafeRawBufferPointer(start: nil, count: 0) }
  return UnsafeRawBufferPointer(start: start, count: count)
}

/// A context of a digest in parts.
protocol DigestContext {
  init()
  var state: DigestState? { get set }
}

/// Computes a digest at once.
private func digest(
  _ function: DigestState.Function, _ data: UnsafeRawPointer?, _ count: CC_LONG,
  _ target: UnsafeMutablePointer<UInt8>?
) -> UnsafeMutablePointer<UInt8>? {
  let state = DigestState(function)
  state.update(buffer(data, Int(count)))
  write(state.digest, target)
  return target
}

private func begin<C: DigestContext>(
  _ context: UnsafeMutablePointer<C>?, _ function: DigestState.Function
) -> Int32 {
  guard let context else { return 0 }
  var new = C()
  new.state = DigestState(function)
  // The memory may be uninitialized, as a C program leaves it.
  context.initialize(to: new)
  return 1
}

private func append<C: DigestContext>(
  _ data: UnsafeRawPointer?, _ count: CC_LONG, _ context: UnsafeMutablePointer<C>?
) -> Int32 {
  guard let context, var own = context.pointee.state else { return 0 }
  // A copy of the context shares the computation until one of them changes it.
  context.pointee.state = nil
  if !isKnownUniquelyReferenced(&own) { own = DigestState(copying: own) }
  own.update(buffer(data, Int(count)))
  context.pointee.state = own
  return 1
}

private func finish<C: DigestContext>(
  _ context: UnsafeMutablePointer<C>?, _ target: UnsafeMutablePointer<UInt8>?
) -> Int32 {
  guard let context, let digest = context.pointee.state?.digest else { return 0 }
  context.pointee.state = nil
  write(digest, target)
  return 1
}
