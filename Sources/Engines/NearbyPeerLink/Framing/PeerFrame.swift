import NearbyOctets

/// Every frame that a link can carry, as a value. The hot path reads and writes `data` without this type.
package enum PeerFrame: Equatable, Sendable {
  case hello(Hello)
  case invite(Invite)
  case answer(Acceptance)
  case refuse(PeerReason)
  case join(Join)
  case ready(Ready)
  case use(LinkChoice)
  case ping(UInt64)
  case pong(UInt64)
  case acknowledgement(received: UInt64)
  case members([IntroducedMember])
  case looseData([UInt8])
  /// The certificates of the app and the proof that it has their key, in the shell's own form.
  case proof([UInt8])
  case data([UInt8])
  case goodbye(PeerReason)
  /// `size` is `nil` if the sender does not know it.
  case resourceOffer(TransferID, size: UInt64?, name: String)
  case resourceCredit(TransferID, octets: UInt64)
  case resourceChunk(TransferID, [UInt8])
  case resourceComplete(TransferID)
  case resourceStored(TransferID)
  case resourceCancel(TransferID, PeerReason)
  case streamOpen(TransferID, name: String)
  case streamData(TransferID, [UInt8])
  case streamEnd(TransferID)
  case streamClose(TransferID, PeerReason)
  case streamCredit(TransferID, octets: UInt64)

  package var type: PeerFrameType {
    switch self {
    case .hello: .hello
    case .invite: .invite
    case .answer: .answer
    case .refuse: .refuse
    case .join: .join
    case .ready: .ready
    case .use: .use
    case .ping: .ping
    case .pong: .pong
    case .acknowledgement: .acknowledgement
    case .members: .members
    case .looseData: .looseData
    case .proof: .proof
    case .data: .data
    case .goodbye: .goodbye
    case .resourceOffer: .resourceOffer
    case .resourceCredit: .resourceCredit
    case .resourceChunk: .resourceChunk
    case .resourceComplete: .resourceComplete
    case .resourceStored: .resourceStored
    case .resourceCancel: .resourceCancel
    case .streamOpen: .streamOpen
    case .streamData: .streamData
    case .streamEnd: .streamEnd
    case .streamClose: .streamClose
    case .streamCredit: .streamCredit
    }
  }
}

/// The header before each payload, with sizes in octets:
///
///     type (1) | size of the payload, little-endian (4)
package enum FrameHeader {
  package static let size = 5

  /// Appends a header, growing the array at most once.
  @inline(__always)
  static func write(_ type: PeerFrameType, count: Int, to octets: inout [UInt8]) {
    let header = UInt64(type.rawValue) | UInt64(UInt32(truncatingIfNeeded: count)) &<< 8
    withUnsafeBytes(of: header.littleEndian) {
      octets.append(contentsOf: UnsafeRawBufferPointer(rebasing: $0[..<size]))
    }
  }
}
