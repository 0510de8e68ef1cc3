/// An error of an operation of CryptoKit.
///
/// Source: Apple's documentation of `CryptoKitError`.
public enum CryptoKitError: Error, Hashable, Sendable {
  /// The key does not have the length that the algorithm needs.
  case incorrectKeySize
  /// A parameter does not have the length that the algorithm needs.
  case incorrectParameterSize
  /// The tag or signature is not that of the message, or the key is a different one.
  case authenticationFailure
  /// The library failed; here the library is OpenSSL and the code is always 0.
  case underlyingCoreCryptoError(error: Int32)
  /// A key could not be wrapped. Declared for source compatibility; never thrown.
  case wrapFailure
  /// A key could not be unwrapped. Declared for source compatibility; never thrown.
  case unwrapFailure
  /// A parameter has no meaning for the algorithm.
  case invalidParameter

  /// OpenSSL failed for a reason that the input does not explain.
  static let library = CryptoKitError.underlyingCoreCryptoError(error: 0)
}

extension ContiguousBytes {
  /// A copy of the octets.
  var octets: [UInt8] { withUnsafeBytes { Array($0) } }
}
