import NearbyOctets

/// Splits the octets of a link, which arrive in arbitrary chunks, into frames, copying each payload at most
/// once.
///
/// A frame that is complete within a chunk is passed on in place. Otherwise its payload is gathered in an
/// array that grows as octets arrive, whatever size the header claims, and is passed on when it is complete.
/// `FrameHeader` shows the layout of a frame's header.
package struct FrameParser: Sendable {
  /// Octets reserved for a payload on the strength of its header alone.
  private static let believed = 65_536

  /// Offset of the next octet in the stream.
  package private(set) var offset = 0
  /// The header of an unfinished frame: its octets so far, the first one lowest, and how many they are.
  private var header: UInt64 = 0
  private var headerCount = 0
  private var type: PeerFrameType?
  private var wanted = 0
  private var gathered: [UInt8] = []

  package init() {}

  /// Payload size of the unfinished frame according to its header; 0 between frames.
  package var reserved: Int { wanted }

  /// Parses the next octets of the stream. After an error the link is unusable.
  ///
  /// - Parameters:
  ///   - admit: Called with each frame's header before any of its payload is kept: the type, the size of the
  ///     payload, and the offset of the header in the stream. Throws for a frame that is not allowed now.
  ///   - view: Called with each frame whose payload lies in `octets`, and the offset of the payload in the
  ///     stream.
  ///   - whole: Called likewise with each payload that was gathered from several chunks.
  @inline(__always)
  package mutating func parse(
    _ octets: Span<UInt8>,
    admit: (PeerFrameType, Int, Int) throws(PeerLinkError) -> Void,
    view: (PeerFrameType, Span<UInt8>, Int) throws(PeerLinkError) -> Void,
    whole: (PeerFrameType, [UInt8], Int) throws(PeerLinkError) -> Void
  ) throws(PeerLinkError) {
    var index = 0
    while index < octets.count {
      if headerCount == 0, octets.count &- index >= FrameHeader.size {
        let (type, count) = (
          try frameType(octets[index]), Int(octets.littleEndian(UInt32.self, at: index &+ 1))
        )
        try admit(type, count, offset)
        if octets.count &- index &- FrameHeader.size >= count {
          let start = index &+ FrameHeader.size
          try view(type, octets.extracting(start..<start &+ count), offset &+ FrameHeader.size)
          index = start &+ count
          offset &+= FrameHeader.size &+ count
          continue
        }
      }
      index = try gather(octets, from: index, admit)
      if let type, gathered.count == wanted {
        let payload = finish()
        try whole(type, payload, offset &- payload.count)
      }
    }
  }

  /// Whether the stream has ended between two frames.
  package var isBetweenFrames: Bool { headerCount == 0 }

  @inline(__always)
  private func frameType(_ value: UInt8) throws(PeerLinkError) -> PeerFrameType {
    if value == PeerFrameType.data.rawValue { return .data }
    guard let type = PeerFrameType(rawValue: value) else {
      throw .octets(.frameHeader, at: offset, .unknownFrameType(value))
    }
    return type
  }

  /// Appends what the unfinished frame still needs.
  ///
  /// - Returns: The index after the octets that were used.
  private mutating func gather(
    _ octets: Span<UInt8>, from start: Int, _ admit: (PeerFrameType, Int, Int) throws(PeerLinkError) -> Void
  ) throws(PeerLinkError) -> Int {
    var index = start
    while type == nil, index < octets.count {
      header |= UInt64(octets[index]) &<< UInt64(8 * headerCount)
      headerCount += 1
      index += 1
      let found = try frameType(UInt8(truncatingIfNeeded: header))
      guard headerCount == FrameHeader.size else { continue }
      let count = Int(UInt32(truncatingIfNeeded: header &>> 8))
      try admit(found, count, offset)
      type = found
      wanted = count
      offset += FrameHeader.size
      gathered.reserveCapacity(Swift.min(count, Self.believed))
    }
    guard type != nil else { return index }
    let count = Swift.min(wanted - gathered.count, octets.count - index)
    // A peer that has sent this much is trusted to send the rest.
    if gathered.count &+ count > Self.believed, gathered.capacity < wanted {
      gathered.reserveCapacity(wanted)
    }
    gathered.append(copying: octets.extracting(index..<index + count))
    offset += count
    return index + count
  }

  private mutating func finish() -> [UInt8] {
    defer {
      gathered = []
      header = 0
      headerCount = 0
      type = nil
      wanted = 0
    }
    return gathered
  }
}
