/// What is wrong with octets that should have been UCI.
package enum UCIError: Error, Equatable, Sendable {
  /// A field needs more octets than are left.
  case truncated(UCIField, needed: Int, left: Int)
}

/// The fields errors name.
package enum UCIField: String, Equatable, Sendable {
  case header
}
