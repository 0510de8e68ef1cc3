import NearbySchedule

/// Tracks one sender by its loudness: its distance and zone, and whether it is still heard.
struct LoudnessTrack: Sendable {
  private var measuredPower: Int
  private var filter: PathLossFilter
  private var proximity = ProximityTracker()
  private(set) var lastHeard: Duration
  /// Mean time between packets in seconds.
  private var interval = 0.1
  /// Sum and count of RSSIs since the last reading.
  private var rssiSum = 0
  private var rssiCount = 0

  /// - Parameter measuredPower: Power at 1 m in dBm, as the first frame states it.
  init(measuredPower: Int, at time: Duration, calibration: ReceiverCalibration?, model: PathLossModel) {
    self.measuredPower = measuredPower
    lastHeard = time
    filter = PathLossFilter(model: model, powerSpread: calibration?.sigma)
  }

  /// Adds a packet.
  ///
  /// - Parameters:
  ///   - power: Power at 1 m in dBm, as the frame states it; `nil` if it states none.
  ///   - rssi: In dBm; `nil` if the receiver gave none.
  mutating func add(power: Int?, rssi: Int?, at time: Duration, calibration: ReceiverCalibration?) {
    let gap = (time - lastHeard).inSeconds
    // Averages over about 16 packets. A gap counts as at most 2 s, the longest silence that is tolerated.
    if gap > 0 { interval += (min(gap, 2) - interval) / 16 }
    lastHeard = max(lastHeard, time)
    guard let rssi else { return }
    // When a beacon changes its stated power, it sends at another power; that difference is no fading.
    measuredPower = power ?? measuredPower
    rssiSum += rssi
    rssiCount += 1
    let heard = Double(rssi) + (calibration?.offset ?? 0)
    filter.update(loss: Double(measuredPower) - heard, at: time)
  }

  /// Whether it has been silent for so long that it is dropped.
  func isGone(at time: Duration) -> Bool { time - lastHeard > Self.remembered }

  /// As reports are a second apart, the beacon is out of them within ten seconds of its last packet.
  private static let remembered = Duration.seconds(9)

  /// Silence after which the distance is unknown: 2.5 packet intervals, but 1 to 2 s. A beacon that sends ten
  /// times a second becomes unknown within two seconds of its last packet.
  private var tolerance: Duration { .seconds(min(max(2.5 * interval, 1), 2)) }

  /// Returns the current reading and restarts the mean RSSI.
  mutating func reading(at time: Duration) -> LoudnessReading {
    let isKnown = time - lastHeard <= tolerance
    let estimate = isKnown ? filter.estimate : nil
    if let estimate { proximity.update(estimate, model: filter.model, at: time) } else { proximity.lose() }
    let rssi = rssiCount == 0 ? 0 : Int((Double(rssiSum) / Double(rssiCount)).rounded())
    (rssiSum, rssiCount) = (0, 0)
    return LoudnessReading(
      proximity: estimate == nil ? .unknown : proximity.proximity, accuracy: estimate?.sigma,
      distance: estimate?.distance, rssi: rssi, time: lastHeard)
  }
}

/// What the loudness of a sender shows at one moment.
package struct LoudnessReading: Hashable, Sendable {
  package var proximity: Proximity
  /// One standard deviation of `distance` in metres; `nil` if unknown.
  package var accuracy: Double?
  /// In metres; `nil` if unknown.
  package var distance: Double?
  /// Mean since the last reading in dBm; 0 if nothing was heard.
  package var rssi: Int
  /// When the sender was last heard.
  package var time: Duration
}
