import NearbyDevice
import NearbyDeviceMachine

/// The recipients of one device's session events, until the sessions are released.
///
/// The first is stored inline: most devices have only one, and finding it then follows no pointer.
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

  /// Mutating only so that the entries are read without a copy.
  mutating func sink(of id: SessionID) -> (any SessionSink)? {
    if first?.id == id { return first?.sink.sink }
    for index in others.indices where others[index].id == id { return others[index].sink.sink }
    return nil
  }
}
