/// A heap of times, each with whom it concerns; equal times leave in the order in which they came.
///
/// Four branches at every place: of thousands of keys each step down is a line of memory waited for, and four
/// children are two lines side by side instead of the four lines of two steps.
/// What moves in the heap is a key of 32 octets; the payloads stay where they are.
struct EventHeap<Payload: Sendable>: Sendable {
  struct Entry: Sendable {
    let time: Duration
    let payload: Payload
  }

  private struct Key: Sendable {
    let time: Duration
    let order: UInt64
    /// Place of the payload.
    let place: UInt32

    func precedes(_ other: Key) -> Bool {
      time != other.time ? time < other.time : order < other.order
    }
  }

  private static var branches: Int { 4 }

  private var keys: [Key] = []
  private var payloads: [Payload?] = []
  private var free: [UInt32] = []
  private var made: UInt64 = 0

  var firstTime: Duration? { keys.first?.time }
  var isEmpty: Bool { keys.isEmpty }

  mutating func insert(_ payload: Payload, at time: Duration) {
    let key = Key(time: time, order: made, place: store(payload))
    made += 1
    keys.append(key)
    var child = keys.count - 1
    while child > 0 {
      let parent = (child - 1) / Self.branches
      guard key.precedes(keys[parent]) else { break }
      keys[child] = keys[parent]
      child = parent
    }
    keys[child] = key
  }

  mutating func removeFirst() -> Entry? {
    guard let first = keys.first, let last = keys.popLast() else { return nil }
    if !keys.isEmpty { sink(last) }
    let place = Int(first.place)
    defer { free.append(first.place) }
    guard let payload = payloads[place].take() else { return nil }
    return Entry(time: first.time, payload: payload)
  }

  private mutating func store(_ payload: Payload) -> UInt32 {
    if let place = free.popLast() {
      payloads[Int(place)] = payload
      return place
    }
    payloads.append(payload)
    return UInt32(payloads.count - 1)
  }

  /// Puts `key` in the root's place and lets it fall to where it belongs.
  private mutating func sink(_ key: Key) {
    let count = keys.count
    var parent = 0
    while true {
      let first = Self.branches * parent + 1
      guard first < count else { break }
      var child = first
      for other in first + 1..<min(first + Self.branches, count) where keys[other].precedes(keys[child]) {
        child = other
      }
      guard keys[child].precedes(key) else { break }
      keys[parent] = keys[child]
      parent = child
    }
    keys[parent] = key
  }
}
