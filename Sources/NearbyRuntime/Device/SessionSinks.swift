/// Who hears a session's events, without keeping it alive.
struct WeakSink: Sendable {
  weak var sink: (any SessionSink)?
}

/// Who hears the sessions of one device, until they are released.
///
/// The first stands in place: most devices have one, and then no pointer is followed to find it.
struct SessionSinks: Sendable {
  private struct Entry: Sendable {
    let id: SessionID
    var sink: WeakSink
  }

  private var first: Entry?
  private var others: [Entry] = []

  mutating func set(_ sink: WeakSink, of id: SessionID) {
    let entry = Entry(id: id, sink: sink)
    if first == nil { first = entry } else { others.append(entry) }
  }

  mutating func remove(_ id: SessionID) {
    if first?.id == id { first = nil }
    others.removeAll { $0.id == id }
  }

  /// Mutating only so that the entries are read where they stand.
  mutating func sink(of id: SessionID) -> (any SessionSink)? {
    if first?.id == id { return first?.sink.sink }
    for index in others.indices where others[index].id == id { return others[index].sink.sink }
    return nil
  }
}
