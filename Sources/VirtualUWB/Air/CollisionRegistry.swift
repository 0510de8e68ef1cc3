/// A round in progress in one cell.
struct AirTransmission: Sendable {
  var round: Int32
  /// Nanoseconds.
  var start: Int64
  var end: Int64
}

/// Which rounds are in progress near a place, on a channel.
///
/// A round enters when it begins and leaves when it is over, and it asks only about the nine cells around its
/// radios. So its cost depends on how crowded the place is, not on how many chips there are.
struct CollisionRegistry: Sendable {
  private struct Entry: Sendable {
    var transmission: AirTransmission
    var key: UInt64
    var next: Int32
    var previous: Int32
  }

  private var heads: [UInt64: Int32] = [:]
  private var entries: [Entry] = []
  private var free: [Int32] = []
  /// Cells looked up so far, for the test that a round's cost is flat.
  private(set) var lookups = 0

  /// Squares and channels in one word; rows and columns wrap after 2²⁸ cells.
  private static func key(_ column: Int32, _ row: Int32, _ channel: UInt8) -> UInt64 {
    UInt64(channel) << 56 | UInt64(UInt32(bitPattern: column) & 0x0FFF_FFFF) << 28
      | UInt64(UInt32(bitPattern: row) & 0x0FFF_FFFF)
  }

  mutating func insert(_ transmission: AirTransmission, _ cell: RadioCell, _ channel: UInt8) -> Int32 {
    let key = Self.key(cell.column, cell.row, channel)
    let head = heads[key] ?? -1
    let entry = Entry(transmission: transmission, key: key, next: head, previous: -1)
    let index: Int32
    if let reused = free.popLast() {
      index = reused
      entries[Int(index)] = entry
    } else {
      index = Int32(truncatingIfNeeded: entries.count)
      entries.append(entry)
    }
    if head >= 0 { entries[Int(head)].previous = index }
    heads[key] = index
    return index
  }

  mutating func remove(_ index: Int32) {
    let entry = entries[Int(index)]
    if entry.next >= 0 { entries[Int(entry.next)].previous = entry.previous }
    if entry.previous >= 0 {
      entries[Int(entry.previous)].next = entry.next
    } else if entry.next >= 0 {
      heads[entry.key] = entry.next
    } else {
      heads[entry.key] = nil
    }
    free.append(index)
  }

  /// Appends every round near `cell` that is in progress between two times; one may come more than once.
  mutating func search(
    near cell: RadioCell, _ channel: UInt8, from start: Int64, to end: Int64, _ found: inout [Int32]
  ) {
    for column in -1...1 {
      for row in -1...1 {
        lookups &+= 1
        guard !heads.isEmpty else { continue }
        let key = Self.key(cell.column &+ Int32(column), cell.row &+ Int32(row), channel)
        var index = heads[key] ?? -1
        while index >= 0 {
          let entry = entries[Int(index)]
          if entry.transmission.start < end, start < entry.transmission.end {
            found.append(entry.transmission.round)
          }
          index = entry.next
        }
      }
    }
  }
}
