import NearbyOctets

/// Parses and writes payloads, in the order of the table in `Docs/peer-protocol.md`, section 4.
///
/// Numbers are little-endian; `text` and `octets` follow a 16-bit count. The layouts that are not in
/// `FrameParts+Coding.swift`, with sizes in octets:
///
///     answer                          session (16) | preference (1)
///     refuse, goodbye                 reason (1)
///     ready                           connection (8) | ended connection (8) | received (8)
///     ping, pong                      any value (8)
///     acknowledgement                 received (8)
///     data, looseData, proof          octets to the end
///     resourceOffer                   id (4) | size (8), all ones if unknown | name (text)
///     resourceCredit, streamCredit    id (4) | octets granted in total (8)
///     resourceChunk, streamData       id (4) | octets to the end
///     resourceComplete, resourceStored, streamEnd    id (4)
///     resourceCancel, streamClose     id (4) | reason (1)
///     streamOpen                      id (4) | name (text)
extension PeerFrame {
  /// Largest name of a resource or stream in octets.
  package static let maximumName = 1024

  /// Parses the payload of a frame.
  ///
  /// - Parameter base: Offset of the payload in the stream, for errors.
  package init(
    _ type: PeerFrameType, parsing payload: Span<UInt8>, at base: Int
  ) throws(PeerLinkError) {
    switch type {
    case .data: self = .data(payload.octets)
    case .looseData: self = .looseData(payload.octets)
    case .proof: self = .proof(payload.octets)
    case .resourceChunk, .streamData:
      guard payload.count >= 4 else {
        throw .octets(.transfer, at: base, .truncated(needed: 4, left: payload.count))
      }
      let id = TransferID(number: payload.littleEndian(at: 0))
      let octets = payload.extracting(droppingFirst: 4).octets
      self = type == .streamData ? .streamData(id, octets) : .resourceChunk(id, octets)
    case .hello, .invite, .answer, .refuse, .join, .ready, .use, .ping, .pong, .acknowledgement, .members:
      var reader = PeerCursor(payload, at: base)
      self = try Self.ofLink(type, &reader)
      try reader.requireEnd(.payload)
    case .goodbye, .resourceOffer, .resourceCredit, .resourceComplete, .resourceStored, .resourceCancel,
      .streamOpen, .streamEnd, .streamClose, .streamCredit:
      var reader = PeerCursor(payload, at: base)
      self = try Self.ofConnection(type, &reader)
      try reader.requireEnd(.payload)
    }
  }

  private static func ofLink(
    _ type: PeerFrameType, _ reader: inout PeerCursor
  ) throws(PeerLinkError) -> PeerFrame {
    switch type {
    case .hello: .hello(try Hello(&reader))
    case .invite: .invite(try Invite(&reader))
    case .answer:
      .answer(Acceptance(session: try reader.takeSessionID(), preference: try reader.takePreference()))
    case .refuse: .refuse(try reader.takeReason())
    case .join: .join(try Join(&reader))
    case .ready:
      .ready(
        Ready(
          connection: try reader.takeUInt64(.connection), ended: try reader.takeUInt64(.connection),
          received: try reader.takeUInt64(.offset)))
    case .use: .use(try LinkChoice(&reader))
    case .ping: .ping(try reader.takeUInt64(.ping))
    case .pong: .pong(try reader.takeUInt64(.ping))
    case .acknowledgement: .acknowledgement(received: try reader.takeUInt64(.acknowledgement))
    case .members: .members(try reader.takeMembers())
    case .looseData, .proof, .data, .goodbye, .resourceOffer, .resourceCredit, .resourceChunk,
      .resourceComplete, .resourceStored, .resourceCancel, .streamOpen, .streamData, .streamEnd, .streamClose,
      .streamCredit:
      throw .octets(.frame, at: reader.offset, .unknownFrameType(type.rawValue))
    }
  }

  private static func ofConnection(
    _ type: PeerFrameType, _ reader: inout PeerCursor
  ) throws(PeerLinkError) -> PeerFrame {
    if type == .goodbye { return .goodbye(try reader.takeReason()) }
    let id = TransferID(number: try reader.takeUInt32(.transfer))
    return switch type {
    case .resourceOffer:
      .resourceOffer(
        id, size: try reader.takeSize(), name: try reader.takeText(.name, maximum: maximumName))
    case .resourceCredit: .resourceCredit(id, octets: try reader.takeUInt64(.credit))
    case .resourceComplete: .resourceComplete(id)
    case .resourceStored: .resourceStored(id)
    case .resourceCancel: .resourceCancel(id, try reader.takeReason())
    case .streamOpen: .streamOpen(id, name: try reader.takeText(.name, maximum: maximumName))
    case .streamEnd: .streamEnd(id)
    case .streamClose: .streamClose(id, try reader.takeReason())
    case .streamCredit: .streamCredit(id, octets: try reader.takeUInt64(.credit))
    case .hello, .invite, .answer, .refuse, .join, .ready, .use, .ping, .pong, .acknowledgement, .members,
      .looseData, .proof, .data, .goodbye, .resourceChunk, .streamData:
      throw .octets(.frame, at: reader.offset, .unknownFrameType(type.rawValue))
    }
  }

  /// Appends the frame with its header.
  package func write(to octets: inout [UInt8]) {
    let start = octets.count
    FrameHeader.write(type, count: 0, to: &octets)
    writePayload(to: &octets)
    let count = UInt32(octets.count - start - FrameHeader.size)
    octets.replace(at: start + 1, littleEndian: count)
  }

  private func writePayload(to octets: inout [UInt8]) {
    switch self {
    case .hello(let hello): hello.write(to: &octets)
    case .invite(let invite): invite.write(to: &octets)
    case .answer(let answer):
      octets.append(answer.session)
      octets.append(answer.preference.rawValue)
    case .refuse(let reason), .goodbye(let reason): octets.append(reason.rawValue)
    case .join(let join): join.write(to: &octets)
    case .ready(let ready):
      octets.append(littleEndian: ready.connection)
      octets.append(littleEndian: ready.ended)
      octets.append(littleEndian: ready.received)
    case .use(let use): use.write(to: &octets)
    case .ping(let value), .pong(let value), .acknowledgement(received: let value):
      octets.append(littleEndian: value)
    case .members(let members): octets.append(members)
    case .data(let payload), .looseData(let payload), .proof(let payload): octets.append(contentsOf: payload)
    case .resourceOffer(let id, let size, let name):
      octets.append(littleEndian: id.number)
      octets.append(littleEndian: size ?? .max)
      octets.append(counted: name.utf8)
    case .streamOpen(let id, let name):
      octets.append(littleEndian: id.number)
      octets.append(counted: name.utf8)
    case .resourceChunk(let id, let payload), .streamData(let id, let payload):
      octets.append(littleEndian: id.number)
      octets.append(contentsOf: payload)
    case .resourceComplete(let id), .resourceStored(let id), .streamEnd(let id):
      octets.append(littleEndian: id.number)
    case .resourceCancel(let id, let reason), .streamClose(let id, let reason):
      octets.append(littleEndian: id.number)
      octets.append(reason.rawValue)
    case .resourceCredit(let id, let credit), .streamCredit(let id, let credit):
      octets.append(littleEndian: id.number)
      octets.append(littleEndian: credit)
    }
  }
}
