import NearbySchedule

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
  }

  /// First entries of chains, by a key's hash; a power of two.
  private var heads = [Int32](repeating: -1, count: 64)
  private var entries: [Entry] = []
  private var free: [Int32] = []
  /// Cells looked up so far, for the test that a round's cost is flat.
  private(set) var lookups = 0

  /// Squares and channels in one word; rows and columns wrap after 2²⁸ cells.
  private static func key(_ column: Int32, _ row: Int32, _ channel: UInt8) -> UInt64 {
    UInt64(channel) << 56 | UInt64(UInt32(bitPattern: column) & 0x0FFF_FFFF) << 28
      | UInt64(UInt32(bitPattern: row) & 0x0FFF_FFFF)
  }

  private func chain(_ key: UInt64) -> Int {
    Int(truncatingIfNeeded: SplitMix64.hash(of: key)) & (heads.count - 1)
  }

  mutating func insert(_ transmission: AirTransmission, _ cell: RadioCell, _ channel: UInt8) -> Int32 {
    let key = Self.key(cell.column, cell.row, channel)
    let index: Int32
    if let reused = free.popLast() {
      index = reused
    } else {
      index = Int32(truncatingIfNeeded: entries.count)
      entries.append(Entry(transmission: transmission, key: key, next: -1))
      if entries.count > heads.count { spread() }
    }
    let chain = chain(key)
    entries[Int(index)] = Entry(transmission: transmission, key: key, next: heads[chain])
    heads[chain] = index
    return index
  }

  mutating func remove(_ index: Int32) {
    let entry = entries[Int(index)]
    let chain = chain(entry.key)
    if heads[chain] == index {
      heads[chain] = entry.next
    } else {
      var before = heads[chain]
      while before >= 0, entries[Int(before)].next != index { before = entries[Int(before)].next }
      if before >= 0 { entries[Int(before)].next = entry.next }
    }
    free.append(index)
  }

  /// Doubles the chains and hangs every entry in use where it now belongs; chains stay short.
  private mutating func spread() {
    let old = heads
    heads = [Int32](repeating: -1, count: old.count * 2)
    for head in old {
      var index = head
      while index >= 0 {
        let next = entries[Int(index)].next
        let chain = chain(entries[Int(index)].key)
        entries[Int(index)].next = heads[chain]
        heads[chain] = index
        index = next
      }
    }
  }

  /// Appends every round near `cell` that is in progress between two times; one may come more than once.
  mutating func search(
    near cell: RadioCell, _ channel: UInt8, from start: Int64, to end: Int64, _ found: inout [Int32]
  ) {
    for column in -1...1 {
      for row in -1...1 {
        lookups &+= 1
        let key = Self.key(cell.column &+ Int32(column), cell.row &+ Int32(row), channel)
        var index = heads[chain(key)]
        while index >= 0 {
          let entry = entries[Int(index)]
          if entry.key == key, entry.transmission.start < end, start < entry.transmission.end {
            found.append(entry.transmission.round)
          }
          index = entry.next
        }
      }
    }
  }
}
