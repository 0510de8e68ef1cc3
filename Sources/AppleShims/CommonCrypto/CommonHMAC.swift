/// Chooses the hash function of an HMAC; one of `kCCHmacAlg…`.
public typealias CCHmacAlgorithm = UInt32

/// HMAC with SHA-1.
public let kCCHmacAlgSHA1 = 0
/// HMAC with MD5.
public let kCCHmacAlgMD5 = 1
/// HMAC with SHA-256.
public let kCCHmacAlgSHA256 = 2
/// HMAC with SHA-384.
public let kCCHmacAlgSHA384 = 3
/// HMAC with SHA-512.
public let kCCHmacAlgSHA512 = 4
/// HMAC with SHA-224.
public let kCCHmacAlgSHA224 = 5

/// An HMAC that is being computed. Source: RFC 2104, section 2.
struct HMACState: Sendable {
  private let inner: DigestState
  private let outer: DigestState

  init(_ function: DigestState.Function, key: UnsafeRawBufferPointer) {
    var block = Array(key)
    if block.count > function.blockCount {
      let hashed = DigestState(function)
      hashed.update(key)
      block = hashed.digest
    }
    while block.count < function.blockCount { block.append(0) }
    inner = DigestState(function)
    outer = DigestState(function)
    block.map { $0 ^ 0x36 }.withUnsafeBytes(inner.update)
    block.map { $0 ^ 0x5C }.withUnsafeBytes(outer.update)
  }

  init(copying other: Self) {
    inner = DigestState(copying: other.inner)
    outer = DigestState(copying: other.outer)
  }

  func update(_ octets: UnsafeRawBufferPointer) { inner.update(octets) }

  /// The code of the input so far.
  var code: [UInt8] {
    let last = DigestState(copying: outer)
    inner.digest.withUnsafeBytes(last.update)
    return last.digest
  }
}

extension DigestState.Function {
  var blockCount: Int {
    switch self {
    case .md5, .sha1, .sha224, .sha256: 64
    case .sha384, .sha512: 128
    }
  }

  init?(_ algorithm: CCHmacAlgorithm) {
    switch Int(algorithm) {
    case kCCHmacAlgSHA1: self = .sha1
    case kCCHmacAlgMD5: self = .md5
    case kCCHmacAlgSHA224: self = .sha224
    case kCCHmacAlgSHA256: self = .sha256
    case kCCHmacAlgSHA384: self = .sha384
    case kCCHmacAlgSHA512: self = .sha512
    case _: return nil
    }
  }
}

/// An HMAC computed in parts. Pass it to `CCHmacInit` first.
public struct CCHmacContext: Sendable {
  var state: HMACState?
  /// Creates a context without a computation.
  public init() {}
}

/// Computes an HMAC.
///
/// - Parameters:
///   - algorithm: One of `kCCHmacAlg…`; any other value leaves `macOut` unchanged.
///   - key: The key.
///   - keyLength: Octets in the key.
///   - data: The message.
///   - dataLength: Octets in the message.
///   - macOut: Receives as many octets as a digest of the hash function has.
public func CCHmac(
  _ algorithm: CCHmacAlgorithm, _ key: UnsafeRawPointer!, _ keyLength: Int, _ data: UnsafeRawPointer!,
  _ dataLength: Int, _ macOut: UnsafeMutableRawPointer!
) {
  guard let function = DigestState.Function(algorithm) else { return }
  let state = HMACState(function, key: buffer(key, keyLength))
  state.update(buffer(data, dataLength))
  write(state.code, macOut)
}

/// Begins an HMAC in parts. With an unknown algorithm, the other calls have no effect.
public func CCHmacInit(
  _ ctx: UnsafeMutablePointer<CCHmacContext>!, _ algorithm: CCHmacAlgorithm, _ key: UnsafeRawPointer!,
  _ keyLength: Int
) {
  guard let ctx else { return }
  // The memory may be uninitialized, as a C program leaves it.
  ctx.initialize(to: CCHmacContext())
  guard let function = DigestState.Function(algorithm) else { return }
  ctx.pointee.state = HMACState(function, key: buffer(key, keyLength))
}

/// Appends octets to the message. A context that was copied continues with its own computation.
public func CCHmacUpdate(
  _ ctx: UnsafeMutablePointer<CCHmacContext>!, _ data: UnsafeRawPointer!, _ dataLength: Int
) {
  guard let ctx, let state = ctx.pointee.state else { return }
  let own = HMACState(copying: state)
  own.update(buffer(data, dataLength))
  ctx.pointee.state = own
}

/// Ends an HMAC.
///
/// - Parameters:
///   - ctx: The computation.
///   - macOut: Receives as many octets as a digest of the hash function has.
public func CCHmacFinal(_ ctx: UnsafeMutablePointer<CCHmacContext>!, _ macOut: UnsafeMutableRawPointer!) {
  guard let ctx, let code = ctx.pointee.state?.code else { return }
  ctx.pointee.state = nil
  write(code, macOut)
}
