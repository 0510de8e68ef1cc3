/// Decides at each frame's header what a link may carry, before and after its peer is admitted.
///
/// A peer is admitted when both sides have agreed to a connection, by an accepted invitation or an answered
/// join. Until then a frame's payload has at most `PeerLimits.strangerPayload` octets. Only invitations and
/// proofs may be larger; those of all peers that are not admitted share `PeerLimits.strangerMemory`.
extension PeerNode {
  /// Checks whether a frame of this type and size is allowed on a link now.
  ///
  /// - Parameter offset: Offset of the frame's header in the stream.
  /// - Throws: `PeerLinkError` if the frame is not allowed.
  func checkHeader(
    _ type: PeerFrameType, _ count: Int, on id: LinkID, at offset: Int
  ) throws(PeerLinkError) {
    // Whatever follows on a link that is being closed is dropped.
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

  /// Octets kept for peers that are not admitted, beyond what every link needs.
  var strangerOctets: Int {
    let ofLinks = links.reduce(0) { $1.isAdmitted ? $0 : $0 + $1.parser.reserved + $1.proof.count }
    return incoming.reduce(ofLinks) { $0 + ($1.invite.context?.count ?? 0) }
  }
}

extension NodeLink {
  /// Whether both sides have agreed to a connection over the link.
  var isAdmitted: Bool {
    switch role {
    case .candidate, .current: true
    case .securing, .greeting, .idle, .inviting, .invited, .joining, .parked, .closing: false
    }
  }

  /// Whether a frame of this type is allowed in the link's current role.
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

  /// Whether our invitation or join on the link awaits its answer.
  private var isAsking: Bool {
    switch role {
    case .inviting, .joining: true
    case .securing, .greeting, .idle, .invited, .parked, .candidate, .current, .closing: false
    }
  }
}
