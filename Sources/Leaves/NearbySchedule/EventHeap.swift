/// A priority queue of events by time; events with equal times leave in the order of insertion.
///
/// A 4-ary heap: inserting and removing take logarithmic time. With thousands of entries each step down waits
/// for a cache line, and four children span two adjacent lines, where two steps in a binary heap would touch
/// four. Keep `Event` small for the same reason: an entry with a `Duration` and an `Int32` has 32 octets.
@usableFromInline
package struct EventHeap<Time: Comparable & Sendable, Event: Sendable>: Sendable {
  @usableFromInline
  package struct Entry: Sendable {
    @usableFromInline package let time: Time
    /// The number of the insertion, which identifies the entry for the lifetime of the heap.
    @usableFromInline package let order: UInt64
    @usableFromInline package let event: Event

    @inlinable
    init(time: Time, order: UInt64, event: Event) {
      self.time = time
      self.order = order
      self.event = event
    }

    @inlinable
    func precedes(_ other: Entry) -> Bool {
      time != other.time ? time < other.time : order < other.order
    }
  }

  @usableFromInline static var branches: Int { 4 }

  @usableFromInline var entries: [Entry] = []
  @usableFromInline var nextOrder: UInt64 = 0

  @inlinable package init() {}

  @inlinable package var first: Entry? { entries.first }
  @inlinable package var count: Int { entries.count }

  /// Adds an event.
  ///
  /// - Returns: The entry's `order`.
  @inlinable @discardableResult
  package mutating func insert(_ event: Event, at time: Time) -> UInt64 {
    let entry = Entry(time: time, order: nextOrder, event: event)
    nextOrder &+= 1
    entries.append(entry)
    var child = entries.count - 1
    while child > 0 {
      let parent = (child - 1) / Self.branches
      guard entry.precedes(entries[parent]) else { break }
      entries[child] = entries[parent]
      child = parent
    }
    entries[child] = entry
    return entry.order
  }

  @inlinable
  package mutating func removeFirst() -> Entry? {
    guard let first = entries.first, let last = entries.popLast() else { return nil }
    if !entries.isEmpty { sink(last) }
    return first
  }

  /// Removes all entries for which `isGone` is true; costs as much as sorting the remaining ones.
  @inlinable
  package mutating func removeAll(where isGone: (Entry) -> Bool) {
    entries.removeAll(where: isGone)
    // A sorted array is a valid heap.
    entries.sort { $0.precedes($1) }
  }

  /// Replaces the root with `entry` and restores the heap order.
  @inlinable
  mutating func sink(_ entry: Entry) {
    let count = entries.count
    var parent = 0
    while true {
      let first = Self.branches * parent + 1
      guard first < count else { break }
      var child = first
      for other in first + 1..<min(first + Self.branches, count) where entries[other].precedes(entries[child])
      {
        child = other
      }
      guard entries[child].precedes(entry) else { break }
      entries[parent] = entries[child]
      parent = child
    }
    entries[parent] = entry
  }
}
