import NearbyOctets

/// The side of a device that a frame belongs to.
///
/// Source: `Docs/world-protocol.md`, section 2.
package enum WorldSide: UInt8, CaseIterable, Sendable {
  /// Joining, refusal, the clock.
  case control = 0
  /// Octets between a UCI host and its chip, split at arbitrary points.
  case uci = 1
  case camera = 2
  /// Foreground and background, permissions.
  case life = 3
  /// What an app is notified of, for people who watch the world.
  case report = 4
  /// Requests from a device's programs to its Bluetooth adapter, and its replies and events.
  case bluetooth = 5
}

/// One frame between a world and a device: a header of 16 octets and a payload. Numbers are little-endian.
///
///     offset  octets
///        0       4    length of the payload, at most 65 536
///        4       1    side (`WorldSide`)
///        5       1    kind of message within its side
///        6       2    0
///        8       8    time of the world, ns, at most 10¹⁸
///       16            payload
///
/// In payloads, `f64` is IEEE 754, text is UTF-8 after its 16-bit count, and an optional value follows an
/// octet that is 1 if the value is present, else 0.
///
/// Source: `Docs/world-protocol.md`, section 2.
package struct WorldFrame: Equatable, Sendable {
  package static let headerSize = 16
  /// Size of the largest payload, octets.
  package static let maximumPayload = 65_536

  package var side: WorldSide
  /// Kind of message within its side.
  package var kind: UInt8
  /// Time of the world when the frame was created; written as nanoseconds, within `WorldTime`'s range.
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
  /// A payload larger than `maximumPayload` is a programming error: messages limit their lists and texts when
  /// they are written, and UCI octets are sent in pieces of `DeviceMessage.uciPiece`.
  package func write(to octets: inout [UInt8]) {
    precondition(
      payload.count <= Self.maximumPayload,
      "a frame's payload is too long: \(payload.count) octets")
    octets.append(littleEndian: UInt32(payload.count))
    octets.append(side.rawValue)
    octets.append(kind)
    octets.append(littleEndian: UInt16(0))
    octets.append(littleEndian: WorldTime.nanoseconds(time))
    octets += payload
  }
}

/// Splits a stream into frames. After an error, the rest of the stream is unusable.
package struct WorldFrameReader: Sendable {
  /// Maximum payload; a header that announces more is an error, octets.
  package var payloadLimit: Int
  private var buffer: [UInt8] = []
  private var start = 0
  /// Offset of the start of `buffer` in the stream, octets.
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

  /// Returns the next complete frame, or `nil` if more octets are needed.
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
