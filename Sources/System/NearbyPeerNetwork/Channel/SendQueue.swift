/// Octets to be sent, gathered so that small frames share a TLS record and large ones are not copied.
struct SendQueue {
  /// Size from which a message becomes a segment of its own instead of being copied.
  private static let ownSegment = 32 * 1024
  /// Size at which a gathered segment is complete.
  private static let fullSegment = 64 * 1024

  private var segments: [[UInt8]] = []
  /// Where small messages are gathered.
  private var tail: [UInt8] = []
  /// Emptied segments kept for reuse of their storage.
  private var spare: [[UInt8]] = []
  private(set) var count = 0

  mutating func append(_ octets: [UInt8]) {
    guard octets.count < Self.ownSegment else {
      seal()
      segments.append(octets)
      count += octets.count
      return
    }
    gather { $0 += octets }
  }

  /// Gathers what `body` appends; it must not change what is there.
  mutating func gather(_ body: (inout [UInt8]) -> Void) {
    let before = tail.count
    body(&tail)
    count += tail.count - before
    if tail.count >= Self.fullSegment { seal() }
  }

  /// Removes and returns all segments.
  mutating func takeAll() -> [[UInt8]] {
    seal()
    defer { segments = []; count = 0 }
    return segments
  }

  /// Returns the storage of a segment that was sent.
  mutating func reuse(_ segment: consuming [UInt8]) {
    guard spare.count < 2, segment.capacity <= 2 * Self.fullSegment else { return }
    segment.removeAll(keepingCapacity: true)
    spare.append(segment)
  }

  private mutating func seal() {
    guard !tail.isEmpty else { return }
    segments.append(tail)
    tail = spare.popLast() ?? []
  }
}

/// Segments being sent, cut into full TLS records.
struct RecordQueue {
  /// Largest payload of a TLS record.
  static let recordSize = 16 * 1024

  private var segments: [[UInt8]] = []
  /// Number of leading segments that have been sent completely.
  private var first = 0
  private var offset = 0
  private var staging: [UInt8] = []
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }

  mutating func append(_ more: [[UInt8]]) {
    if first == segments.count {
      segments = more
      first = 0
    } else {
      segments += more
    }
    for segment in more { count += segment.count }
  }

  /// Calls `body` with the octets of the next full records, or with all if there are fewer.
  ///
  /// Until something is removed, another call passes the same octets, perhaps followed by more.
  mutating func withNext<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    let left = segments[first].count - offset
    if left >= Self.recordSize || left == count {
      // Leave a remainder for the next record, because a record of five octets costs as much as a full one.
      let fitting = left == count ? left : left / Self.recordSize * Self.recordSize
      return segments[first].withUnsafeBytes {
        body(UnsafeRawBufferPointer(rebasing: $0[offset..<(offset + fitting)]))
      }
    }
    staging.removeAll(keepingCapacity: true)
    var index = first
    var start = offset
    while staging.count < Self.recordSize, index < segments.count {
      let end = min(segments[index].count, start + Self.recordSize - staging.count)
      staging += segments[index][start..<end]
      index += 1
      start = 0
    }
    return staging.withUnsafeBytes(body)
  }

  /// Removes what was sent.
  ///
  /// - Returns: A segment that was sent completely, so that its storage can be reused.
  mutating func remove(_ sent: Int) -> [UInt8]? {
    count -= sent
    var left = sent
    var done: [UInt8]?
    while left > 0 {
      let rest = segments[first].count - offset
      guard left >= rest else {
        offset += left
        break
      }
      left -= rest
      done = segments[first]
      segments[first] = []
      first += 1
      offset = 0
    }
    if first == segments.count {
      segments = []
      first = 0
    } else if first > 64, first * 2 > segments.count {
      segments.removeFirst(first)
      first = 0
    }
    return done
  }

  mutating func removeAll() { self = RecordQueue() }
}
