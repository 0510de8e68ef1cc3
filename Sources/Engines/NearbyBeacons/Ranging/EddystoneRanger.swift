/// Ranges Eddystone beacons: receives frames, and returns once a second a report of all beacons heard.
///
/// An Eddystone beacon sends several kinds of frames in turn. Telemetry has no identity, so it is assigned to
/// the beacons of the source that sent it. The ranger has no clock of its own. Source: `Docs/beacons.md`,
/// section 7.
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
  /// The sources of all tracks.
  private var sources: Set<BeaconSource> = []
  private var telemetry: [BeaconSource: Eddystone.PlainTelemetry] = [:]
  private var nextReport: Duration?

  package init(model: PathLossModel = PathLossModel()) { self.model = model }

  /// Adds a received frame; other formats are ignored.
  ///
  /// - Parameter rssi: In dBm; impossible values mean that the receiver gave none.
  package mutating func received(
    _ frame: BeaconFrame, from source: BeaconSource, rssi: Int, at time: Duration
  ) {
    if case .eddystoneTLM(.plain(let told)) = frame {
      // Telemetry alone creates no track, so that flooding the air with it cannot fill memory.
      if sources.contains(source) { telemetry[source] = told }
      return
    }
    guard let identity = EddystoneIdentity(frame), let power = frame.measuredPower else { return }
    let key = Key(identity: identity, source: source)
    let place = places[key] ?? add(key, power: power, at: time)
    guard let place else { return }
    let loudness = PathLossFilter.isFigure(rssi) ? rssi : nil
    tracks[place].loudness.add(power: power, rssi: loudness, at: time, calibration: nil)
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

  /// Returns the beacons in the order in which they were first heard; `nil` while no report is due.
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

/// An Eddystone beacon in a report.
package struct RangedEddystone: Hashable, Sendable {
  package var identity: EddystoneIdentity
  package var source: BeaconSource
  package var reading: LoudnessReading
  /// The beacon's last telemetry; `nil` if it sent none, or only encrypted.
  package var telemetry: Eddystone.PlainTelemetry?
}
