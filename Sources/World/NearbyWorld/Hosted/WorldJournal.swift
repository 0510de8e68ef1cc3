import NearbyWorldProtocol

/// What happened in a world, for who watches it: taken out by the shell, kept for nobody.
package struct WorldJournal: Sendable {
  package enum Happening: Equatable, Sendable {
    case joined(program: String)
    case left
    case asked(WorldQuestion)
    case reported(SessionReport)
  }

  /// One thing that happened to one device.
  package struct Entry: Equatable, Sendable {
    package var time: Duration
    package var device: Int
    package var happening: Happening

    /// One of the many that come with each range.
    var isUpdate: Bool {
      if case .reported(let report) = happening, case .updated = report.event { true } else { false }
    }
  }

  /// Octets between a device's host and its chip.
  package struct Traffic: Equatable, Sendable {
    package var time: Duration
    package var device: Int
    package var isFromHost: Bool
    package var octets: [UInt8]
  }

  private static let limit = 100_000
  /// Devices whose octets somebody watches.
  package var watched: Set<Int> = []
  /// Whether anybody takes entries out.
  package var isRead = false
  private var entries: [Entry] = []
  private var traffic: [Traffic] = []

  mutating func note(_ happening: Happening, device: Int, at time: Duration) {
    guard isRead, entries.count < Self.limit else { return }
    entries.append(Entry(time: time, device: device, happening: happening))
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
