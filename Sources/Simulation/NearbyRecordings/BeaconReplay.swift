import NearbyBeacons

/// A recorded packet and what the estimator told after it.
package struct BeaconReplayRow: Equatable, Sendable {
  package var time: Duration
  package var beacon: String
  /// dBm, as recorded.
  package var rssi: Double
  /// Metres and their standard deviation; `nil` where the packet had no loudness and none was heard before.
  package var distance: Double?
  package var sigma: Double?
  package var zone: Proximity
  /// Metres, where the recording has it.
  package var trueDistance: Double?
}

/// Runs a recording of RSSI through the estimator, each packet at its time, without what comes after.
package struct BeaconReplay: Sendable {
  /// Where a beacon's power at 1 m comes from.
  package enum PowerSource: Equatable, Sendable {
    /// Whoever runs it says so, dBm.
    case given(Double)
    /// Each frame told its own.
    case told
    /// The median of so many packets that were recorded at 1 m, dBm: as makers calibrate their beacons.
    case calibrated(Double, packets: Int)
    /// Nobody says: the usual power, with a wider spread.
    case usual(Double)

    /// dBm; `nil` where every packet has its own.
    package var power: Double? {
      switch self {
      case .given(let power), .calibrated(let power, _), .usual(let power): power
      case .told: nil
      }
    }
  }

  package let recording: RSSIRecording
  package let model: PathLossModel
  package let power: PowerSource
  /// Whether receivers whose places are known are listened to together.
  package let isJoint: Bool
  /// Of the locator, where receivers listen together.
  private let guesses: Int

  /// Fewer receivers leave places that look alike.
  private static let fewestSites = 3
  /// What counts as 1 m when power is calibrated, metres, and how many packets it takes.
  private static let calibrationBounds = 0.9...1.1
  private static let calibrationPackets = 5

  /// - Parameters:
  ///   - power: dBm at 1 m of every beacon; `nil` takes what the recording has, see `PowerSource`.
  ///   - isAlone: Each receiver on its own, as a phone is, also where the places of several are known.
  ///   - guesses: Of where the beacon is, when receivers listen together.
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

  private static func source(_ recording: RSSIRecording) -> PowerSource {
    if recording.samples.allSatisfy({ $0.measuredPower != nil }) { return .told }
    let near = recording.samples.filter { sample in
      sample.trueDistance.map(calibrationBounds.contains) ?? false
    }
    guard near.count >= calibrationPackets else { return .usual(Double(IBeacon.usualMeasuredPower)) }
    let sorted = near.map(\.rssi).sorted()
    let middle = sorted.count / 2
    let median = sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
    return .calibrated(median, packets: near.count)
  }

  /// A row for every packet, in the order of the file.
  package func rows() -> [BeaconReplayRow] {
    // Files are not always in order of time; those at one time are taken as they stand.
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
      rows[index].zone = zones[sample.name].take(estimate, model: model, at: sample.time)
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
      rows[index].zone = zones[sample.name].take(located, at: sample.time)
    }
  }

  /// 127 and 0 stand for none.
  private static func hasLoudness(_ sample: RSSIRecording.Sample) -> Bool {
    sample.rssi != 0 && sample.rssi < 50
  }
}
