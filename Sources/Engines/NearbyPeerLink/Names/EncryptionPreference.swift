/// A session's encryption preference, with the raw values of Apple's `MCEncryptionPreference`.
package enum EncryptionPreference: UInt8, CaseIterable, Sendable {
  case optional = 0
  case required = 1
  case none = 2

  /// The result of two sessions' preferences.
  package enum Agreement: Equatable, Sendable {
    case encrypted
    case plain
    case refused
  }

  /// Combines two preferences: plain only if both are `none`, refused for `required` with `none`, otherwise
  /// encrypted.
  ///
  /// Each side sends its preference inside the mutually authenticated handshake, and both apply this rule to
  /// the same two values. So nobody in between can downgrade `optional`. Where Apple makes `optional` with
  /// `none` plain, this stays encrypted.
  package static func agreement(_ local: Self, _ remote: Self) -> Agreement {
    switch (local, remote) {
    case (.none, .none): .plain
    case (.required, .none), (.none, .required): .refused
    case (.none, .optional), (.optional, .none), (.optional, .optional), (.optional, .required),
      (.required, .optional), (.required, .required):
      .encrypted
    }
  }
}
