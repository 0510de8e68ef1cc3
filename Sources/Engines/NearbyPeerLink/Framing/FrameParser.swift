import NearbyOctets

/// Turns the octets of a link, in any chunks, into frames, with at most one copy of each payload.
///
/// A frame that is whole in a chunk is shown where it lies; of one that is not, the payload is gathered in an
/// array that grows as octets come, not as a header promises, and is handed over when it is whole.
package struct FrameParser: Sendable {
  /// So much of a payload makes room at once, by its header's word alone.
  private static let believed = 65_536

  /// Octets of the stream before the next one.
  package private(set) var offset = 0
  /// The header of a frame that is not whole yet: its octets in the low ones, and how many there are.
  private var header: UInt64 = 0
  private var headerCount = 0
  private var type: PeerFrameType?
  private var wanted = 0
  private var gathered: [UInt8] = []

  package init() {}

  /// Octets of the unfinished frame's payload, by its header; 0 between frames.
  package var reserved: Int { wanted }

  /// Parses the next octets of the stream. After an error the link is of no more use.
  ///
  /// - Parameters:
  ///   - admit: Called with each frame's header before any of its payload is kept: the type, the payload's octets,
  ///     and where the header begins in the stream. Throws for a frame that may not come now.
  ///   - view: Called with each frame that lies in `octets`, and where its payload begins in the stream.
  ///   - whole: The same for a payload that was gathered.
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

  /// Whether the stream ends between two frames.
  package var isBetweenFrames: Bool { headerCount == 0 }

  @inline(__always)
  private func frameType(_ value: UInt8) throws(PeerLinkError) -> PeerFrameType {
    if value == PeerFrameType.data.rawValue { return .data }
    guard let type = PeerFrameType(rawValue: value) else {
      throw .octets(.frameHeader, at: offset, .unknownFrameType(value))
    }
    return type
  }

  /// Appends what the unfinished frame lacks.
  ///
  /// - Returns: The index behind the octets that were used.
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
    // Whoever has sent so much is believed that the rest will come.
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
