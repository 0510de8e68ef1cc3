/// Ranges beacons: receives advertisements, and returns about every second a report for each constraint.
///
/// It has no clock of its own: `nextReport` says when to call `timePassed`. Beacons that match no constraint
/// are ignored. Source: `Docs/beacons.md`, section 7.
package struct BeaconRanger: Sendable {
  package let model: PathLossModel
  /// Calibration of this receiver; `nil` to trust the frames' measured powers.
  package var calibration: ReceiverCalibration?
  /// In order, without duplicates.
  package private(set) var constraints: [BeaconConstraint] = []
  /// When the next reports are due; `nil` while nothing is ranged.
  package private(set) var nextReport: Duration?

  private struct Key: Hashable {
    var identity: BeaconIdentity
    var source: BeaconSource
  }
  private var tracks: [BeaconTrack] = []
  private var places: [Key: Int] = [:]

  /// Time between two reports.
  package static let interval = Duration.seconds(1)
  /// Largest number of senders tracked at once: more than any place has, but a bound if someone floods the
  /// air.
  package static let maximumTracks = 20_000

  package init(model: PathLossModel = PathLossModel(), calibration: ReceiverCalibration? = nil) {
    self.model = model
    self.calibration = calibration
  }

  /// Number of beacons that are tracked now.
  package var trackCount: Int { tracks.count }

  /// Starts to range a constraint; has no effect if it is ranged already.
  package mutating func start(_ constraint: BeaconConstraint, at time: Duration) {
    guard !constraints.contains(constraint) else { return }
    constraints.append(constraint)
    constraints.sort()
    if nextReport == nil { nextReport = time + Self.interval }
  }

  /// Stops ranging a constraint, and drops the beacons that no other constraint matches.
  package mutating func stop(_ constraint: BeaconConstraint) {
    constraints.removeAll { $0 == constraint }
    if constraints.isEmpty { nextReport = nil }
    let kept = constraints
    removeTracks { track in !kept.contains { $0.isSatisfied(by: track.identity) } }
  }

  /// Adds a received frame.
  package mutating func received(_ sighting: BeaconSighting) {
    let key = Key(identity: sighting.identity, source: sighting.source)
    if let place = places[key] {
      tracks[place].add(sighting, calibration: calibration)
      return
    }
    guard tracks.count < Self.maximumTracks,
      constraints.contains(where: { $0.isSatisfied(by: sighting.identity) })
    else { return }
    places[key] = tracks.count
    var track = BeaconTrack(sighting, calibration: calibration, model: model)
    track.add(sighting, calibration: calibration)
    tracks.append(track)
  }

  /// Returns the reports that are due, in the order of their constraints. Missed reports are not made up for.
  package mutating func timePassed(at time: Duration) -> [RangingReport] {
    guard let due = nextReport, time >= due else { return [] }
    nextReport = Self.nextReport(after: due, at: time)
    removeTracks { $0.isGone(at: time) }
    var beacons: [RangedBeacon] = []
    beacons.reserveCapacity(tracks.count)
    for index in tracks.indices { beacons.append(tracks[index].ranged(at: time)) }
    beacons.sort(by: RangedBeacon.isNearer)
    return constraints.map { constraint in
      let matching = beacons.filter { constraint.isSatisfied(by: $0.identity) }
      return RangingReport(constraint: constraint, beacons: matching, time: time)
    }
  }

  /// A missed report is not made up for.
  static func nextReport(after due: Duration, at time: Duration) -> Duration {
    (time - due < interval ? due : time) + interval
  }

  private mutating func removeTracks(where isOut: (BeaconTrack) -> Bool) {
    guard tracks.contains(where: isOut) else { return }
    tracks.removeAll(where: isOut)
    places.removeAll(keepingCapacity: true)
    for (place, track) in tracks.enumerated() {
      places[Key(identity: track.identity, source: track.source)] = place
    }
  }
}
