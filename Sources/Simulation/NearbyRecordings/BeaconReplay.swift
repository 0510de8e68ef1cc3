import NearbyBeacons

/// A recorded packet and the estimate after it.
package struct BeaconReplayRow: Equatable, Sendable {
  package var time: Duration
  package var beacon: String
  /// dBm, as recorded.
  package var rssi: Double
  /// Estimated distance and its standard deviation, metres; `nil` until a packet with a valid RSSI arrives.
  package var distance: Double?
  package var sigma: Double?
  package var zone: Proximity
  /// Metres, if recorded.
  package var trueDistance: Double?
}

/// Runs an RSSI recording through the estimator, each packet at its own time and using no later packets.
package struct BeaconReplay: Sendable {
  /// Source of the beacons' power at 1 m.
  package enum PowerSource: Equatable, Sendable {
    /// Given by the caller, dBm.
    case given(Double)
    /// Contained in every frame.
    case stated
    /// Median of the packets recorded at 1 m, dBm, which is how manufacturers calibrate beacons; and their
    /// number.
    case calibrated(Double, packets: Int)
    /// Unknown: the usual power, dBm, with a wider spread.
    case usual(Double)

    /// Power at 1 m, dBm, or `nil` if each packet states its own.
    package var power: Double? {
      switch self {
      case .given(let power), .calibrated(let power, _), .usual(let power): power
      case .stated: nil
      }
    }
  }

  package let recording: RSSIRecording
  package let model: PathLossModel
  package let power: PowerSource
  /// Whether all receivers are combined into one estimate, which requires their positions.
  package let isJoint: Bool
  /// Number of hypotheses in the locator when receivers are combined.
  private let guesses: Int

  /// With fewer receivers the beacon's position is ambiguous.
  private static let fewestSites = 3
  /// Distances that count as 1 m for calibration, metres, and the number of packets needed.
  private static let calibrationBounds = 0.9...1.1
  private static let calibrationPackets = 5

  /// - Parameters:
  ///   - power: Power of every beacon at 1 m, dBm; `nil` uses what the recording provides, see `PowerSource`.
  ///   - isAlone: Treats each receiver separately, like a phone, even if several receivers' positions are
  ///     known.
  ///   - guesses: Number of hypotheses for the beacon's position when receivers are combined.
  package init(
    _ recording: RSSIRecording, power: Double?, isAlone: Bool, model: PathLossModel = PathLossModel(),
    guesses: Int = 3000
  ) {
    self.recording = recording
    self.model = model
    self.guesses = guesses
    isJoint = !isAlone && (recording.places?.count ?? 0) >= Self.fewestSites
    self.power = power.map(PowerSource.given) ?? Self.source(recording)
  }

  /// Chooses the source of power: stated in every frame, calibrated from packets at 1 m, or the usual value.
  private static func source(_ recording: RSSIRecording) -> PowerSource {
    if recording.samples.allSatisfy({ $0.measuredPower != nil }) { return .stated }
    let near = recording.samples.filter { sample in
      sample.trueDistance.map(calibrationBounds.contains) ?? false
    }
    guard near.count >= calibrationPackets else { return .usual(Double(IBeacon.usualMeasuredPower)) }
    let sorted = near.map(\.rssi).sorted()
    let middle = sorted.count / 2
    let median = sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
    return .calibrated(median, packets: near.count)
  }

  /// One row per packet, in file order.
  package func rows() -> [BeaconReplayRow] {
    // Files need not be sorted by time; packets with equal times keep file order.
    let order = recording.samples.indices.sorted {
      (recording.samples[$0].time, $0) < (recording.samples[$1].time, $1)
    }
    var rows = recording.samples.map { sample in
      BeaconReplayRow(
        time: sample.time, beacon: recording.names[sample.name], rssi: sample.rssi, zone: .unknown,
        trueDistance: sample.trueDistance)
    }
    if isJoint { runTogether(order, &rows) } else { runAlone(order, &rows) }
    return rows
  }

  private func runAlone(_ order: [Int], _ rows: inout [BeaconReplayRow]) {
    let spread: Double? = if case .usual = power { model.unknownPowerSpread } else { nil }
    var filters = recording.names.map { _ in PathLossFilter(model: model, powerSpread: spread) }
    var zones = recording.names.map { _ in ProximityTracker() }
    for index in order {
      let sample = recording.samples[index]
      let power = power.power ?? sample.measuredPower ?? Double(IBeacon.usualMeasuredPower)
      if Self.hasLoudness(sample) {
        filters[sample.name].update(loss: power - sample.rssi, at: sample.time)
      }
      guard let estimate = filters[sample.name].estimate else { continue }
      rows[index].distance = estimate.distance
      rows[index].sigma = estimate.sigma
      rows[index].zone = zones[sample.name].update(estimate, model: model, at: sample.time)
    }
  }

  private func runTogether(_ order: [Int], _ rows: inout [BeaconReplayRow]) {
    let sites = zip(recording.names, recording.places ?? []).map { ReceiverSite(name: $0, position: $1) }
    let told = recording.samples.compactMap(\.measuredPower).first
    var locator = BeaconLocator(
      sites: sites, measuredPower: power.power ?? told ?? Double(IBeacon.usualMeasuredPower), model: model,
      count: guesses)
    var zones = recording.names.map { _ in ProximityTracker() }
    for index in order {
      let sample = recording.samples[index]
      guard Self.hasLoudness(sample),
        let located = locator.update(site: sample.name, rssi: sample.rssi, at: sample.time)
      else { continue }
      rows[index].distance = located.distance
      rows[index].sigma = located.sigma
      rows[index].zone = zones[sample.name].update(located, at: sample.time)
    }
  }

  /// RSSI values of 127 and 0 mean "not available".
  private static func hasLoudness(_ sample: RSSIRecording.Sample) -> Bool {
    sample.rssi != 0 && sample.rssi < 50
  }
}
