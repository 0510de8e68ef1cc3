/// What the air does at a moment.
struct AirEvent: Sendable {
  enum Kind: UInt8, Sendable {
    /// An initiator's next round begins.
    case beginRound
    /// A round's last slot has passed.
    case finishRound
    /// A responder that lost its initiator expected a round to be over by now.
    case missedRound
    /// A controller that stopped tells its controlees so.
    case announceStop
  }

  /// Nanoseconds since start.
  var time: Int64
  /// Breaks ties: what was asked for first happens first.
  var order: UInt64
  /// The run that is meant, by its number and its place; events are moved a lot and carry no more than that.
  var run: UInt64
  var place: Int32
  /// A place in the table that `kind` means.
  var index: Int32
  var kind: Kind

  static func isBefore(_ left: AirEvent, _ right: AirEvent) -> Bool {
    left.time != right.time ? left.time < right.time : left.order < right.order
  }
}

/// Events by time, then by the order in which they were asked for.
///
/// A heap with four branches at every place: both operations cost the logarithm of what waits, and the fewer
/// steps down, the fewer times memory is waited for.
struct EventQueue: Sendable {
  private static var branches: Int { 4 }

  private var heap: [AirEvent] = []
  private var nextOrder: UInt64 = 0

  var first: AirEvent? { heap.first }
  var count: Int { heap.count }

  mutating func push(
    at time: Int64, _ kind: AirEvent.Kind, index: Int32 = 0, session: SessionReference = .none
  ) {
    let event = AirEvent(
      time: time, order: nextOrder, run: session.run, place: session.place, index: index, kind: kind)
    nextOrder &+= 1
    heap.append(event)
    var child = heap.count - 1
    while child > 0 {
      let parent = (child - 1) / Self.branches
      guard AirEvent.isBefore(event, heap[parent]) else { break }
      heap[child] = heap[parent]
      child = parent
    }
    heap[child] = event
  }

  mutating func popFirst() -> AirEvent? {
    guard let result = heap.first, let last = heap.popLast() else { return nil }
    guard !heap.isEmpty else { return result }
    sink(last)
    return result
  }

  /// Puts `event` in the root's place and lets it fall to where it belongs.
  private mutating func sink(_ event: AirEvent) {
    let count = heap.count
    var parent = 0
    while true {
      let first = Self.branches * parent + 1
      guard first < count else { break }
      var child = first
      for other in first + 1..<min(first + Self.branches, count)
      where AirEvent.isBefore(heap[other], heap[child]) {
        child = other
      }
      guard AirEvent.isBefore(heap[child], event) else { break }
      heap[parent] = heap[child]
      parent = child
    }
    heap[parent] = event
  }
}
