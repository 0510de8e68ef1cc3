/// What happens on the air at a moment.
struct AirEvent: Sendable {
  enum Kind: UInt8, Sendable {
    /// A set's next advertisement.
    case advertise
    /// A link's next connection event.
    case connection
  }

  /// Nanoseconds since start.
  let time: Int64
  let order: UInt64
  let kind: Kind
  /// The set or link.
  let subject: Int
  /// Tells what was asked for before a change from what is asked for now.
  let epoch: Int

  static func < (left: Self, right: Self) -> Bool {
    left.time != right.time ? left.time < right.time : left.order < right.order
  }
}

/// Events by time, then by the order in which they were asked for: a binary heap.
struct AirQueue: Sendable {
  private var heap: [AirEvent] = []
  private var made: UInt64 = 0

  var first: AirEvent? { heap.first }

  mutating func push(_ kind: AirEvent.Kind, _ subject: Int, epoch: Int, at time: Int64) {
    heap.append(AirEvent(time: time, order: made, kind: kind, subject: subject, epoch: epoch))
    made &+= 1
    var child = heap.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard heap[child] < heap[parent] else { return }
      heap.swapAt(child, parent)
      child = parent
    }
  }

  mutating func popFirst() -> AirEvent? {
    guard let first = heap.first, let last = heap.popLast() else { return nil }
    guard !heap.isEmpty else { return first }
    heap[0] = last
    var parent = 0
    while true {
      var least = parent
      for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count && heap[child] < heap[least] {
        least = child
      }
      guard least != parent else { return first }
      heap.swapAt(least, parent)
      parent = least
    }
  }
}
