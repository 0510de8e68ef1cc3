/// What a session says about encryption, by Apple's numbers.
package enum EncryptionPreference: UInt8, CaseIterable, Sendable {
  case optional = 0
  case required = 1
  case none = 2

  /// What two sessions' preferences come to.
  package enum Agreement: Equatable, Sendable {
    case encrypted
    case plain
    case refused
  }

  /// The rule: plain only if both say none, no connection between required and none, else encrypted.
  ///
  /// Each side states its preference inside the mutually authenticated handshake, and both apply this rule to
  /// the same two values; so nobody between them can talk `optional` down. Where Apple lets one `none` make an
  /// `optional` plain, this stays encrypted.
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
