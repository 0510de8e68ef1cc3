/// Finds the responders that can receive an initiator, by the parameters that both must share.
///
/// The cost of a look-up does not depend on the number of chips.
struct MatchIndex: Sendable {
  private struct Listeners: Sendable {
    var first: SessionReference
    var others: [SessionReference] = []
  }

  private var listeners: [MatchKey: Listeners] = [:]
  /// The number of insertions and removals so far. A result from before the latest one may be outdated.
  private(set) var changes: UInt64 = 0

  mutating func insert(_ reference: SessionReference, _ key: MatchKey) {
    changes &+= 1
    if listeners[key] == nil {
      listeners[key] = Listeners(first: reference)
    } else {
      listeners[key]?.others.append(reference)
    }
  }

  mutating func remove(_ reference: SessionReference, _ key: MatchKey) {
    changes &+= 1
    guard var entry = listeners[key] else { return }
    entry.others.removeAll { $0 == reference }
    if entry.first == reference {
      guard !entry.others.isEmpty else {
        listeners[key] = nil
        return
      }
      entry.first = entry.others.removeFirst()
    }
    listeners[key] = entry
  }

  /// The listener that was inserted first, and any others with the same key; `nil` if no listener has this key.
  func listener(_ key: MatchKey) -> (first: SessionReference, others: [SessionReference])? {
    listeners[key].map { ($0.first, $0.others) }
  }
}
