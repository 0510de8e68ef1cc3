/// The type of a frame, its first octet. `Docs/peer-protocol.md`, section 4, has the table.
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
  // About the connection; counted, acknowledged, and sent again after a link is lost.
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

  /// Whether the frame belongs to the connection's counted octets.
  @inline(__always)
  package var isSequenced: Bool { rawValue >= 0x40 }

  /// Checks a payload's size against the largest one that the type may have on any link.
  ///
  /// - Parameter offset: Offset of the frame's header in the stream, for the error.
  /// - Throws: `PeerLinkError.octets` if the payload is larger.
  package func check(_ count: Int, _ limits: PeerLimits, at offset: Int) throws(PeerLinkError) {
    try check(count, maximum: maximumPayload(limits), at: offset)
  }

  func check(_ count: Int, maximum: Int, at offset: Int) throws(PeerLinkError) {
    guard count <= maximum else {
      throw .octets(.frameHeader, at: offset &+ 1, .tooLong(count: count, maximum: maximum))
    }
  }

  /// The largest payload of the type, as listed in `Docs/peer-protocol.md`, section 4.
  func maximumPayload(_ limits: PeerLimits) -> Int {
    switch self {
    case .data, .looseData: limits.maximumMessage
    // The 128 octets are for the fields before the context.
    case .invite: limits.maximumContext + 128
    case .members: 262_144
    case .proof: 65_536
    // The transfer's number takes four octets.
    case .resourceChunk, .streamData: limits.chunkSize + 4
    case .hello, .answer, .refuse, .join, .ready, .use, .ping, .pong, .acknowledgement, .goodbye,
      .resourceOffer, .resourceCredit, .resourceComplete, .resourceStored, .resourceCancel, .streamOpen,
      .streamEnd, .streamClose, .streamCredit:
      2048
    }
  }
}
