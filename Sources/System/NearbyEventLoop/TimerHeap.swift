import NearbySchedule

/// Alarms, ordered by due time.
///
/// The entry of a cancelled alarm remains in the heap until it would be due, or until such entries
/// predominate.
struct TimerHeap {
  private var heap = EventHeap<ContinuousClock.Instant, Void>()
  /// The alarms' actions, by the `order` of their entries in the heap.
  private var work: [UInt64: () -> Void] = [:]

  /// - Returns: The number to pass to `cancel`.
  mutating func schedule(at due: ContinuousClock.Instant, _ action: @escaping () -> Void) -> UInt64 {
    let id = heap.insert((), at: due)
    work[id] = action
    return id
  }

  mutating func cancel(_ id: UInt64) {
    work[id] = nil
    // Most alarms are cancelled, so their entries must not accumulate.
    if heap.count > 64, heap.count > 4 * work.count { heap.removeAll { work[$0.order] == nil } }
  }

  /// When the next alarm is due; drops the entries of cancelled alarms before it.
  mutating func nextDue() -> ContinuousClock.Instant? {
    while let first = heap.first, work[first.order] == nil { _ = heap.removeFirst() }
    return heap.first?.time
  }

  /// Removes the next alarm and returns its action if it is due by `now`.
  mutating func takeDue(by now: ContinuousClock.Instant) -> (() -> Void)? {
    guard let due = nextDue(), due <= now else { return nil }
    return heap.removeFirst().flatMap { work.removeValue(forKey: $0.order) }
  }
}
