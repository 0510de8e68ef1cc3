import NearbySchedule

/// One round's entry in one cell.
struct AirTransmission: Sendable {
  var round: Int32
  /// Nanoseconds.
  var start: Int64
  var end: Int64
}

/// Finds the rounds in progress near a place on a channel.
///
/// A round is inserted when it begins and removed when it ends, and it searches only the nine cells around
/// each of its own cells. Its cost therefore depends on how crowded the place is, not on the number of
/// chips.
struct CollisionRegistry: Sendable {
  private struct Entry: Sendable {
    var transmission: AirTransmission
    var key: UInt64
    var next: Int32
  }

  /// A hash table with chains: the first entry of each chain, or −1. The number of chains is a power of
  /// two.
  private var heads = [Int32](repeating: -1, count: 64)
  private var entries: [Entry] = []
  private var free: [Int32] = []
  /// The number of cells searched so far, for the test that the cost of a round is constant.
  private(set) var lookups = 0

  /// Packs a cell and a channel into one word. Columns and rows wrap after 2²⁸ cells.
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

  /// Doubles the number of chains and moves every entry to its new chain, which keeps the chains short.
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

  /// Appends every round near `cell` that is in progress at some time between `start` and `end`. A round
  /// may appear more than once.
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
