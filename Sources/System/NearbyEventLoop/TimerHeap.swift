/// Alarms in the order in which they are due.
///
/// A cancelled alarm leaves its place in the heap behind until it would be due.
struct TimerHeap {
  private struct Entry {
    var due: ContinuousClock.Instant
    var id: UInt64
    func precedes(_ other: Entry) -> Bool { (due, id) < (other.due, other.id) }
  }
  private var heap: [Entry] = []
  private var work: [UInt64: () -> Void] = [:]
  private var lastID: UInt64 = 0

  mutating func schedule(at due: ContinuousClock.Instant, _ action: @escaping () -> Void) -> UInt64 {
    lastID += 1
    work[lastID] = action
    heap.append(Entry(due: due, id: lastID))
    rise(from: heap.count - 1)
    return lastID
  }

  mutating func cancel(_ id: UInt64) {
    work[id] = nil
    // Alarms are mostly cancelled, so what they leave behind must not pile up.
    if heap.count > 64, heap.count > 4 * work.count { rebuild() }
  }

  /// When the next alarm is due.
  mutating func nextDue() -> ContinuousClock.Instant? {
    while let first = heap.first, work[first.id] == nil { removeFirst() }
    return heap.first?.due
  }

  /// Takes the next alarm that is due by `now`.
  mutating func takeDue(by now: ContinuousClock.Instant) -> (() -> Void)? {
    guard let due = nextDue(), due <= now else { return nil }
    return work.removeValue(forKey: removeFirst().id)
  }

  private mutating func rebuild() {
    // A sorted array is a heap.
    heap = heap.filter { work[$0.id] != nil }.sorted { $0.precedes($1) }
  }

  @discardableResult
  private mutating func removeFirst() -> Entry {
    heap.swapAt(0, heap.count - 1)
    let entry = heap.removeLast()
    sink(from: 0)
    return entry
  }

  private mutating func rise(from start: Int) {
    var index = start
    while index > 0, heap[index].precedes(heap[(index - 1) / 2]) {
      heap.swapAt(index, (index - 1) / 2)
      index = (index - 1) / 2
    }
  }

  private mutating func sink(from start: Int) {
    var index = start
    while true {
      var least = index
      for child in [2 * index + 1, 2 * index + 2] where child < heap.count {
        if heap[child].precedes(heap[least]) { least = child }
      }
      guard least != index else { return }
      heap.swapAt(index, least)
      index = least
    }
  }
}
