import NearbyOctets

/// Which side of a device a frame is about.
///
/// Source: `Docs/world-protocol.md`, section 2.
package enum WorldSide: UInt8, CaseIterable, Sendable {
  /// Joining, refusing, the clock.
  case control = 0
  /// Octets between a UCI host and its chip, cut anyhow.
  case uci = 1
  case camera = 2
  /// Foreground and background, permission.
  case life = 3
  /// What an app is told, for who watches.
  case report = 4
  /// What a device's programs ask of its Bluetooth, and what that tells.
  case bluetooth = 5
}

/// One frame between a world and a device: a header of 16 octets and what it carries.
package struct WorldFrame: Equatable, Sendable {
  package static let headerSize = 16
  /// Octets of the largest payload.
  package static let maximumPayload = 65_536

  package var side: WorldSide
  /// What kind of message of its side.
  package var kind: UInt8
  /// Of the world, when the frame was made; written as nanoseconds, within `WorldTime`'s range.
  package var time: Duration
  package var payload: [UInt8]

  package init(side: WorldSide, kind: UInt8, time: Duration, payload: [UInt8]) {
    self.side = side
    self.kind = kind
    self.time = time
    self.payload = payload
  }

  /// Appends the frame's octets.
  ///
  /// A payload over `maximumPayload` is a programming error: messages bound their lists and texts when they are
  /// written, and octets of UCI go in pieces of `DeviceMessage.uciPiece`.
  package func write(to octets: inout [UInt8]) {
    precondition(payload.count <= Self.maximumPayload, "a payload of \(payload.count) octets")
    octets.append(littleEndian: UInt32(payload.count))
    octets.append(side.rawValue)
    octets.append(kind)
    octets.append(littleEndian: UInt16(0))
    octets.append(littleEndian: WorldTime.nanoseconds(time))
    octets += payload
  }
}

/// Cuts a stream into frames. After an error the stream is of no use.
package struct WorldFrameReader: Sendable {
  /// Octets of a payload over which a header is refused.
  package var payloadLimit: Int
  private var buffer: [UInt8] = []
  private var start = 0
  /// Offset in the stream of `buffer`'s beginning.
  private var base = 0

  package init(payloadLimit: Int = WorldFrame.maximumPayload) { self.payloadLimit = payloadLimit }

  package mutating func append(_ octets: [UInt8]) {
    if start > WorldFrame.maximumPayload || start == buffer.count {
      buffer.removeFirst(start)
      base += start
      start = 0
    }
    buffer += octets
  }

  /// The next whole frame; `nil` when more octets are needed.
  package mutating func next() throws(WorldProtocolError) -> WorldFrame? {
    guard buffer.count - start >= WorldFrame.headerSize else { return nil }
    let header = buffer[start..<start + WorldFrame.headerSize]
    var reader = WorldReader(header.span, at: base + start)
    let count = Int(try reader.takeUInt32("length"))
    guard count <= payloadLimit else {
      throw reader.error("length", back: 4, "\(count) octets; at most \(payloadLimit)")
    }
    let rawSide = try reader.takeUInt8("side")
    guard let side = WorldSide(rawValue: rawSide) else {
      throw reader.error("side", back: 1, "\(rawSide); 0 to 5 expected")
    }
    let kind = try reader.takeUInt8("kind")
    let reserved = try reader.takeUInt16("reserved")
    guard reserved == 0 else { throw reader.error("reserved", back: 2, "\(reserved); 0 expected") }
    let nanoseconds = try reader.takeUInt64("time")
    guard nanoseconds <= WorldTime.latestNanoseconds else {
      throw reader.error("time", back: 8, "\(nanoseconds) ns; at most 10¹⁸ expected")
    }
    let end = start + WorldFrame.headerSize + count
    guard buffer.count >= end else { return nil }
    let payload = Array(buffer[(start + WorldFrame.headerSize)..<end])
    start = end
    return WorldFrame(side: side, kind: kind, time: .nanoseconds(Int64(nanoseconds)), payload: payload)
  }
}
