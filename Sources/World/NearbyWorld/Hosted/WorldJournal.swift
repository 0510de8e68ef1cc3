import NearbyWorldProtocol

/// Something that happened to a device of a world, as its page shows it.
package enum WorldEvent: Equatable, Sendable {
  case joined(program: String)
  case left
  case asked(WorldQuestion)
  case reported(SessionReport)
}

/// Events and octets for those who watch a world. The shell takes them out; nothing is kept.
package struct WorldJournal: Sendable {
  /// One thing that happened to one device.
  package struct Entry: Equatable, Sendable {
    package var time: Duration
    package var device: Int
    package var event: WorldEvent

    /// One of the many that come with each range.
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

  /// A page takes everything out twenty times a second. This bounds what waits while its turn is late.
  private static let limit = 100_000
  /// Devices whose octets somebody watches.
  package var watched: Set<Int> = []
  /// Whether anybody takes entries out.
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

  package mutating func take() -> (entries: [Entry], traffic: [Traffic]) {
    defer {
      entries = []
      traffic = []
    }
    return (entries, traffic)
  }
}
