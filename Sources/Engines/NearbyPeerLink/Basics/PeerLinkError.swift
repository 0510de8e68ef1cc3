/// Why PeerLink rejects names, octets or requests.
package enum PeerLinkError: Error, Equatable, Sendable {
  /// Octets that do not fit the field; `at` counts from the start of the stream, file or datagram.
  case octets(PeerField, at: Int, OctetProblem)
  /// A name or limit given by the app; `at` counts UTF-8 octets from the start of the text.
  case name(PeerField, at: Int, NameProblem)
  /// A frame that is not allowed now, with its offset in the stream.
  case unexpectedFrame(PeerFrameType, at: Int)
  /// A request that is not possible in the current state.
  case request(RequestProblem)
  /// A frame from a peer that is not admitted, for which there is no memory left: `maximum` octets are shared
  /// by all such peers.
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
  /// A transfer number from the wrong half, or not larger than `last`, the peer's latest one.
  case unusableNumber(found: UInt32, last: UInt32?, expectsOdd: Bool)
}

/// What is wrong with a name, and what was expected.
package enum NameProblem: Error, Equatable, Sendable {
  case empty
  case tooLong(count: Int, maximum: Int)
  case notLowercaseLetterDigitOrHyphen(found: UInt8)
  case noLetter
  /// At the start, at the end, or next to another hyphen.
  case misplacedHyphen
  case notPrintableASCIIWithoutEquals(found: UInt8)
  /// DNS-SD compares keys without regard to case.
  case duplicate
  /// The key begins like PeerLink's own keys.
  case reserved
  case notUTF8
}

/// Why a request is not possible.
package enum RequestProblem: Error, Equatable, Sendable {
  case unknownSession
  case noPeers
  case notConnected(PeerIdentity)
  /// The peer is the local one.
  case ownIdentity
  case tooLarge(count: Int, maximum: Int)
  /// Too much is queued for the peer already.
  case backlogged(PeerIdentity)
  case sessionFull(maximum: Int)
  /// Connection data that another peer issued, or that was issued for another peer.
  case wrongPeer
  case unknownTransfer(TransferID)
  case tooManyTransfers(maximum: Int)
  case transferEnded(TransferID)
}

/// Fields that errors can name.
package enum PeerField: String, Equatable, Sendable {
  case serviceType, displayName, discoveryKey, discoveryEntry, discoveryInfo
  case identity, archive, version, contact, session, connection, magic
  case frameHeader, frame, payload, preference, invitation, context, timeout, reason, count
  case offset, generation, name, size, transfer, credit, ping, acknowledgement
}
