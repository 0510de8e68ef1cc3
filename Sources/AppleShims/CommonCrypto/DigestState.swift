import CNearbyOpenSSL

/// A hash function that is being computed by OpenSSL.
package final class DigestState: @unchecked Sendable {
  // `@unchecked Sendable`: the owner changes a state only while it holds the only reference to it.
  private let context: OpaquePointer

  /// The hash functions of CommonCrypto and CryptoKit.
  package enum Function: Sendable {
    case md5, sha1, sha224, sha256, sha384, sha512

    /// Length of the digest, in octets.
    package var digestCount: Int {
      switch self {
      case .md5: 16
      case .sha1: 20
      case .sha224: 28
      case .sha256: 32
      case .sha384: 48
      case .sha512: 64
      }
    }

    /// OpenSSL's implementation, which lives as long as the process.
    var implementation: OpaquePointer? {
      switch self {
      case .md5: EVP_md5()
      case .sha1: EVP_sha1()
      case .sha224: EVP_sha224()
      case .sha256: EVP_sha256()
      case .sha384: EVP_sha384()
      case .sha512: EVP_sha512()
      }
    }
  }

  package let function: Function

  /// Begins a computation.
  package init(_ function: Function) {
    precondition(openSSLIsSetUp, "OpenSSL starts")
    guard let context = EVP_MD_CTX_new(), EVP_DigestInit_ex(context, function.implementation, nil) == 1 else {
      preconditionFailure("OpenSSL refuses \(function)")
    }
    self.context = context
    self.function = function
  }

  /// Copies a computation, so that both can go on independently.
  package init(copying other: DigestState) {
    guard let context = EVP_MD_CTX_new(), EVP_MD_CTX_copy_ex(context, other.context) == 1 else {
      preconditionFailure("OpenSSL copies \(other.function)")
    }
    self.context = context
    function = other.function
  }

  deinit { EVP_MD_CTX_free(context) }

  /// Appends octets to the input.
  package func update(_ octets: UnsafeRawBufferPointer) {
    guard !octets.isEmpty else { return }
    let result = EVP_DigestUpdate(context, octets.baseAddress, octets.count)
    precondition(result == 1, "OpenSSL hashes \(octets.count) octets")
  }

  /// The digest of the input so far. The computation can go on.
  package var digest: [UInt8] {
    let copy = DigestState(copying: self)
    return [UInt8](unsafeUninitializedCapacity: function.digestCount) { buffer, count in
      let result = EVP_DigestFinal_ex(copy.context, buffer.baseAddress, nil)
      precondition(result == 1, "OpenSSL finishes \(function)")
      count = function.digestCount
    }
  }
}

/// Disables OpenSSL's cleanup at exit, because a program may end while a queue still computes.
package let openSSLIsSetUp = OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_ATEXIT), nil) == 1
