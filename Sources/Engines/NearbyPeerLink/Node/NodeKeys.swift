/// Names a link, a byte stream to one peer that the shell keeps, in one node.
package struct LinkID: Hashable, Comparable, Sendable {
  package let number: UInt32
  package static func < (left: Self, right: Self) -> Bool { left.number < right.number }
}

/// Names a session of the app in one node, through all its lives.
package struct SessionKey: Hashable, Comparable, Sendable {
  package let number: UInt32
  package static func < (left: Self, right: Self) -> Bool { left.number < right.number }
}

/// Names an invitation, of ours or of a peer's, in one node.
package struct InvitationID: Hashable, Comparable, Sendable {
  package let number: UInt32
  package static func < (left: Self, right: Self) -> Bool { left.number < right.number }
}

/// Names a connection in one node.
struct ConnectionKey: Hashable, Comparable, Sendable {
  let number: UInt32
  static func < (left: Self, right: Self) -> Bool { left.number < right.number }
}

/// What an app hears of a peer in a session, by Apple's numbers.
package enum PeerState: Int, Sendable {
  case notConnected = 0
  case connecting = 1
  case connected = 2
}

/// How a message goes.
package enum SendMode: Sendable {
  case reliable
  case unreliable
}
