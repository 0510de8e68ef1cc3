import CNearbyOpenSSL

/// Initialises OpenSSL for this module.
enum SecureLibrary {
  /// Skips OpenSSL's clean-up at exit, because a program may end while a loop's thread is still using it.
  private static let isSetUp = OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_ATEXIT), nil) == 1

  /// Call it before creating any of the library's objects that may be the first.
  static func prepare() throws(NetworkError) {
    guard isSetUp else { throw .secureLayer(reason: "OpenSSL does not start") }
  }
}
