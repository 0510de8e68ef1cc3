/// A binary heap of times, each with whom it concerns; equal times leave in the order in which they came.
struct EventHeap<Payload: Sendable>: Sendable {
  struct Entry: Sendable {
    let time: Duration
    let order: UInt64
    let payload: Payload

    func precedes(_ other: Entry) -> Bool { (time, order) < (other.time, other.order) }
  }

  private var entries: [Entry] = []
  private var made: UInt64 = 0

  var first: Entry? { entries.first }
  var isEmpty: Bool { entries.isEmpty }

  mutating func insert(_ payload: Payload, at time: Duration) {
    entries.append(Entry(time: time, order: made, payload: payload))
    made += 1
    var child = entries.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard entries[child].precedes(entries[parent]) else { return }
      entries.swapAt(child, parent)
      child = parent
    }
  }

  mutating func removeFirst() -> Entry? {
    guard let first = entries.first, let last = entries.popLast() else { return nil }
    guard !entries.isEmpty else { return first }
    entries[0] = last
    var parent = 0
    while true {
      var least = parent
      for child in (2 * parent + 1)...(2 * parent + 2)
      where child < entries.count && entries[child].precedes(entries[least]) {
        least = child
      }
      guard least != parent else { return first }
      entries.swapAt(parent, least)
      parent = least
    }
  }
}
