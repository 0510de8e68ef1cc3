/// What links may carry before, and after, their peer is admitted: decided at each frame's header.
///
/// A peer is admitted when both sides agreed to a connection, by an invitation that was accepted or a join that
/// was answered. Before that a frame's payload has at most `PeerLimits.strangerPayload` octets. Only invitations and
/// proofs may be larger; those of all peers that are not admitted share `PeerLimits.strangerMemory`.
extension PeerNode {
  /// Throws where a frame may not come on a link now, or not so large.
  ///
  /// - Parameter offset: Where the frame's header begins in the stream.
  func checkHeader(
    _ type: PeerFrameType, _ count: Int, on id: LinkID, at offset: Int
  ) throws(PeerLinkError) {
    // What follows on a link that is being closed is dropped.
    guard let index = linkIndex(id), !links[index].isClosing else { return }
    guard links[index].expects(type) else { throw .unexpectedFrame(type, at: offset) }
    try type.check(count, limits, at: offset)
    guard !links[index].isAdmitted, count > limits.strangerPayload else { return }
    guard type == .invite || type == .proof else {
      return try type.check(count, maximum: limits.strangerPayload, at: offset)
    }
    guard strangerOctets + count <= limits.strangerMemory else {
      throw .crowded(type, at: offset, count: count, maximum: limits.strangerMemory)
    }
  }

  /// Octets kept for peers that are not admitted, without what every link has.
  var strangerOctets: Int {
    let ofLinks = links.reduce(0) { $1.isAdmitted ? $0 : $0 + $1.parser.reserved + $1.proof.count }
    return incoming.reduce(ofLinks) { $0 + ($1.invite.context?.count ?? 0) }
  }
}

extension NodeLink {
  /// Whether both sides agreed to a connection over the link.
  var isAdmitted: Bool {
    switch role {
    case .candidate, .current: true
    case .securing, .greeting, .idle, .inviting, .invited, .joining, .parked, .closing: false
    }
  }

  /// Whether a frame of a type may come in the link's present role.
  func expects(_ type: PeerFrameType) -> Bool {
    switch type {
    case .refuse: role != .securing
    case .hello: role == .greeting
    case .ping, .pong: role != .securing && role != .greeting
    case .invite, .join: role == .idle
    case .proof: awaitsProof
    case .answer: isAsking
    case .ready, .use: if case .candidate = role { true } else { false }
    case .acknowledgement, .members, .looseData, .data, .goodbye, .resourceOffer, .resourceCredit,
      .resourceChunk, .resourceComplete, .resourceStored, .resourceCancel, .streamOpen, .streamData,
      .streamEnd, .streamClose, .streamCredit:
      isCurrent
    }
  }

  /// Whether our invitation or join waits for its answer.
  private var isAsking: Bool {
    switch role {
    case .inviting, .joining: true
    case .securing, .greeting, .idle, .invited, .parked, .candidate, .current, .closing: false
    }
  }
}
