/// One sender of one identity, from its first packet until ten seconds after its last.
struct BeaconTrack: Sendable {
  let identity: BeaconIdentity
  let source: BeaconSource
  private var loudness: LoudnessTrack

  init(_ first: BeaconSighting, calibration: ReceiverCalibration?, model: PathLossModel) {
    identity = first.identity
    source = first.source
    loudness = LoudnessTrack(
      measuredPower: first.measuredPower, at: first.time, calibration: calibration, model: model)
  }

  mutating func add(_ sighting: BeaconSighting, calibration: ReceiverCalibration?) {
    loudness.add(
      power: sighting.measuredPower, rssi: sighting.loudness, at: sighting.time,
      calibration: calibration)
  }

  /// Whether it has been silent for so long that it is dropped.
  func isGone(at time: Duration) -> Bool { loudness.isGone(at: time) }

  /// Returns its entry for a report and restarts the mean RSSI.
  mutating func ranged(at time: Duration) -> RangedBeacon {
    RangedBeacon(identity: identity, source: source, reading: loudness.reading(at: time))
  }
}
