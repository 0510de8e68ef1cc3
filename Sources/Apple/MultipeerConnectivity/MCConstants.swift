import NearbyPeerLink

/// Peers that a browser's view asks for at least, the local one among them.
public let kMCSessionMinimumNumberOfPeers = 2
/// Peers of a session at most, the local one among them.
public let kMCSessionMaximumNumberOfPeers = 8

/// How a message goes.
public enum MCSessionSendDataMode: Int, Sendable {
  /// In order, and certainly while the peers are connected.
  case reliable = 0
  /// At once, and perhaps not at all.
  case unreliable = 1
  /// Never a value. It lets apps write `default` beside all cases, as for Apple's open enumeration.
  @available(*, unavailable, message: "No value has this case.")
  case _unlisted
}

/// What a peer is to a session.
public enum MCSessionState: Int, Sendable {
  /// Not in it: refused, failed, gone.
  case notConnected = 0
  /// Said yes; the connection is being made.
  case connecting = 1
  /// In it.
  case connected = 2
  /// Never a value. It lets apps write `default` beside all cases, as for Apple's open enumeration.
  @available(*, unavailable, message: "No value has this case.")
  case _unlisted
}

/// Whether a session is encrypted.
public enum MCEncryptionPreference: Int, Sendable {
  /// Encrypted, with whoever can.
  case optional = 0
  /// With nobody else.
  case required = 1
  /// Plain where the other says so too.
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
