import CNearbyOpenSSL

/// Sets up OpenSSL for this module, before its first call of it.
enum SecureLibrary {
  /// Without OpenSSL's clean-up at exit: a program may end while a loop's thread is still at work in it.
  private static let isSetUp = OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_ATEXIT), nil) == 1

  /// To be called wherever an object of the library's may be the first.
  static func prepare() throws(NetworkError) {
    guard isSetUp else { throw .secureLayer(reason: "OpenSSL does not start") }
  }
}
