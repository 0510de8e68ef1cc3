/// One sender of one identity, between its first packet and ten seconds after its last.
struct BeaconTrack: Sendable {
  let identity: BeaconIdentity
  let source: BeaconSource
  private var measuredPower: Int
  private var filter: PathLossFilter
  private var proximity = ProximityTracker()
  private(set) var lastHeard: Duration
  /// Mean time between packets, seconds.
  private var interval = 0.1
  /// Since the last report.
  private var rssiSum = 0
  private var rssiCount = 0

  init(_ first: BeaconSighting, calibration: ReceiverCalibration?, model: PathLossModel) {
    identity = first.identity
    source = first.source
    measuredPower = first.measuredPower
    lastHeard = first.time
    filter = PathLossFilter(model: model, powerSpread: calibration?.sigma)
  }

  mutating func take(_ sighting: BeaconSighting, calibration: ReceiverCalibration?) {
    let gap = (sighting.time - lastHeard).inSeconds
    if gap > 0 { interval += (min(gap, 2) - interval) / 16 }
    lastHeard = max(lastHeard, sighting.time)
    guard sighting.hasLoudness else { return }
    // A beacon that changes what it says of its power changes what it sends: neither is a fade.
    measuredPower = sighting.measuredPower
    rssiSum += sighting.rssi
    rssiCount += 1
    let heard = Double(sighting.rssi) + (calibration?.offset ?? 0)
    filter.update(loss: Double(measuredPower) - heard, at: sighting.time)
  }

  /// Whether it has been silent so long that it is forgotten.
  func isGone(at time: Duration) -> Bool { time - lastHeard > Self.remembered }

  /// The next report comes a second later: then it shall be less than ten seconds of silence.
  private static let remembered = Duration.seconds(9)

  /// Silence beyond which it is unknown where a beacon is. One that sends ten times a second is unknown within
  /// two seconds of its last packet; one that sends once a second is given two missing ones.
  private var tolerance: Duration { .seconds(min(max(2.5 * interval, 1), 2)) }

  /// What a report says of it now; the mean RSSI begins anew.
  mutating func ranged(at time: Duration) -> RangedBeacon {
    let isKnown = time - lastHeard <= tolerance
    let estimate = isKnown ? filter.estimate : nil
    if let estimate { proximity.take(estimate, model: filter.model, at: time) } else { proximity.lose() }
    let rssi = rssiCount == 0 ? 0 : Int((Double(rssiSum) / Double(rssiCount)).rounded())
    (rssiSum, rssiCount) = (0, 0)
    return RangedBeacon(
      identity: identity, source: source, proximity: estimate == nil ? .unknown : proximity.proximity,
      accuracy: estimate?.sigma, distance: estimate?.distance, rssi: rssi, time: lastHeard)
  }
}
