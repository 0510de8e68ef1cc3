/// The first frame on each link, in both directions.
package struct Hello: Equatable, Sendable {
  /// Version of the protocol; a peer with another version is refused.
  package static let version: UInt16 = 1
  /// Largest contact in octets.
  package static let maximumContact = 512
  static let magic: [UInt8] = [0x50, 0x4C, 0x4E, 0x4B]  // PLNK

  package var displayName: DisplayName
  /// Where the peer listens, in the shell's own form; empty if it does not listen.
  package var contact: [UInt8]

  package init(displayName: DisplayName, contact: [UInt8]) {
    self.displayName = displayName
    self.contact = contact
  }
}

/// Invites a peer to a session.
package struct Invite: Equatable, Sendable {
  /// The inviter's random number of the invitation, which identifies it when it is sent again.
  package var number: UInt64
  package var session: PeerSessionID
  package var preference: EncryptionPreference
  package var timeoutMilliseconds: UInt32
  package var serviceType: ServiceType
  /// `nil` and empty are different.
  package var context: [UInt8]?

  package init(
    number: UInt64, session: PeerSessionID, preference: EncryptionPreference, timeoutMilliseconds: UInt32,
    serviceType: ServiceType, context: [UInt8]?
  ) {
    self.number = number
    self.session = session
    self.preference = preference
    self.timeoutMilliseconds = timeoutMilliseconds
    self.serviceType = serviceType
    self.context = context
  }
}

/// Accepts an invitation or a join.
package struct Acceptance: Equatable, Sendable {
  package var session: PeerSessionID
  package var preference: EncryptionPreference

  package init(session: PeerSessionID, preference: EncryptionPreference) {
    self.session = session
    self.preference = preference
  }
}

/// Asks for a member's place, after an introduction by another member or after the loss of a link.
package struct Join: Equatable, Sendable {
  /// The session of the peer that is asked.
  package var target: PeerSessionID
  /// The session of the peer that asks.
  package var session: PeerSessionID
  package var preference: EncryptionPreference
  /// The connection to resume; 0 for none.
  package var connection: UInt64

  package init(
    target: PeerSessionID, session: PeerSessionID, preference: EncryptionPreference, connection: UInt64
  ) {
    self.target = target
    self.session = session
    self.preference = preference
    self.connection = connection
  }
}

/// What the follower still has of the connection, on which the leader bases its decision.
package struct Ready: Equatable, Sendable {
  /// 0 for none.
  package var connection: UInt64
  /// The latest connection with this peer that ended here; 0 for none.
  package var ended: UInt64
  /// Counted octets of `connection` that have arrived.
  package var received: UInt64

  package init(connection: UInt64, ended: UInt64, received: UInt64) {
    self.connection = connection
    self.ended = ended
    self.received = received
  }
}

/// The leader's decision that the connection continues on this link, and on no other.
package struct LinkChoice: Equatable, Sendable {
  package var connection: UInt64
  /// Counts the links of the connection.
  package var generation: UInt32
  /// Offset of the first counted octet that follows.
  package var resumesAt: UInt64
  /// Counted octets that have arrived at the leader.
  package var received: UInt64

  package init(connection: UInt64, generation: UInt32, resumesAt: UInt64, received: UInt64) {
    self.connection = connection
    self.generation = generation
    self.resumesAt = resumesAt
    self.received = received
  }
}

/// A member of a session, as another member announces it.
package struct IntroducedMember: Equatable, Sendable {
  package var peer: PeerID
  package var session: PeerSessionID
  package var contact: [UInt8]

  package init(peer: PeerID, session: PeerSessionID, contact: [UInt8]) {
    self.peer = peer
    self.session = session
    self.contact = contact
  }

  package static func == (left: Self, right: Self) -> Bool {
    left.peer == right.peer && left.peer.displayName == right.peer.displayName
      && left.session == right.session && left.contact == right.contact
  }
}

/// Why a link, an invitation or a connection was refused or ended.
package enum PeerReason: UInt8, CaseIterable, Sendable {
  /// The app or its user declined.
  case declined = 1
  /// Too many invitations are waiting.
  case busy = 2
  /// The service type is not advertised.
  case notAdvertising = 3
  case sessionFull = 4
  /// One side requires encryption, the other does not want any.
  case encryption = 5
  case certificate = 6
  case unknownSession = 7
  case unknownConnection = 8
  /// The connection continues on another link.
  case duplicate = 9
  /// A later life of the same identity took its place.
  case replaced = 10
  case cancelled = 11
  case timedOut = 12
  /// The peer broke the protocol.
  case violation = 13
  case wrongIdentity = 14
  /// The session was left properly.
  case left = 15
  /// The link was lost, or never came about.
  case lost = 16

  /// Whether the peer's session must not be tried again, no matter which peer announces it.
  var isFinal: Bool {
    switch self {
    case .encryption, .certificate, .unknownSession, .replaced, .cancelled, .violation, .wrongIdentity, .left:
      true
    case .declined, .busy, .notAdvertising, .sessionFull, .unknownConnection, .duplicate, .timedOut, .lost:
      false
    }
  }
}
