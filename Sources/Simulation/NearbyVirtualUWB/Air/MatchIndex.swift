/// The responders that listen, by what an initiator has to send to be heard.
///
/// A look-up costs the same however many chips there are.
struct MatchIndex: Sendable {
  private struct Listeners: Sendable {
    var first: SessionReference
    var others: [SessionReference] = []
  }

  private var listeners: [MatchKey: Listeners] = [:]
  /// Counts insertions and removals: what was looked up before the last one may be otherwise now.
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

  /// The only listener, or `nil` with none; `others` are those that would answer too.
  func listener(_ key: MatchKey) -> (first: SessionReference, others: [SessionReference])? {
    listeners[key].map { ($0.first, $0.others) }
  }
}
