import NearbyWorldProtocol

/// An event of a device, as shown on the page.
package enum WorldEvent: Equatable, Sendable {
  case joined(program: String)
  case left
  case asked(WorldQuestion)
  /// The app's accessory picker opened.
  case askedToPick
  case reported(SessionReport)
}

/// Events and UCI octets for people who watch a world. Entries are removed when the shell reads them.
package struct WorldJournal: Sendable {
  /// One event of one device.
  package struct Entry: Equatable, Sendable {
    package var time: Duration
    package var device: Int
    package var event: WorldEvent

    /// Whether this is one of the frequent updates that accompany each range.
    var isUpdate: Bool {
      if case .reported(let report) = event, case .updated = report.event { true } else { false }
    }
  }

  /// Octets between a device's host and its chip.
  package struct Traffic: Equatable, Sendable {
    package var time: Duration
    package var device: Int
    package var isFromHost: Bool
    package var octets: [UInt8]
  }

  /// Maximum number of pending entries. A page empties the journal twenty times a second; this bounds a
  /// backlog.
  private static let limit = 100_000
  /// Devices whose UCI octets are being watched.
  package var watched: Set<Int> = []
  /// Whether anything reads the journal. If not, nothing is recorded.
  package var isRead = false
  private var entries: [Entry] = []
  private var traffic: [Traffic] = []

  mutating func note(_ event: WorldEvent, device: Int, at time: Duration) {
    guard isRead, entries.count < Self.limit else { return }
    entries.append(Entry(time: time, device: device, event: event))
  }

  mutating func note(_ octets: [UInt8], isFromHost: Bool, device: Int, at time: Duration) {
    guard !watched.isEmpty, watched.contains(device), traffic.count < Self.limit else { return }
    traffic.append(Traffic(time: time, device: device, isFromHost: isFromHost, octets: octets))
  }

  package mutating func drain() -> (entries: [Entry], traffic: [Traffic]) {
    defer {
      entries = []
      traffic = []
    }
    return (entries, traffic)
  }
}
