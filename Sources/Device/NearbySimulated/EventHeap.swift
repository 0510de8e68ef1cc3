/// A heap of times, each with whom it concerns; equal times leave in the order in which they came.
///
/// An entry is 32 octets and all there is. Four branches at every place: of thousands of entries each step down
/// is a line of memory waited for, and four children are two lines side by side instead of the four of two steps.
struct EventHeap: Sendable {
  struct Entry: Sendable {
    let time: Duration
    fileprivate let order: UInt64
    let subject: Int32

    fileprivate func precedes(_ other: Entry) -> Bool {
      time != other.time ? time < other.time : order < other.order
    }
  }

  private static var branches: Int { 4 }

  private var entries: [Entry] = []
  private var made: UInt64 = 0

  var firstTime: Duration? { entries.first?.time }

  mutating func insert(_ subject: Int32, at time: Duration) {
    let entry = Entry(time: time, order: made, subject: subject)
    made += 1
    entries.append(entry)
    var child = entries.count - 1
    while child > 0 {
      let parent = (child - 1) / Self.branches
      guard entry.precedes(entries[parent]) else { break }
      entries[child] = entries[parent]
      child = parent
    }
    entries[child] = entry
  }

  mutating func removeFirst() -> Entry? {
    guard let first = entries.first, let last = entries.popLast() else { return nil }
    if !entries.isEmpty { sink(last) }
    return first
  }

  /// Puts `entry` in the root's place and lets it fall to where it belongs.
  private mutating func sink(_ entry: Entry) {
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
