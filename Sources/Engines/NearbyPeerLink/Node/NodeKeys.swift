/// Identifies a link within one node: a byte stream to one peer, which the shell owns.
package struct LinkID: Hashable, Comparable, Sendable {
  package let number: UInt32
  package static func < (left: Self, right: Self) -> Bool { left.number < right.number }
}

/// Identifies a session of the app within one node, through all its lives.
package struct SessionKey: Hashable, Comparable, Sendable {
  package let number: UInt32
  package static func < (left: Self, right: Self) -> Bool { left.number < right.number }
}

/// Identifies an invitation within one node, ours or a peer's.
package struct InvitationID: Hashable, Comparable, Sendable {
  package let number: UInt32
  package static func < (left: Self, right: Self) -> Bool { left.number < right.number }
}

/// Identifies a connection within one node.
struct ConnectionKey: Hashable, Comparable, Sendable {
  let number: UInt32
  static func < (left: Self, right: Self) -> Bool { left.number < right.number }
}

/// State of a peer in a session, with the raw values of Apple's `MCSessionState`.
package enum PeerState: Int, Sendable {
  case notConnected = 0
  case connecting = 1
  case connected = 2
}

/// How a message is delivered.
package enum SendMode: Sendable {
  case reliable
  case unreliable
}
