import NearbyPeerLink

/// The default minimum number of peers in a browser view, including the local one.
public let kMCSessionMinimumNumberOfPeers = 2
/// The maximum number of peers in a session, including the local one.
public let kMCSessionMaximumNumberOfPeers = 8

/// How a message is delivered.
public enum MCSessionSendDataMode: Int, Sendable {
  /// In order, and guaranteed while the peers stay connected.
  case reliable = 0
  /// Immediately, without a guarantee that it arrives.
  case unreliable = 1
  /// Never a value. It lets apps write `default` beside all cases, as for Apple's open enumeration.
  @available(*, unavailable, message: "No value has this case.")
  case _unlisted
}

/// A peer's state in a session.
public enum MCSessionState: Int, Sendable {
  /// Not in the session: declined, failed or gone.
  case notConnected = 0
  /// The peer accepted the invitation; the connection is being established.
  case connecting = 1
  /// In the session.
  case connected = 2
  /// Never a value. It lets apps write `default` beside all cases, as for Apple's open enumeration.
  @available(*, unavailable, message: "No value has this case.")
  case _unlisted
}

/// A session's preference for encryption.
public enum MCEncryptionPreference: Int, Sendable {
  /// Encrypted with every peer.
  case optional = 0
  /// Encrypted; peers whose preference is `none` are refused.
  case required = 1
  /// Unencrypted with peers whose preference is `none` too.
  case none = 2
  /// Never a value. It lets apps write `default` beside all cases, as for Apple's open enumeration.
  @available(*, unavailable, message: "No value has this case.")
  case _unlisted
}

extension MCSessionState {
  init(_ state: PeerState) {
    switch state {
    case .notConnected: self = .notConnected
    case .connecting: self = .connecting
    case .connected: self = .connected
    }
  }
}

extension EncryptionPreference {
  init(_ preference: MCEncryptionPreference) {
    switch preference {
    case .optional: self = .optional
    case .required: self = .required
    case .none: self = .none
    }
  }
}
