import NearbySchedule

/// Follows how loud one sender is: where it stands, and whether it is still heard.
struct LoudnessTrack: Sendable {
  private var measuredPower: Int
  private var filter: PathLossFilter
  private var proximity = ProximityTracker()
  private(set) var lastHeard: Duration
  /// Mean time between packets, seconds.
  private var interval = 0.1
  /// Since the last reading.
  private var rssiSum = 0
  private var rssiCount = 0

  /// - Parameter measuredPower: dBm at 1 m, as the first frame tells.
  init(measuredPower: Int, at time: Duration, calibration: ReceiverCalibration?, model: PathLossModel) {
    self.measuredPower = measuredPower
    lastHeard = time
    filter = PathLossFilter(model: model, powerSpread: calibration?.sigma)
  }

  /// Takes a packet.
  ///
  /// - Parameters:
  ///   - power: dBm at 1 m, as its frame tells; `nil` for a frame that tells none.
  ///   - rssi: dBm; `nil` where the receiver had no figure.
  mutating func take(power: Int?, rssi: Int?, at time: Duration, calibration: ReceiverCalibration?) {
    let gap = (time - lastHeard).inSeconds
    // A mean over about 16 packets; a longer silence than any interval that is told as known counts as 2 s.
    if gap > 0 { interval += (min(gap, 2) - interval) / 16 }
    lastHeard = max(lastHeard, time)
    guard let rssi else { return }
    // A beacon that changes what it says of its power changes what it sends: neither is a fade.
    measuredPower = power ?? measuredPower
    rssiSum += rssi
    rssiCount += 1
    let heard = Double(rssi) + (calibration?.offset ?? 0)
    filter.update(loss: Double(measuredPower) - heard, at: time)
  }

  /// Whether it has been silent so long that it is forgotten.
  func isGone(at time: Duration) -> Bool { time - lastHeard > Self.remembered }

  /// The next report comes a second later: then it shall be less than ten seconds of silence.
  private static let remembered = Duration.seconds(9)

  /// Silence beyond which it is unknown where a beacon is. One that sends ten times a second is unknown within
  /// two seconds of its last packet; one that sends once a second is given two missing ones.
  private var tolerance: Duration { .seconds(min(max(2.5 * interval, 1), 2)) }

  /// What a report says of it now; the mean RSSI begins anew.
  mutating func reading(at time: Duration) -> LoudnessReading {
    let isKnown = time - lastHeard <= tolerance
    let estimate = isKnown ? filter.estimate : nil
    if let estimate { proximity.take(estimate, model: filter.model, at: time) } else { proximity.lose() }
    let rssi = rssiCount == 0 ? 0 : Int((Double(rssiSum) / Double(rssiCount)).rounded())
    (rssiSum, rssiCount) = (0, 0)
    return LoudnessReading(
      proximity: estimate == nil ? .unknown : proximity.proximity, accuracy: estimate?.sigma,
      distance: estimate?.distance, rssi: rssi, time: lastHeard)
  }
}

/// What loudness says of a sender at one moment.
package struct LoudnessReading: Hashable, Sendable {
  package var proximity: Proximity
  /// Metres, one standard deviation of `distance`; `nil` is unknown.
  package var accuracy: Double?
  /// Metres; `nil` is unknown.
  package var distance: Double?
  /// dBm, the mean since the last reading; 0 where nothing was heard.
  package var rssi: Int
  /// When it was last heard.
  package var time: Duration
}
