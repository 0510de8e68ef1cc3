/// What is wrong with names, octets or requests given to PeerLink.
package enum PeerLinkError: Error, Equatable, Sendable {
  /// Octets that are not what the field asks for; `at` counts from the start of the stream, file or datagram.
  case octets(PeerField, at: Int, OctetProblem)
  /// A name or a limit of the app's; `at` counts UTF-8 octets from the start of the text.
  case name(PeerField, at: Int, NameProblem)
  /// A frame that may not come now, at its offset in the stream.
  case unexpectedFrame(PeerFrameType, at: Int)
  /// A request that the state does not allow.
  case request(RequestProblem)
  /// A frame of a peer that is not admitted yet, for which its node has no memory left: `maximum` octets are for all
  /// such peers together.
  case crowded(PeerFrameType, at: Int, count: Int, maximum: Int)
}

/// What is wrong with octets, and what was expected.
package enum OctetProblem: Error, Equatable, Sendable {
  case truncated(needed: Int, left: Int)
  case leftover(count: Int)
  case tooLong(count: Int, maximum: Int)
  case tooShort(count: Int, minimum: Int)
  case notUTF8
  case unknownFrameType(UInt8)
  case outOfRange(found: UInt64, expected: ClosedRange<UInt64>)
  /// A transfer's number that is of the wrong half, or not larger than `last`, the peer's latest.
  case unusableNumber(found: UInt32, last: UInt32?, expectsOdd: Bool)
}

/// What is wrong with a name, and what was expected.
package enum NameProblem: Error, Equatable, Sendable {
  case empty
  case tooLong(count: Int, maximum: Int)
  case notLowercaseLetterDigitOrHyphen(found: UInt8)
  case noLetter
  /// At the start, at the end, or after another.
  case misplacedHyphen
  case notPrintableASCIIWithoutEquals(found: UInt8)
  /// DNS-SD keys are compared without case.
  case duplicate
  /// The key is one of PeerLink's own.
  case reserved
  case notUTF8
}

/// Why a request can not be followed.
package enum RequestProblem: Error, Equatable, Sendable {
  case unknownSession
  case noPeers
  case notConnected(PeerIdentity)
  /// The peer is the local one.
  case ownIdentity
  case tooLarge(count: Int, maximum: Int)
  /// So much waits for the peer already that no more is taken.
  case backlogged(PeerIdentity)
  case sessionFull(maximum: Int)
  /// Connection data that another peer made, or that was made for another peer.
  case wrongPeer
  case unknownTransfer(TransferID)
  case tooManyTransfers(maximum: Int)
  case transferEnded(TransferID)
}

/// The fields errors name.
package enum PeerField: String, Equatable, Sendable {
  case serviceType, displayName, discoveryKey, discoveryEntry, discoveryInfo
  case identity, archive, version, contact, session, connection, magic
  case frameHeader, frame, payload, preference, invitation, context, timeout, reason, count
  case offset, generation, name, size, transfer, credit, ping, acknowledgement
}
