import NearbySchedule

/// Alarms in the order in which they are due.
///
/// A cancelled alarm leaves its place in the heap behind until it would be due.
struct TimerHeap {
  private var heap = EventHeap<ContinuousClock.Instant, Void>()
  /// By the `order` of the alarm's entry in the heap.
  private var work: [UInt64: () -> Void] = [:]

  /// - Returns: The number that `cancel` takes.
  mutating func schedule(at due: ContinuousClock.Instant, _ action: @escaping () -> Void) -> UInt64 {
    let id = heap.insert((), at: due)
    work[id] = action
    return id
  }

  mutating func cancel(_ id: UInt64) {
    work[id] = nil
    // Alarms are mostly cancelled, so what they leave behind must not pile up.
    if heap.count > 64, heap.count > 4 * work.count { heap.removeAll { work[$0.order] == nil } }
  }

  /// When the next alarm is due.
  mutating func nextDue() -> ContinuousClock.Instant? {
    while let first = heap.first, work[first.order] == nil { _ = heap.removeFirst() }
    return heap.first?.time
  }

  /// Removes the next alarm that is due by `now`.
  mutating func takeDue(by now: ContinuousClock.Instant) -> (() -> Void)? {
    guard let due = nextDue(), due <= now else { return nil }
    return heap.removeFirst().flatMap { work.removeValue(forKey: $0.order) }
  }
}
