/// What a frame is; the first octet of each. Table in `Docs/peer-protocol.md`.
package enum PeerFrameType: UInt8, CaseIterable, Sendable {
  // About the link; never sent again on another link.
  case hello = 0x01
  case invite = 0x02
  case answer = 0x03
  case refuse = 0x04
  case join = 0x05
  case ready = 0x06
  case use = 0x07
  case ping = 0x08
  case pong = 0x09
  case acknowledgement = 0x0A
  case members = 0x0B
  case looseData = 0x0C
  case proof = 0x0D
  // Of the connection; counted, acknowledged, sent again where a link is lost.
  case data = 0x40
  case goodbye = 0x41
  case resourceOffer = 0x50
  case resourceCredit = 0x51
  case resourceChunk = 0x52
  case resourceComplete = 0x53
  case resourceStored = 0x54
  case resourceCancel = 0x55
  case streamOpen = 0x60
  case streamData = 0x61
  case streamEnd = 0x62
  case streamClose = 0x63
  case streamCredit = 0x64

  /// Whether the frame is part of the connection's counted octets.
  @inline(__always)
  package var isSequenced: Bool { rawValue >= 0x40 }

  /// Throws where a payload is larger than a frame of the type may have on any link.
  ///
  /// - Parameter offset: Where the frame's header begins in the stream, for the error.
  package func check(_ count: Int, _ limits: PeerLimits, at offset: Int) throws(PeerLinkError) {
    try check(count, maximum: maximumPayload(limits), at: offset)
  }

  func check(_ count: Int, maximum: Int, at offset: Int) throws(PeerLinkError) {
    guard count <= maximum else {
      throw .octets(.frameHeader, at: offset &+ 1, .tooLong(count: count, maximum: maximum))
    }
  }

  /// The largest payload that a frame of the type may have, as in the tables of `Docs/peer-protocol.md`.
  func maximumPayload(_ limits: PeerLimits) -> Int {
    switch self {
    case .data, .looseData: limits.maximumMessage
    // What an invitation has before its context.
    case .invite: limits.maximumContext + 128
    case .members: 262_144
    case .proof: 65_536
    // The transfer's number, then the octets.
    case .resourceChunk, .streamData: limits.chunkSize + 4
    case .hello, .answer, .refuse, .join, .ready, .use, .ping, .pong, .acknowledgement, .goodbye,
      .resourceOffer, .resourceCredit, .resourceComplete, .resourceStored, .resourceCancel, .streamOpen,
      .streamEnd, .streamClose, .streamCredit:
      2048
    }
  }
}
