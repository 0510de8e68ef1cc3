/// Ranges Eddystone beacons: frames go in, and once a second a report of all that are heard comes out.
///
/// Such a beacon sends several kinds of frames in turn; those of one source are one beacon, and telemetry
/// belongs to the source that sent it. It owns no clock. Source: Docs/beacons.md, "Reports".
package struct EddystoneRanger: Sendable {
  private struct Key: Hashable {
    var identity: EddystoneIdentity
    var source: BeaconSource
  }
  private struct Track {
    var key: Key
    var loudness: LoudnessTrack
  }

  private let model: PathLossModel
  private var tracks: [Track] = []
  private var places: [Key: Int] = [:]
  /// Who is followed.
  private var sources: Set<BeaconSource> = []
  private var telemetry: [BeaconSource: Eddystone.PlainTelemetry] = [:]
  private var nextReport: Duration?

  package init(model: PathLossModel = PathLossModel()) { self.model = model }

  /// Takes a frame that was heard; those of other kinds are passed over.
  ///
  /// - Parameter rssi: dBm; one that no receiver can have is no figure.
  package mutating func received(
    _ frame: BeaconFrame, from source: BeaconSource, rssi: Int, at time: Duration
  ) {
    if case .eddystoneTLM(.plain(let told)) = frame {
      // Nobody is remembered for telemetry alone: who floods the air with it would fill memory.
      if sources.contains(source) { telemetry[source] = told }
      return
    }
    guard let identity = EddystoneIdentity(frame), let power = frame.measuredPower else { return }
    let key = Key(identity: identity, source: source)
    let place = places[key] ?? add(key, power: power, at: time)
    guard let place else { return }
    let loudness = PathLossFilter.isFigure(rssi) ? rssi : nil
    tracks[place].loudness.take(power: power, rssi: loudness, at: time, calibration: nil)
  }

  private mutating func add(_ key: Key, power: Int, at time: Duration) -> Int? {
    guard tracks.count < BeaconRanger.maximumTracks else { return nil }
    if nextReport == nil { nextReport = time + BeaconRanger.interval }
    places[key] = tracks.count
    sources.insert(key.source)
    tracks.append(
      Track(
        key: key, loudness: LoudnessTrack(measuredPower: power, at: time, calibration: nil, model: model)))
    return tracks.count - 1
  }

  /// The beacons heard, in the order in which they were first; `nil` while no report is due.
  package mutating func timePassed(at time: Duration) -> [RangedEddystone]? {
    guard let due = nextReport, time >= due else { return nil }
    nextReport = BeaconRanger.nextReport(after: due, at: time)
    forget(at: time)
    return tracks.indices.map { index in
      RangedEddystone(
        identity: tracks[index].key.identity, source: tracks[index].key.source,
        reading: tracks[index].loudness.reading(at: time), telemetry: telemetry[tracks[index].key.source])
    }
  }

  private mutating func forget(at time: Duration) {
    guard tracks.contains(where: { $0.loudness.isGone(at: time) }) else { return }
    tracks.removeAll { $0.loudness.isGone(at: time) }
    places = Dictionary(
      tracks.enumerated().map { ($0.element.key, $0.offset) }, uniquingKeysWith: { first, _ in first })
    sources = Set(tracks.map(\.key.source))
    telemetry = telemetry.filter { sources.contains($0.key) }
    if tracks.isEmpty { nextReport = nil }
  }
}

/// An Eddystone beacon of a report.
package struct RangedEddystone: Hashable, Sendable {
  package var identity: EddystoneIdentity
  package var source: BeaconSource
  package var reading: LoudnessReading
  /// What it last said of how it fares; `nil` where it never did, or only encrypted.
  package var telemetry: Eddystone.PlainTelemetry?
}
