/// One sender of one identity, between its first packet and ten seconds after its last.
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

  mutating func take(_ sighting: BeaconSighting, calibration: ReceiverCalibration?) {
    loudness.take(
      power: sighting.measuredPower, rssi: sighting.loudness, at: sighting.time,
      calibration: calibration)
  }

  /// Whether it has been silent so long that it is forgotten.
  func isGone(at time: Duration) -> Bool { loudness.isGone(at: time) }

  /// What a report says of it now; the mean RSSI begins anew.
  mutating func ranged(at time: Duration) -> RangedBeacon {
    RangedBeacon(identity: identity, source: source, reading: loudness.reading(at: time))
  }
}
